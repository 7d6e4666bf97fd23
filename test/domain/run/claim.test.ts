import { describe, expect, it } from 'vitest';
import { tellStalled } from '../../../src/kernel/sweep.ts';
import { settleInterrupted } from '../../../src/kernel/sweep-calls.ts';
import { testFamilies } from '../../fixtures/tools.ts';
import { testApp } from '../../support/app.ts';
import { makeClock } from '../../support/clock.ts';
import { makeCompany, makeToken } from '../../support/company.ts';
import { type Claimed, Harness } from '../../support/harness.ts';

const clock = makeClock();
const { kernel, url } = await testApp({ additions: { families: testFamilies, now: clock.now }, timing: { sweep: 3_600_000 } });
const company = await makeCompany(kernel);
const harness = new Harness(url, company);
const in60s = () => new Date(clock.now().getTime() + 60_000).toISOString();
const claimRun = 'mutation ($input: ClaimRunInput!) { claimRun(input: $input) { run { id } } }';

it('hands out the oldest queued run with its lease, its input and its tools', async () => {
  const task = await harness.task({ tools: ['os.set_context', 'os.get_context'], maxConcurrency: 5 });
  const first = await harness.start(task, { wind: 5 });
  expect(first).toMatchObject({ status: 'QUEUED', attempt: 0, member: null, execution: { name: 'Make kites' } });
  clock.advance(1);
  const second = await harness.start(task);
  const claimed = (await harness.claim(task))!;
  expect(claimed).toMatchObject({ runId: first.id, attempt: 1, input: { wind: 5 }, leaseExpiresAt: in60s(), heartbeatSeconds: 20 });
  expect(claimed.tools.map(({ name }) => name)).toEqual(['os__set_context', 'os__get_context']);
  expect(claimed.tools[1]!.inputSchema).toEqual({
    type: 'object',
    properties: { key: { type: 'string', minLength: 1, description: 'The key, 1 to 512 characters; `/` is the usual separator.' } },
    required: ['key'],
    additionalProperties: false,
  });
  expect(await harness.runOf(first.id)).toMatchObject({ status: 'RUNNING', worker: 'w-1', leaseExpiresAt: in60s(), stalled: false });
  expect((await harness.claim(task))!.runId).toBe(second.id);
  expect(await harness.claim(task)).toBeNull();
});

it('takes only the tasks that are asked for, and only one’s own enterprise', async () => {
  const [one, two] = [await harness.task(), await harness.task()];
  const run = await harness.start(two);
  const stranger = new Harness(url, await makeCompany(kernel, 'Test Soup'));
  expect(await stranger.claim()).toBeNull();
  expect(await harness.claim(one)).toBeNull();
  expect(await harness.claim('no-such-task')).toBeNull();
  const { claimRun: claimed } = await harness.data(company.workerToken, claimRun, { input: { worker: 'w', tasks: [one, two] } });
  expect(claimed.run.id).toBe(run.id);
});

it('needs the scope runs:work', async () => {
  const reader = await makeToken(kernel, company, ['runs:read']);
  const input = { worker: 'w' };
  expect(await harness.refused(reader, claimRun, { input })).toMatchObject({ code: 'scope_missing', details: { scope: 'runs:work' } });
  expect(await harness.refused(company.personSession, claimRun, { input })).toMatchObject({ code: 'not_allowed' });
  expect(await harness.refused(company.workerToken, claimRun, { input: { worker: '' } })).toMatchObject({ code: 'invalid_arguments' });
});

it('many workers at once get each run once', async () => {
  const task = await harness.task({ maxConcurrency: 20 });
  const ids = [];
  for (let n = 0; n < 12; n++) ids.push((await harness.start(task)).id);
  const claims = await Promise.all(Array.from({ length: 20 }, () => harness.claim(task)));
  const claimed = claims.flatMap((claim) => claim ?? []);
  expect(claimed.map(({ runId }) => runId).sort()).toEqual(ids.sort());
  expect(new Set(claimed.map(({ token }) => token)).size).toBe(12);
});

describe('a lease', () => {
  it('is renewed by the heartbeat, also by a late one until the run is handed out again', async () => {
    const { runId, token } = await harness.run();
    clock.advance(50_000);
    expect(await harness.drive('heartbeatRun', token, { runId })).toMatchObject({
      status: 'RUNNING',
      stalled: false,
      leaseExpiresAt: in60s(),
    });
    clock.advance(300_000);
    expect((await harness.runOf(runId)).stalled).toBe(true);
    const beat = { runId, attempt: 1 };
    expect(await harness.drive('heartbeatRun', company.workerToken, beat)).toMatchObject({ stalled: false, leaseExpiresAt: in60s() });
    expect((await harness.runOf(runId)).stalled).toBe(false);
  });

  it('that ran out is told once', async () => {
    const { runId, token } = await harness.run();
    const stalls = () => kernel.db.prisma.event.count({ where: { runId, kind: 'STALLED' } });
    clock.advance(60_000);
    await tellStalled(kernel);
    expect(await stalls()).toBe(0);
    clock.advance(1);
    await tellStalled(kernel);
    await tellStalled(kernel);
    expect(await stalls()).toBe(1);
    await harness.drive('heartbeatRun', token, { runId });
    clock.advance(60_001);
    await tellStalled(kernel);
    expect(await stalls()).toBe(2);
  });

  it('that ran out 30 s ago is handed out again, after what is queued, to three attempts in all', async () => {
    const task = await harness.task({ maxConcurrency: 5 });
    const stalled = await harness.start(task);
    const first = (await harness.claim(task))!;
    clock.advance(90_000);
    expect(await harness.claim(task)).toBeNull();
    clock.advance(1);
    const queued = await harness.start(task);
    expect((await harness.claim(task))!.runId).toBe(queued.id);
    const second = (await harness.claim(task))!;
    expect([second.runId, second.attempt, second.leaseExpiresAt]).toEqual([stalled.id, 2, in60s()]);
    expect(second.token).not.toBe(first.token);
    expect(await harness.refused(first.token, '{ viewer { kind } }')).toMatchObject({ code: 'unauthenticated' });
    const late = { runId: stalled.id, attempt: 1 };
    for (const [name, told] of [
      ['heartbeatRun', {}],
      ['finishRun', { outcome: 'done' }],
      ['failRun', { code: 'x', reason: 'y' }],
      ['blockRun', { blockClass: 'x', reason: 'y' }],
    ] as const) {
      const refused = await harness.drive(name, company.workerToken, { ...late, ...told });
      expect(refused).toEqual({ code: 'lease_lost', message: 'Attempt 1 lost the run: it is at attempt 2.', details: { attempt: 2 } });
    }
    await harness.drive('finishRun', company.workerToken, { runId: queued.id, attempt: 1, outcome: 'done' });
    clock.advance(90_001);
    expect((await harness.claim(task))!.attempt).toBe(3);
    clock.advance(90_001);
    expect(await harness.claim(task)).toBeNull();
    expect(await harness.runOf(stalled.id)).toMatchObject({
      ...{ status: 'FAILED', failureCode: 'lease_exhausted', attempt: 3 },
      reason: 'Its lease ran out on each of 3 attempts.',
    });
  });

  it('does not run while the run waits', async () => {
    const task = await harness.task({ tools: ['os.ask_ceo'] });
    await harness.start(task);
    const run = (await harness.claim(task))!;
    const questions = [{ number: 1, question: 'q', context: 'c', ctoRecommendation: 'r' }];
    await harness.call(run.token, 'g', 'os.ask_ceo', { questions });
    clock.advance(86_400_000);
    expect(await harness.claim(task)).toBeNull();
    expect(await harness.runOf(run.runId)).toMatchObject({ status: 'WAITING', stalled: false, attempt: 1 });
    expect((await harness.call(run.token, 'g', 'os.ask_ceo', { questions })).status).toBe('WAITING');
  });
});

/** As a process that died in the middle of an outside call leaves it. */
async function interrupted({ runId, token }: Claimed, tool: string) {
  const { id } = await harness.call(token, `dead-${tool}`, 'os.set_execution_name', { name: 'Kites' });
  const leaseExpiresAt = new Date(clock.now().getTime() + 30_000);
  const data = { tool, arguments: { name: 'x' }, status: 'EXECUTING', leaseOwner: 'dead', leaseExpiresAt } as const;
  await kernel.db.prisma.toolCall.update({ where: { id }, data: { ...data, result: undefined, finishedAt: null } });
  return async () => (await harness.calls(runId)).find((call) => call.id === id)!;
}

it('a stalled run with a call that still executes is passed over; an interrupted one is settled first', async () => {
  const task = await harness.task({ tools: ['os.set_execution_name'] });
  await harness.start(task);
  const first = (await harness.claim(task))!;
  clock.advance(90_001);
  const dead = await interrupted(first, 'tool.gone');
  expect(await harness.claim(task)).toBeNull();
  clock.advance(30_001);
  const second = (await harness.claim(task))!;
  expect([second.runId, second.attempt]).toEqual([first.runId, 2]);
  expect(await dead()).toMatchObject({ status: 'OUTCOME_UNKNOWN', error: { code: 'outcome_unknown' } });
  expect(await settleInterrupted(kernel)).toBe(0);
});
