import { describe, expect, it } from 'vitest';
import { addMember } from '../../../src/domain/company/add-member.ts';
import { addRole } from '../../../src/domain/company/add-role.ts';
import { setDraining, setSpend } from '../../../src/domain/company/switches.ts';
import { testApp } from '../../support/app.ts';
import { makeCompany } from '../../support/company.ts';
import { Harness } from '../../support/harness.ts';

// No sweep: whatever is queued is queued by the transaction that freed the slot.
const { kernel, url } = await testApp({ timing: { sweep: 3_600_000 } });
const fresh = async () => new Harness(url, await makeCompany(kernel));
const harness = await fresh();
const statuses = async (of: Harness, ids: string[]) => Promise.all(ids.map(async (id) => (await of.runOf(id)).status));
const ASK = { questions: [{ number: 1, question: 'q', context: 'c', ctoRecommendation: 'r' }] };

async function started(of: Harness, task: string, many: number) {
  const ids: string[] = [];
  for (let n = 0; n < many; n++) ids.push((await of.start(task)).id);
  return ids as [string, string, string, string];
}

describe('a task has one run at a time, or as many as it says', () => {
  it.each([
    [undefined, ['QUEUED', 'PENDING', 'PENDING', 'PENDING']],
    [3, ['QUEUED', 'QUEUED', 'QUEUED', 'PENDING']],
  ])('maxConcurrency %s', async (maxConcurrency, expected) => {
    const ids = await started(harness, await harness.task({ maxConcurrency }), 4);
    expect(await statuses(harness, ids)).toEqual(expected);
  });

  it.each<[string, Record<string, unknown>]>([
    ['finishRun', { outcome: 'done' }],
    ['failRun', { code: 'x', reason: 'y' }],
    ['blockRun', { blockClass: 'x', reason: 'y' }],
    ['cancelRun', {}],
    ['heartbeatRun', { spentCents: 11 }],
  ])('%s gives the slot to the oldest pending run', async (name, told) => {
    const task = await harness.task({ spendLimitCents: 10 });
    const ids = await started(harness, task, 3);
    const { token, runId } = (await harness.claim(task))!;
    await harness.drive(name, name === 'cancelRun' ? harness.company.apiToken : token, { runId, ...told });
    expect(await statuses(harness, ids.slice(1))).toEqual(['QUEUED', 'PENDING']);
    const events = await kernel.db.prisma.event.findMany({ where: { runId: { in: ids } }, orderBy: { number: 'asc' } });
    const [first, second] = ids;
    expect(events.map(({ runId, kind }) => [runId === first ? 1 : runId === second ? 2 : 3, kind]).at(-1)).toEqual([2, 'QUEUED']);
  });

  it('a waiting run keeps its slot until its gate ends it', async () => {
    const task = await harness.task({ tools: ['os.ask_ceo'] });
    const [, second] = await started(harness, task, 2);
    const { token } = (await harness.claim(task))!;
    const { gate } = await harness.call(token, 'g', 'os.ask_ceo', ASK);
    expect(await statuses(harness, [second])).toEqual(['PENDING']);
    await harness.decide(gate!, { decision: 'REJECT' });
    expect(await statuses(harness, [second])).toEqual(['QUEUED']);
  });

  it('one that ends at once frees no slot', async () => {
    const task = await harness.task();
    const [first, second, third] = await started(harness, task, 3);
    await harness.drive('cancelRun', harness.company.apiToken, { runId: second });
    expect(await statuses(harness, [first, second, third])).toEqual(['QUEUED', 'CANCELLED', 'PENDING']);
  });
});

describe('a member has one run at a time', () => {
  it('whatever the task, and the oldest goes first', async () => {
    const of = await fresh();
    const [one, two] = [await of.task({ role: 'maker', maxConcurrency: 9 }), await of.task({ role: 'maker', maxConcurrency: 9 })];
    const ids = [await of.start(one), await of.start(two), await of.start(one)];
    expect(ids.map(({ status, member }) => [status, member.id])).toEqual([
      ['QUEUED', of.company.member.id],
      ['PENDING', of.company.member.id],
      ['PENDING', of.company.member.id],
    ]);
    const { token, runId } = (await of.claim())!;
    await of.drive('finishRun', token, { runId, outcome: 'done' });
    expect(
      await statuses(
        of,
        ids.map(({ id }) => id),
      ),
    ).toEqual(['FINISHED', 'QUEUED', 'PENDING']);
  });

  it('the holder with the fewest pending and active runs is chosen, then the lowest id', async () => {
    const of = await fresh();
    const { enterpriseId } = of.company;
    const { prisma } = kernel.db;
    const roleId = await addRole(prisma, kernel.now(), { enterpriseId, slug: 'flyer', name: 'Flyer' });
    const add = (name: string) =>
      addMember(prisma, kernel.now(), { enterpriseId, name, email: `${name}@kites.example`, persona: 'Flies.', roleIds: [roleId] });
    const members = [await add('first'), await add('second'), await add('third')];
    const task = await of.task({ role: 'flyer', maxConcurrency: 9 });
    const chosen = async () => members.indexOf((await of.start(task)).member.id);
    expect([await chosen(), await chosen(), await chosen(), await chosen(), await chosen()]).toEqual([0, 1, 2, 0, 1]);
    const third = (await kernel.db.prisma.run.findFirstOrThrow({ where: { memberId: members[1]!, status: 'PENDING' } })).id;
    await of.drive('cancelRun', of.company.apiToken, { runId: third });
    expect([await chosen(), await chosen()]).toEqual([1, 2]);
  });

  it('nobody does an OS-owned task, one without a role, or one whose role nobody holds', async () => {
    const of = await fresh();
    await addRole(kernel.db.prisma, kernel.now(), { enterpriseId: of.company.enterpriseId, slug: 'nobody', name: 'Nobody' });
    for (const told of [{ osOwned: true, role: 'maker' }, {}, { role: 'nobody' }]) {
      expect(await of.start(await of.task(told))).toMatchObject({ status: 'QUEUED', member: null });
    }
  });
});

describe('draining', () => {
  it('nothing is claimed or started, successors stay pending, and switched back all goes on', async () => {
    const of = await fresh();
    const { enterpriseId, apiToken } = of.company;
    const next = await of.task();
    const task = await of.task({ successors: [{ outcome: 'done', task: next }], maxConcurrency: 2 });
    const [, queued] = await started(of, task, 2);
    const { token, runId } = (await of.claim(task))!;
    await setDraining(kernel, enterpriseId, true);
    expect(await of.claim()).toBeNull();
    const start = 'mutation ($input: StartRunInput!) { startRun(input: $input) { id } }';
    expect(await of.refused(apiToken, start, { input: { task } })).toMatchObject({ code: 'os_draining' });
    expect(await of.drive('heartbeatRun', token, { runId })).toMatchObject({ status: 'RUNNING' });
    expect(await of.drive('finishRun', token, { runId, outcome: 'done' })).toMatchObject({ status: 'FINISHED' });
    const successor = await kernel.db.prisma.run.findFirstOrThrow({ where: { enterpriseId, id: { notIn: [runId, queued] } } });
    expect(successor.status).toBe('PENDING');
    await setDraining(kernel, enterpriseId, false);
    expect((await of.runOf(successor.id)).status).toBe('QUEUED');
    expect((await of.claim(task))!.runId).toBe(queued);
  });
});

describe('spending off', () => {
  it('pauses what is queued or would be; switched on, it is queued as it fits', async () => {
    const of = await fresh();
    const { enterpriseId } = of.company;
    const task = await of.task();
    const [first, second] = await started(of, task, 2);
    const { token, runId } = (await of.claim(task))!;
    const other = await started(of, await of.task(), 1);
    await setSpend(kernel, enterpriseId, false);
    expect(await statuses(of, [first, second, other[0]])).toEqual(['RUNNING', 'PENDING', 'PAUSED']);
    expect(await of.runOf(other[0])).toMatchObject({ blockClass: 'spend_off' });
    const late = await of.start(await of.task());
    expect(late.status).toBe('PAUSED');
    expect(await of.claim()).toBeNull();
    await of.drive('finishRun', token, { runId, outcome: 'done' });
    expect(await statuses(of, [second])).toEqual(['PAUSED']);
    await setSpend(kernel, enterpriseId, true);
    expect(await statuses(of, [second, other[0], late.id])).toEqual(['QUEUED', 'QUEUED', 'QUEUED']);
    expect(await of.runOf(second)).toMatchObject({ blockClass: null });
  });
});

describe('past its task’s spend limit', () => {
  const overspent = async (name: string, told: Record<string, unknown>) => {
    const task = await harness.task({ spendLimitCents: 100 });
    await harness.start(task);
    const { token, runId } = (await harness.claim(task))!;
    expect(await harness.drive('heartbeatRun', token, { runId, spentCents: 100 })).toMatchObject({ status: 'RUNNING' });
    const paused = await harness.drive(name, token, { runId, ...told });
    expect(paused).toMatchObject({
      ...{ status: 'PAUSED', blockClass: 'spend_limit', outcome: null, leaseExpiresAt: null },
      reason: 'The run has spent 101 cents; its task allows 100.',
    });
    return { task, token, runId };
  };

  it.each([
    ['heartbeatRun', { spentCents: 101 }],
    ['finishRun', { outcome: 'done', spentCents: 101 }],
  ])('%s pauses the run, until a person raises the limit', async (name, told) => {
    const { task, token, runId } = await overspent(name, told);
    expect(await harness.drive('heartbeatRun', token, { runId })).toMatchObject({ code: 'run_not_active', details: { status: 'PAUSED' } });
    await harness.task({ slug: task, spendLimitCents: 100, goal: 'As before.' });
    expect((await harness.runOf(runId)).status).toBe('PAUSED');
    await harness.task({ slug: task, spendLimitCents: 101 });
    expect(await harness.runOf(runId)).toMatchObject({ status: 'RUNNING', blockClass: null, reason: null, attempt: 1 });
    expect(await harness.drive('finishRun', token, { runId, outcome: 'done', spentCents: 101 })).toMatchObject({ status: 'FINISHED' });
  });

  it('a run whose slot was taken meanwhile waits for it, and is claimed anew', async () => {
    const { task, token, runId } = await overspent('heartbeatRun', { spentCents: 101 });
    await harness.start(task);
    const other = (await harness.claim(task))!;
    await harness.task({ slug: task });
    expect((await harness.runOf(runId)).status).toBe('PENDING');
    await harness.drive('finishRun', other.token, { runId: other.runId, outcome: 'done' });
    const again = (await harness.claim(task))!;
    expect([again.runId, again.attempt]).toEqual([runId, 2]);
    expect(await harness.refused(token, '{ viewer { kind } }')).toMatchObject({ code: 'unauthenticated' });
  });

  it('it can be cancelled', async () => {
    const { runId } = await overspent('heartbeatRun', { spentCents: 101 });
    expect(await harness.drive('cancelRun', harness.company.apiToken, { runId })).toMatchObject({ status: 'CANCELLED' });
  });
});
