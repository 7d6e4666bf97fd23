import { revokeToken } from '../../src/auth/tokens.ts';
import { TIMING } from '../../src/kernel/kernel.ts';
import { type Claimed, Company, type Credential } from './harness/company.ts';
import { lastEvent, nameExecution } from './harness/mutations.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Reader } from './harness/reader.ts';
import { eventSource } from './harness/sse.ts';
import { onStage, type Stage, sharedStage } from './harness/stage.ts';
import { eventually, inTime } from './harness/wait.ts';

export const name = 'P22';
export const claim = 'a credential that ends takes its open streams with it';
export const sizes = { small: 1, full: 20 };

interface Case {
  kind: string;
  credential: Credential;
  /** Ends the credential, or waits until it ends. */
  end: () => Promise<unknown>;
}

/** Each way in which a credential ends, `size` times, with a socket and an event stream open on either process. */
export async function run(asked: Asked): Promise<Result> {
  if (!asked.timed) return tried(await sharedStage(), asked);
  return onStage({ timing: { credentialCheck: TIMING.credentialCheck } }, (stage) => tried(stage, asked));
}

async function tried(stage: Stage, asked: Asked): Promise<Result> {
  const findings = new Findings();
  let [slowest, streams] = [0, 0];
  for (let round = 0; round < asked.size; round++) {
    const company = await Company.found(stage);
    const run = await company.run();
    for (const one of await cases(company)) {
      slowest = Math.max(slowest, await trial(company, run, one, findings));
      streams += 4;
    }
  }
  if (asked.timed) findings.check(slowest <= 5_000, 'closed late', slowest);
  const found = `${streams} streams of 5 kinds of end: all closed, the slowest after ${slowest} ms; 0 events afterwards`;
  return findings.result(name, asked, 'sockets and SSE closed within 5 s, 0 events afterwards', found);
}

async function cases(company: Company): Promise<Case[]> {
  const { stage, enterpriseId, ceoId } = company;
  const revoke = ({ id }: Credential) =>
    revokeToken({ db: stage.db, now: () => new Date() } as never, { operator: true, enterpriseId }, id);
  const token = await company.token('reader', ['runs:read']);
  const session = await company.issue({ kind: 'SESSION', name: 'second', personId: ceoId });
  const personId = await company.addPerson('Sam Example');
  const sam = await company.issue({ kind: 'SESSION', name: 'sam', personId });
  const short = await company.issue({ kind: 'API_TOKEN', name: 'short', scopes: ['runs:read'], personId: ceoId });
  const lost = await company.run();
  const set = (text: string, values: unknown[]) => stage.db.query({ text, values });
  const ends = [
    { kind: 'revoked token', credential: token, end: () => revoke(token) },
    { kind: 'revoked session', credential: session, end: () => revoke(session) },
    { kind: 'removed person', credential: sam, end: () => set('UPDATE "Person" SET "removedAt" = now() WHERE "id" = $1', [personId]) },
    { kind: 'expired token', credential: short, end: () => set('UPDATE "Token" SET "expiresAt" = now() WHERE "id" = $1', [short.id]) },
  ];
  const handOut = async () => {
    await set(`UPDATE "Run" SET "leaseExpiresAt" = now() - interval '1 hour' WHERE "id" = $1`, [lost.id]);
    await eventually('run to be handed out again', () => company.claim('free'));
  };
  return [...ends, { kind: 'run handed out again', credential: { id: '', secret: lost.token }, end: handOut }];
}

/** Answers how long the slowest of its streams stayed open. */
async function trial(company: Company, run: Claimed, { kind, credential, end }: Case, findings: Findings): Promise<number> {
  const { urls } = company.stage;
  const sockets = await Promise.all(urls.map((url) => Reader.open(url, credential.secret, null)));
  const sources = await Promise.all(urls.map((url) => eventSource(url, credential.secret, 'subscription { runEvents { cursor } }')));
  const begun = performance.now();
  await end();
  const closed = await Promise.all([
    ...sockets.map(async ({ raw }) => (await inTime(`close of a socket: ${kind}`, raw.closed)).code),
    ...sources.map(({ ended }) => inTime(`end of an event stream: ${kind}`, ended).then(() => 4403)),
  ]);
  const took = performance.now() - begun;
  findings.same(closed, [4403, 4403, 4403, 4403], `${kind}: how it was closed`);
  for (const { errors } of sockets)
    findings.same(errors[0]?.errors?.[0]?.extensions?.code, 'unauthenticated', `${kind}: what a socket was told`);
  for (const { received } of sources)
    findings.same(received.at(-1)?.errors?.[0]?.extensions?.code, 'unauthenticated', `${kind}: what a stream was told`);
  const before = [...sockets.map(({ told }) => told.length), ...sources.map(({ received }) => received.length)];
  const witness = await Reader.open(urls[0]!, company.ceo.secret, await lastEvent(company));
  await nameExecution(urls[1]!, run, `p22-${kind}`);
  await witness.reaches(await lastEvent(company));
  await witness.close();
  findings.same(
    [...sockets.map(({ told }) => told.length), ...sources.map(({ received }) => received.length)],
    before,
    `${kind}: events afterwards`,
  );
  return Math.round(took);
}
