import { graphql } from '../support/graphql-client.ts';
import { codeOf } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { Flood } from './harness/flood.ts';
import { lastEvent, nameExecution, runEventsAfter } from './harness/mutations.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Reader } from './harness/reader.ts';
import { sharedStage } from './harness/stage.ts';
import { inTime, passing, range } from './harness/wait.ts';

export const name = 'P26';
export const claim = 'no event of one enterprise reaches a reader of another, fast or slow';
/** Events of each enterprise. */
export const sizes = { small: 500, full: 10_000 };
export const needsRedis = true;

const BATCH = 20;
const CALLS = 20;

interface Tenant {
  company: Company;
  runIds: Set<string>;
  start: number;
  readers: Reader[];
  slow: SlowReader;
}

/** A reader that reads in gulps, and comes back from its cursor when it was closed for being slow. */
class SlowReader {
  readonly parts: Reader[] = [];
  stopped = false;
  constructor(
    readonly company: Company,
    readonly start: number,
  ) {}

  get numbers() {
    return this.parts.flatMap(({ numbers }) => numbers);
  }

  get last() {
    return this.numbers.at(-1) ?? this.start;
  }

  /** Reads until it has this event, pausing for a moment after each gulp. */
  async read(until: () => number) {
    const { stage, ceo } = this.company;
    while (!this.stopped || this.last < until()) {
      const part = await Reader.open(stage.urls[this.parts.length % 2]!, ceo.secret, this.last, 'run { id }');
      this.parts.push(part);
      while (part.raw.socket.readyState === part.raw.socket.OPEN && (!this.stopped || this.last < until())) {
        part.raw.socket.pause();
        await passing(40);
        part.raw.socket.resume();
        await passing(10);
      }
      await part.close();
    }
  }
}

async function settle(company: Company): Promise<Tenant> {
  const { urls } = company.stage;
  const runs = await company.runs(2);
  const start = await lastEvent(company);
  const readers = await Promise.all(range(4).map((index) => Reader.open(urls[index % 2]!, company.ceo.secret, start, 'run { id }')));
  return { company, runIds: new Set(runs.map(({ id }) => id)), start, readers, slow: new SlowReader(company, start) };
}

/** `size` events of each of two enterprises at once, read by fast and slow readers of both on both processes. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const findings = new Findings();
  const flood = await Flood.open(stage);
  const tenants = [await settle(await Company.found(stage)), await settle(await Company.found(stage))];
  const slow = tenants.map(({ slow, company }) => {
    let last = Number.POSITIVE_INFINITY;
    const done = slow.read(() => last);
    return { done, stop: async () => ([last, slow.stopped] = [await lastEvent(company), true]) };
  });
  await foreign(tenants as [Tenant, Tenant], findings);
  await Promise.all(tenants.map((tenant) => fill(tenant, flood, asked.size)));
  for (const { company, readers } of tenants) {
    const last = await lastEvent(company);
    await Promise.all(readers.map((reader) => inTime('every event', reader.reaches(last))));
  }
  for (const { done, stop } of slow) {
    await stop();
    await inTime('every event for a slow reader', done);
  }
  for (const { company, runIds, start, readers, slow } of tenants) {
    const expected = await runEventsAfter(company, start);
    for (const reader of readers) findings.same(reader.numbers, expected, 'what a fast reader was told');
    findings.same(slow.numbers, expected, 'what a slow reader was told');
    const told = [...readers, ...slow.parts].flatMap(({ told }) => told);
    findings.same(
      told.filter(({ runId }) => !runIds.has(runId!)),
      [],
      'events that crossed',
    );
    await Promise.all(readers.map((reader) => reader.close()));
  }
  await flood.close();
  const pieces = tenants.map(({ slow }) => slow.parts.length).join(' and ');
  const found = `2 × ${asked.size} events, 10 readers (the slow ones in ${pieces} parts): 0 crossed, 0 lost, 0 doubled`;
  return findings.result(name, asked, '0 crossing; topics come from the credential', found);
}

/** Some by calls, the rest in batches, never so fast that the readers are closed for it. */
async function fill({ company, runIds, readers, start }: Tenant, flood: Flood, count: number) {
  const [first, second] = [...runIds];
  const run = await company.run();
  runIds.add(run.id);
  for (let index = 0; index < CALLS; index++) await nameExecution(company.stage.urls[index % 2]!, run, `p26-${index}`);
  for (let written = CALLS; written < count; written += BATCH) {
    await flood.write(company, written % (2 * BATCH) === 0 ? first! : second!, Math.min(BATCH, count - written));
    await Promise.all(readers.map((reader) => reader.reaches(start + written - 100)));
  }
}

/** What names the other enterprise in an argument is answered as what there is not. */
async function foreign([one, other]: [Tenant, Tenant], findings: Findings) {
  const { urls } = one.company.stage;
  const [foreignRun] = [...other.runIds];
  const query = (runId: string) => `query { run(id: "${runId}") { id } }`;
  findings.same((await graphql(urls[0]!, one.company.ceo.secret, query(foreignRun!))).data, { run: null }, 'a foreign run');
  const stream = `subscription { runEvents(runId: "${foreignRun}") { cursor } }`;
  const response = await fetch(`${urls[0]}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${one.company.ceo.secret}` },
    body: JSON.stringify({ query: stream }),
  });
  const text = await response.text();
  findings.check(text.includes('"code":"not_found"') && !text.includes('"cursor"'), 'a subscription to a foreign run', text);
  const unknown = await graphql(
    urls[0]!,
    one.company.ceo.secret,
    'mutation ($input: CancelRunInput!) { cancelRun(input: $input) { id } }',
    {
      input: { runId: foreignRun },
    },
  );
  findings.same(codeOf(unknown), 'not_found', 'a move on a foreign run');
}
