import { type StartedServer, startEmbeddedPostgres } from '../support/embedded-postgres.ts';
import { Wire } from '../support/wire.ts';
import { Company } from './harness/company.ts';
import { Flood } from './harness/flood.ts';
import { type Follower, SocketFollower, SseFollower } from './harness/follower.ts';
import { lastEvent, runEventsAfter } from './harness/mutations.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { openStage, type Stage } from './harness/stage.ts';
import { eventually, passing, range } from './harness/wait.ts';

export const name = 'P48';
export const claim =
  'with the database cut off, silent, frozen or restarted every subscriber is told every event once, and nothing in its place';
/** Events. */
export const sizes = { small: 300, full: 3_000 };
export const needsRedis = true;

const FOLLOWERS = 8;
/** Short, so that streams are given up too while the database is away for longer. */
const PATIENCE = 1_000;

/** What is done to the database of the process that the subscribers are on, and how long it lasts, in milliseconds. */
interface Fault {
  milliseconds: number;
  begin(): void | Promise<void>;
  end(): void;
}

/** Shorter than streams wait, and longer. */
const cut = (wire: Wire, milliseconds: number): Fault => ({ milliseconds, begin: () => wire.cut(), end: () => wire.heal() });
const silent = (wire: Wire, milliseconds: number): Fault => ({ milliseconds, begin: () => wire.silence(), end: () => wire.heal() });
const frozen = (server: StartedServer, milliseconds: number): Fault => ({
  milliseconds,
  begin: () => server.signal('SIGSTOP'),
  end: () => server.signal('SIGCONT'),
});
const restarted = (server: StartedServer): Fault => ({ milliseconds: 0, begin: () => server.restart(), end: () => {} });

/** `size` events while the way to the database breaks and comes back; at full size on a Postgres of its own, which is frozen and crashes too. */
export async function run(asked: Asked): Promise<Result> {
  const server = asked.timed ? await startEmbeddedPostgres() : undefined;
  const options = { processes: 1, timing: { eventPatience: PATIENCE }, ...(server && { server: { url: server.url, prefix: 'p48' } }) };
  const stage = await openStage(options);
  const wire = await Wire.before(stage.url);
  try {
    return await trial(stage, wire, faults(wire, server), asked);
  } finally {
    server?.signal('SIGCONT');
    await stage.close();
    await wire.close();
    await server?.stop();
  }
}

function faults(wire: Wire, server: StartedServer | undefined): Fault[] {
  const some = [cut(wire, 300), cut(wire, 2_500), silent(wire, 1_500)];
  if (!server) return some;
  return range(3).flatMap(() => [...some, frozen(server, 5_000), restarted(server), cut(wire, 10), cut(wire, 10)]);
}

async function trial(stage: Stage, wire: Wire, faults: Fault[], asked: Asked): Promise<Result> {
  const findings = new Findings();
  const company = await Company.found(stage);
  const { id: runId } = await company.run();
  const { url } = await stage.startNode(wire.through(stage.url));
  const start = await lastEvent(company);
  const followers = range(FOLLOWERS).map((n) => new (n % 2 ? SseFollower : SocketFollower)(url, company.ceo.secret, start));
  const flood = await Flood.open(stage);
  const share = Math.ceil(asked.size / (2 * faults.length + 1));
  await write(flood, company, runId, share);
  await Promise.all(followers.map((follower) => follower.reaches(start + share, 60_000)));
  for (const fault of faults) {
    const begun = fault.begin();
    const written = write(flood, company, runId, share); // to a frozen server it ends after the fault
    await begun;
    await passing(fault.milliseconds);
    fault.end();
    await written;
    await write(flood, company, runId, share);
  }
  const all = await eventually('answer of the database', () => runEventsAfter(company, start).catch(() => undefined));
  for (const follower of followers) {
    await follower.reaches(all.at(-1)!, 90_000).catch((error) => findings.check(false, 'events are missing', String(error)));
    const told = follower.numbers.filter((number) => number <= all.at(-1)!); // the sweep may tell more: that the run has stalled
    findings.same(told, all, `what ${follower.constructor.name} was told`);
    findings.same(follower.faults, [], `what came in the place of an event to ${follower.constructor.name}`);
    follower.close();
  }
  findings.check(all.length >= asked.size, 'events', all.length);
  await flood.close();
  const resumed = followers.reduce((sum, follower: Follower) => sum + follower.resumed, 0);
  const found = `${all.length} events × ${FOLLOWERS} subscribers over ${faults.length} faults, resumed ${resumed} times: 0 missing, 0 twice, 0 errors in an event's place`;
  return findings.result(name, asked, '0 missing, 0 twice, 0 told as an error', found);
}

/** In transactions of ten; one whose answer was lost is written again, and told again. */
async function write(flood: Flood, company: Company, runId: string, count: number) {
  for (let written = 0; written < count; ) {
    const some = Math.min(10, count - written);
    const done = await flood.write(company, runId, some).then(
      () => true,
      () => false,
    );
    if (done) written += some;
    else await passing(50);
  }
}
