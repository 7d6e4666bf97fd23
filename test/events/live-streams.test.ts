import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueToken } from '../../src/auth/tokens.ts';
import type { Queryable } from '../../src/db/database.ts';
import type { TokenKind } from '../../src/db/generated/enums.ts';
import { ProcessBus } from '../../src/events/bus.ts';
import { LiveStreams } from '../../src/events/live-streams.ts';
import type { ToolError } from '../../src/kernel/errors.ts';
import { HANDED_OUT_AGAIN } from '../../src/kernel/errors.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { SHORT } from '../support/timing.ts';
import { announce, log, makeEnterprise, type Process, startProcess, subscribe, take } from './process.ts';

let database: TestDatabase;
let one: Process<ProcessBus>;
let live: LiveStreams;
let enterpriseId: string;
const clock = new Date();

beforeAll(async () => {
  database = await testDatabase();
  one = await startProcess(database.url, new ProcessBus());
  live = new LiveStreams({ db: one.db, timing: { ...SHORT, credentialCheck: 20 }, now: () => clock, log });
  enterpriseId = await makeEnterprise(one.db);
});
afterAll(async () => {
  live.close();
  await one.close();
  await database.drop();
});

async function makePerson() {
  const id = v7();
  await one.db.prisma.person.create({ data: { id, enterpriseId, name: 'Ada Example', email: `${id}@example.com` } });
  return id;
}

async function makeRun() {
  const [taskId, executionId, id] = [v7(), v7(), v7()];
  const { prisma } = one.db;
  await prisma.task.create({ data: { id: taskId, enterpriseId, slug: taskId, latestVersion: 1 } });
  await prisma.taskVersion.create({
    data: { taskId, version: 1, enterpriseId, name: 'Example', goal: 'To be tried', createdBy: 'nobody', tools: [] },
  });
  await prisma.execution.create({ data: { id: executionId, enterpriseId, name: 'Example' } });
  await prisma.run.create({
    data: { id, enterpriseId, taskId, taskVersion: 1, executionId, status: 'RUNNING', attempt: 1, input: {} },
  });
  return id;
}

async function makeToken(kind: TokenKind, more: { personId?: string; runId?: string; expiresAt?: Date } = {}) {
  const { runId, ...rest } = more;
  const run = runId ? { id: runId, attempt: 1 } : undefined;
  return (await issueToken(one.db, { enterpriseId, kind, name: 'Example', createdAt: new Date(), run, ...rest })).id;
}

/** A stream and a socket on a token. */
async function openOn(tokenId: string) {
  const stream = await subscribe(one.feeds, enterpriseId);
  live.add(tokenId, stream);
  let hasEnded = false;
  void stream.ended.then(() => {
    hasEnded = true;
  });
  let leave = () => {};
  const dead = new Promise<{ error: ToolError; tokenId: string }>((resolve) => {
    leave = live.watch(tokenId, (error, id) => resolve({ error, tokenId: id }));
  });
  return { stream, dead, leave, ended: () => hasEnded };
}

describe('a credential that ends', () => {
  const cases: [string, string, () => Promise<[string, () => Promise<unknown>]>][] = [
    [
      'is revoked',
      'The credential was revoked.',
      async () => {
        const id = await makeToken('API_TOKEN', { personId: await makePerson() });
        return [id, () => one.db.prisma.token.update({ where: { id }, data: { revokedAt: new Date() } })];
      },
    ],
    [
      'expires',
      'The credential has expired.',
      async () => {
        const id = await makeToken('SESSION', { personId: await makePerson(), expiresAt: new Date(clock.getTime() + 60_000) });
        return [id, async () => clock.setTime(clock.getTime() + 60_000)];
      },
    ],
    [
      'loses its person',
      'The person of this credential was removed.',
      async () => {
        const personId = await makePerson();
        const id = await makeToken('SESSION', { personId });
        return [id, () => one.db.prisma.person.update({ where: { id: personId }, data: { removedAt: new Date() } })];
      },
    ],
    [
      'is of a run that was handed out again',
      HANDED_OUT_AGAIN,
      async () => {
        const runId = await makeRun();
        return [await makeToken('RUN', { runId }), () => one.db.prisma.run.update({ where: { id: runId }, data: { attempt: 2 } })];
      },
    ],
    [
      'is of a run that ended long ago',
      'The run has ended, and its token with it.',
      async () => {
        const runId = await makeRun();
        const finishedAt = new Date(clock.getTime() - SHORT.runTokenAfterEnd);
        return [
          await makeToken('RUN', { runId }),
          () => one.db.prisma.run.update({ where: { id: runId }, data: { status: 'FINISHED', finishedAt } }),
        ];
      },
    ],
    [
      'is deleted',
      'The credential was removed.',
      async () => {
        const id = await makeToken('API_TOKEN', { personId: await makePerson() });
        return [id, () => one.db.prisma.token.delete({ where: { id } })];
      },
    ],
  ];

  it.each(cases)('%s: takes its streams and sockets along, and no other', async (_, message, make) => {
    const other = await openOn(await makeToken('API_TOKEN', { personId: await makePerson() }));
    const [tokenId, kill] = await make();
    const mine = [await openOn(tokenId), await openOn(tokenId)];
    await live.check();
    expect(live.open).toEqual({ tokens: 2, streams: 3, sockets: 3 });
    await kill();
    for (const { dead, stream, ended } of mine) {
      expect(await dead).toMatchObject({ tokenId, error: { code: 'unauthenticated', message } });
      expect(ended()).toBe(true);
      await announce(one.db, enterpriseId, 1);
      await expect(stream.next()).rejects.toMatchObject({ code: 'unauthenticated', message });
      expect(await stream.next()).toEqual({ done: true, value: undefined });
    }
    expect(live.open).toEqual({ tokens: 1, streams: 1, sockets: 1 });
    expect((await take(other.stream, 2)).length).toBe(2);
    other.stream.end(new Error('over'));
    await other.stream.ended;
    expect(live.open).toEqual({ tokens: 1, streams: 0, sockets: 1 });
    other.leave();
    expect(live.open).toEqual({ tokens: 0, streams: 0, sockets: 0 });
  });
});

it('a run that ended a moment ago still reads', async () => {
  const runId = await makeRun();
  const tokenId = await makeToken('RUN', { runId });
  const { stream, leave } = await openOn(tokenId);
  await one.db.prisma.run.update({ where: { id: runId }, data: { status: 'FINISHED', finishedAt: clock } });
  await live.check();
  await announce(one.db, enterpriseId, 1);
  const [event] = await take(stream, 1);
  expect(event!.enterpriseId).toBe(enterpriseId);
  await stream.return();
  leave();
});

it('looks at all credentials with one statement, and at none when nothing is open', async () => {
  let statements = 0;
  const db: Queryable = {
    query(query) {
      statements++;
      return one.db.query(query);
    },
  };
  const counted = new LiveStreams({ db, timing: { ...SHORT, credentialCheck: 3_600_000 }, now: () => clock, log });
  await counted.check();
  expect(statements).toBe(0);
  const personId = await makePerson();
  const leaves = [];
  for (let count = 0; count < 5; count++) leaves.push(counted.watch(await makeToken('SESSION', { personId }), () => {}));
  await counted.check();
  expect(statements).toBe(1);
  for (const leave of leaves) leave();
  expect(counted.open).toEqual({ tokens: 0, streams: 0, sockets: 0 });
  counted.close();
});
