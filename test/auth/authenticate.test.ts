import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticate, endedCredentials } from '../../src/auth/authenticate.ts';
import { LastUse } from '../../src/auth/last-use.ts';
import { hashOf, issueToken, type NewToken, revokeToken } from '../../src/auth/tokens.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { RunStatus } from '../../src/db/generated/enums.ts';
import type { ToolError } from '../../src/kernel/errors.ts';
import { HANDED_OUT_AGAIN } from '../../src/kernel/errors.ts';
import { type Kernel, TIMING } from '../../src/kernel/kernel.ts';
import { testDatabase } from '../support/database.ts';

const NOW = new Date('2026-03-04T05:06:07.000Z');
const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);

const { url, drop } = await testDatabase();
const db = await openDatabase({ url }, () => NOW);
const kernel = { db, timing: TIMING, now: () => NOW } as Kernel;
const [enterpriseId, ceoId, visitorId] = [v7(), v7(), v7()];

beforeAll(async () => {
  await db.prisma.enterprise.create({
    data: {
      id: enterpriseId,
      name: 'Quillon Lamps',
      people: {
        create: [
          { id: ceoId, name: 'Isolde Quillon', email: 'isolde@quillon.example', isCeo: true },
          { id: visitorId, name: 'Edmund Wick', email: 'edmund@quillon.example' },
        ],
      },
    },
  });
});

afterAll(async () => {
  await db.close();
  await drop();
});

const issue = (token: Partial<NewToken> = {}) =>
  issueToken(db, { enterpriseId, kind: 'API_TOKEN', name: 'ledger', personId: ceoId, createdAt: NOW, ...token });

const enter = (authorization: string | null | undefined, now = NOW) => authenticate(db, TIMING, authorization, now);

/** The code and message that a promise is rejected with. */
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: ToolError) => `${error.code}: ${error.message}`,
  );

async function runWith(status: RunStatus, attempt: number, finishedAt: Date | null = null) {
  const [taskId, executionId, id] = [v7(), v7(), v7()];
  const slug = `task-${id.slice(-12)}`;
  await db.prisma.task.create({ data: { id: taskId, enterpriseId, slug, latestVersion: 1 } });
  await db.prisma.taskVersion.create({
    data: { taskId, version: 1, enterpriseId, name: 'Count', goal: 'Count lamps', createdBy: 'operator' },
  });
  await db.prisma.execution.create({ data: { id: executionId, enterpriseId, name: 'Count' } });
  await db.prisma.run.create({
    data: { id, enterpriseId, taskId, taskVersion: 1, executionId, status, attempt, input: {}, finishedAt },
  });
  return id;
}

describe('who a credential stands for', () => {
  test('an API token: its scopes, and who granted it', async () => {
    const { id, secret } = await issue({ scopes: ['runs:read', 'tasks:read'], expiresAt: later(1) });
    expect(secret).toMatch(/^ghp_[A-Za-z0-9_-]{43}$/);
    expect(await enter(`Bearer ${secret}`)).toEqual({
      kind: 'API_TOKEN',
      tokenId: id,
      tokenName: 'ledger',
      enterpriseId,
      scopes: ['runs:read', 'tasks:read'],
      person: { id: ceoId, name: 'Isolde Quillon', isCeo: true },
      run: null,
      expiresAt: later(1),
    });
  });

  test('a session, a chat and a run have their own prefixes', async () => {
    const runId = await runWith('RUNNING', 2);
    const session = await issue({ kind: 'SESSION', personId: visitorId });
    const chat = await issue({ kind: 'CHAT' });
    const run = await issue({ kind: 'RUN', personId: null, run: { id: runId, attempt: 2 } });
    expect([session, chat, run].map(({ secret }) => secret.slice(0, 4))).toEqual(['ghs_', 'ghc_', 'ghr_']);
    expect((await enter(session.secret)).person).toEqual({ id: visitorId, name: 'Edmund Wick', isCeo: false });
    const caller = await enter(run.secret);
    expect([caller.kind, caller.person, caller.run]).toEqual(['RUN', null, { id: runId, attempt: 2 }]);
  });

  test('with or without Bearer, in any case, with spaces around', async () => {
    const { id, secret } = await issue();
    for (const spelled of [secret, `Bearer ${secret}`, `bearer   ${secret} `, `BEARER ${secret}`]) {
      expect((await enter(spelled)).tokenId).toBe(id);
    }
  });

  test('only the hash is stored', async () => {
    const { id, secret } = await issue();
    const row = await db.prisma.token.findFirstOrThrow({ where: { id } });
    expect(row.hash).toBe(hashOf(secret));
    expect(JSON.stringify(row)).not.toContain(secret.slice(4));
  });
});

describe('what is refused', () => {
  test.each([null, undefined, '', '   ', 'Bearer', 'Bearer '])('no credential: %j', async (authorization) => {
    expect(await refusal(enter(authorization))).toBe('unauthenticated: Send a credential: Authorization: Bearer <token>.');
  });

  test.each([
    'Basic Z2hwXzpuZWlu',
    'ghp_short',
    `ghp_${'a'.repeat(44)}`,
    `ghx_${'a'.repeat(43)}`,
    `ghp_${'a'.repeat(42)}\u0000`,
    `ghp_${'a'.repeat(1_000_000)}`,
  ])('what has not the form of a token is never looked up', async (authorization) => {
    const asked = { query: () => Promise.reject(new Error('looked up')) };
    expect(await refusal(authenticate(asked, TIMING, authorization, NOW))).toBe(
      'unauthenticated: The credential is not a token of this service: those begin with ghr_, ghp_, ghs_ or ghc_.',
    );
  });

  test('an unknown token', async () => {
    expect(await refusal(enter(`ghp_${randomBytes(32).toString('base64url')}`))).toBe('unauthenticated: The credential is unknown.');
  });

  test('the right secret under another prefix', async () => {
    const { secret } = await issue();
    expect(await refusal(enter(secret.replace('ghp_', 'ghs_')))).toBe('unauthenticated: The credential is unknown.');
  });

  test('an expired token, from its last millisecond on', async () => {
    const { secret } = await issue({ expiresAt: later(1_000) });
    expect(await refusal(enter(secret, later(999)))).toBe('accepted');
    expect(await refusal(enter(secret, later(1_000)))).toBe('unauthenticated: The credential has expired.');
  });

  test('credentials of a removed person', async () => {
    const id = v7();
    await db.prisma.person.create({ data: { id, enterpriseId, name: 'Nell Ember', email: 'nell@quillon.example', removedAt: NOW } });
    const { secret } = await issue({ kind: 'SESSION', personId: id });
    expect(await refusal(enter(secret))).toBe('unauthenticated: The person of this credential was removed.');
  });

  test('a token of an earlier attempt of its run', async () => {
    const runId = await runWith('RUNNING', 2);
    const { secret } = await issue({ kind: 'RUN', personId: null, run: { id: runId, attempt: 1 } });
    expect(await refusal(enter(secret))).toBe(`unauthenticated: ${HANDED_OUT_AGAIN}`);
  });

  test.each(['FINISHED', 'FAILED', 'CANCELLED'] as const)('a token of a run that is %s: ten minutes after its end', async (status) => {
    const runId = await runWith(status, 1, NOW);
    const { secret } = await issue({ kind: 'RUN', personId: null, run: { id: runId, attempt: 1 } });
    expect(await refusal(enter(secret, later(599_999)))).toBe('accepted');
    expect(await refusal(enter(secret, later(600_000)))).toBe('unauthenticated: The run has ended, and its token with it.');
  });

  test.each(['WAITING', 'BLOCKED', 'PAUSED'] as const)('a token of a run that is %s stays valid', async (status) => {
    const runId = await runWith(status, 1);
    const { secret } = await issue({ kind: 'RUN', personId: null, run: { id: runId, attempt: 1 } });
    expect(await refusal(enter(secret, later(86_400_000)))).toBe('accepted');
  });
});

describe('revoking', () => {
  test('ends the token and is told in the audit log, once', async () => {
    const { id, secret } = await issue({ name: 'lamp counter' });
    const caller = await enter((await issue({ kind: 'SESSION' })).secret);
    await revokeToken(kernel, caller, id);
    await revokeToken(kernel, caller, id);
    expect(await refusal(enter(secret))).toBe('unauthenticated: The credential was revoked.');
    const entries = await db.prisma.auditEntry.findMany({ where: { subjectId: id } });
    expect(entries).toMatchObject([
      {
        id: expect.any(String),
        enterpriseId,
        at: NOW,
        personId: ceoId,
        via: 'session',
        action: 'token.revoked',
        subjectId: id,
        details: { name: 'lamp counter', kind: 'API_TOKEN' },
      },
    ]);
  });

  test('by the operator', async () => {
    const { id } = await issue();
    await revokeToken(kernel, { operator: true, enterpriseId }, id);
    const [entry] = await db.prisma.auditEntry.findMany({ where: { subjectId: id } });
    expect([entry!.via, entry!.personId]).toEqual(['operator', null]);
  });

  test('a token of another enterprise, an unknown one and no id at all are answered alike', async () => {
    const { id } = await issue();
    const stranger = { operator: true, enterpriseId: v7() } as const;
    expect(await refusal(revokeToken(kernel, stranger, id))).toBe(`not_found: There is no token "${id}" in this enterprise.`);
    expect(await refusal(revokeToken(kernel, stranger, 'nothing'))).toBe('not_found: There is no token "nothing" in this enterprise.');
  });

  test('a run token ends with its run alone', async () => {
    const runId = await runWith('RUNNING', 1);
    const { id } = await issue({ kind: 'RUN', personId: null, run: { id: runId, attempt: 1 } });
    expect(await refusal(revokeToken(kernel, { operator: true, enterpriseId }, id))).toBe(
      'not_allowed: A run token ends with its run: cancel the run instead.',
    );
  });

  test('open streams are told which credentials have ended', async () => {
    const [valid, revoked] = [await issue(), await issue()];
    await revokeToken(kernel, { operator: true, enterpriseId }, revoked.id);
    const gone = v7();
    const ended = await endedCredentials(db, TIMING, [valid.id, revoked.id, gone], NOW);
    expect([...ended].map(([id, { code, message }]) => [id, code, message])).toEqual([
      [revoked.id, 'unauthenticated', 'The credential was revoked.'],
      [gone, 'unauthenticated', 'The credential was removed.'],
    ]);
    expect((await endedCredentials(db, TIMING, [], NOW)).size).toBe(0);
  });
});

describe('last use', () => {
  const lastUsed = async (id: string) => (await db.prisma.token.findFirstOrThrow({ where: { id } })).lastUsedAt;

  test('is written by the batch, the latest of each', async () => {
    const [one, two] = [await issue(), await issue()];
    const uses = new LastUse();
    uses.note(one.id, NOW);
    uses.note(one.id, later(5));
    uses.note(two.id, later(1));
    expect(await lastUsed(one.id)).toBe(null);
    await uses.flush(db);
    expect([await lastUsed(one.id), await lastUsed(two.id)]).toEqual([later(5), later(1)]);
  });

  test('never goes back, whichever process writes last', async () => {
    const { id } = await issue();
    const [here, there] = [new LastUse(), new LastUse()];
    here.note(id, later(9));
    there.note(id, later(3));
    await here.flush(db);
    await there.flush(db);
    expect(await lastUsed(id)).toEqual(later(9));
  });

  test('what could not be written is written next time', async () => {
    const { id } = await issue();
    const uses = new LastUse();
    uses.note(id, NOW);
    await expect(uses.flush({ query: () => Promise.reject(new Error('gone')) })).rejects.toThrow('gone');
    await uses.flush(db);
    expect(await lastUsed(id)).toEqual(NOW);
  });
});
