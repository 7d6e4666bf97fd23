import { describe, expect, it } from 'vitest';
import { setDraining, setSpend } from '../../../src/domain/company/switches.ts';
import { workOffBacklogs } from '../../../src/domain/run/work-off.ts';
import { testApp } from '../../support/app.ts';
import { makeCompany } from '../../support/company.ts';
import { Harness } from '../../support/harness.ts';
import { sentBy } from '../../support/statements.ts';

// No sweep: the test makes its turns.
const { kernel, url } = await testApp({ timing: { sweep: 3_600_000 } });
const { prisma } = kernel.db;
const fresh = async () => new Harness(url, await makeCompany(kernel));
const statuses = async (of: Harness, ids: string[]) => Promise.all(ids.map(async (id) => (await of.runOf(id)).status));
const archive = (of: Harness, id: string) =>
  of.data(of.company.ceoSession, 'mutation ($id: ID!) { archiveTask(input: { id: $id }) { slug } }', { id });

async function started(of: Harness, task: string, many: number) {
  const ids: string[] = [];
  for (let n = 0; n < many; n++) ids.push((await of.start(task)).id);
  return ids;
}

/** Copies of a run, made behind the service's back. */
const copies = (id: string, many: number) =>
  kernel.db.query({
    text: `INSERT INTO "Run" ("id", "enterpriseId", "taskId", "taskVersion", "executionId", "status", "input", "queuedAt", "blockClass", "spentCents")
      SELECT gen_random_uuid(), "enterpriseId", "taskId", "taskVersion", "executionId", "status", "input", "queuedAt", "blockClass", "spentCents"
      FROM "Run", generate_series(1, $2) WHERE "id" = $1`,
    values: [id, many],
  });

const counted = async ({ company: { enterpriseId } }: Harness) =>
  Object.fromEntries(
    (await prisma.run.groupBy({ by: ['status'], where: { enterpriseId }, _count: true })).map(({ status, _count }) => [status, _count]),
  );

describe('spending off', () => {
  it('what is paused keeps its slot and its place: what is behind it stays pending', async () => {
    const of = await fresh();
    const task = await of.task({ maxConcurrency: 2 });
    const ids = await started(of, task, 5);
    const { token, runId } = (await of.claim(task))!;
    await setSpend(kernel, of.company.enterpriseId, false);
    expect(await statuses(of, ids)).toEqual(['RUNNING', 'PAUSED', 'PENDING', 'PENDING', 'PENDING']);
    await of.drive('finishRun', token, { runId, outcome: 'done' });
    await workOffBacklogs(kernel);
    expect(await statuses(of, ids)).toEqual(['FINISHED', 'PAUSED', 'PAUSED', 'PENDING', 'PENDING']);
    await of.drive('cancelRun', of.company.apiToken, { runId: ids[1] });
    expect(await statuses(of, ids)).toEqual(['FINISHED', 'CANCELLED', 'PAUSED', 'PAUSED', 'PENDING']);
    await setSpend(kernel, of.company.enterpriseId, true);
    expect(await statuses(of, ids)).toEqual(['FINISHED', 'CANCELLED', 'QUEUED', 'QUEUED', 'PENDING']);
    expect([(await of.claim(task))!.runId, (await of.claim(task))!.runId]).toEqual([ids[2], ids[3]]);
  });

  it('a stalled run is not handed out again meanwhile', async () => {
    const of = await fresh();
    const { runId } = await of.run();
    await prisma.run.update({ where: { id: runId }, data: { leaseExpiresAt: new Date(0) } });
    await setSpend(kernel, of.company.enterpriseId, false);
    expect(await of.claim()).toBeNull();
    await setSpend(kernel, of.company.enterpriseId, true);
    expect((await of.claim())!.runId).toBe(runId);
  });

  it('more than one request takes the time for is left to the sweep; nothing is claimed before', async () => {
    const of = await fresh();
    const task = await of.task({ maxConcurrency: 1_000 });
    const [id] = await started(of, task, 1);
    await copies(id!, 2_500);
    await setSpend(kernel, of.company.enterpriseId, false);
    expect(await counted(of)).toEqual({ PAUSED: 2_000, QUEUED: 501 });
    expect(await of.claim()).toBeNull();
    await workOffBacklogs(kernel);
    expect(await counted(of)).toEqual({ PAUSED: 2_501 });
    await setSpend(kernel, of.company.enterpriseId, true);
    expect(await counted(of)).toEqual({ QUEUED: 2_000, PAUSED: 501 });
    await workOffBacklogs(kernel);
    expect(await counted(of)).toEqual({ QUEUED: 2_501 });
  });
});

describe('an archived task', () => {
  it('what waits for a worker fails, what runs goes on, and the member of what was queued has the next run', async () => {
    const of = await fresh();
    const [task, other] = [await of.task({ role: 'maker', maxConcurrency: 2 }), await of.task({ role: 'maker' })];
    const [queued, pending, next] = [...(await started(of, task, 2)), ...(await started(of, other, 1))];
    await archive(of, task);
    expect(await of.runOf(queued!)).toMatchObject({ status: 'FAILED', failureCode: 'task_archived', blockClass: null });
    expect(await statuses(of, [queued!, pending!, next!])).toEqual(['FAILED', 'FAILED', 'PENDING']);
    await workOffBacklogs(kernel);
    expect(await statuses(of, [next!])).toEqual(['QUEUED']);
    const failed = await prisma.event.findMany({ where: { runId: queued! }, orderBy: { number: 'asc' } });
    expect(failed.map(({ topic, kind }) => `${topic} ${kind}`)).toEqual(['RUN QUEUED', 'RUN FAILED', 'BLOCKER APPEARED']);
    const { runId, token } = (await of.claim())!;
    await archive(of, other);
    expect(await of.drive('finishRun', token, { runId, outcome: 'done' })).toMatchObject({ status: 'FINISHED' });
  });

  it('more than one request takes the time for is left to the sweep; claimRun passes it over meanwhile', async () => {
    const of = await fresh();
    const [task, other] = [await of.task({ maxConcurrency: 1_000 }), await of.task()];
    const [id] = await started(of, task, 1);
    await copies(id!, 2_200);
    const [mine] = await started(of, other, 1);
    await archive(of, task);
    expect(await counted(of)).toEqual({ FAILED: 2_000, QUEUED: 202 });
    expect((await of.claim())!.runId).toBe(mine);
    expect(await of.claim()).toBeNull();
    await workOffBacklogs(kernel);
    expect(await counted(of)).toEqual({ FAILED: 2_201, RUNNING: 1 });
  });
});

it('a raised spend limit lets very many runs go on, as far as they have room, and the sweep does the rest', async () => {
  const of = await fresh();
  const task = await of.task({ spendLimitCents: 10, maxConcurrency: 3 });
  const [id] = await started(of, task, 1);
  const { token } = (await of.claim(task))!;
  await of.drive('heartbeatRun', token, { runId: id, spentCents: 11 });
  await copies(id!, 2_100);
  await of.task({ slug: task, spendLimitCents: 11, maxConcurrency: 3 });
  expect(await counted(of)).toEqual({ RUNNING: 3, PENDING: 1_997, PAUSED: 101 });
  await workOffBacklogs(kernel);
  expect(await counted(of)).toEqual({ RUNNING: 3, PENDING: 2_098 });
});

it('that a task can take other work on is told of very many stopped runs in batches, once each, and the sweep does the rest', async () => {
  const of = await fresh();
  const { enterpriseId } = of.company;
  const [task, next] = [await of.task(), await of.task()];
  const [id] = await started(of, task, 1);
  const { token } = (await of.claim(task))!;
  await of.drive('failRun', token, { runId: id, code: 'x', reason: 'y' });
  await copies(id!, 2_100);
  const before = await prisma.eventCounter.findUniqueOrThrow({ where: { enterpriseId } });
  const told = async () => {
    const where = { enterpriseId, number: { gt: before.last }, topic: 'BLOCKER', kind: 'CHANGED' } as const;
    const runs = (await prisma.event.findMany({ where, select: { runId: true } })).map(({ runId }) => runId);
    return [runs.length, new Set(runs).size];
  };
  const toNext = { slug: task, successors: [{ outcome: 'done', task: next }] };
  const sent = await sentBy(() => of.task(toNext));
  expect(sent.filter((name) => name === 'lock_untold_moves')).toHaveLength(20);
  expect(await told()).toEqual([2_000, 2_000]);
  await workOffBacklogs(kernel);
  expect(await told()).toEqual([2_101, 2_101]);
  await workOffBacklogs(kernel);
  await of.task(toNext);
  expect(await told()).toEqual([2_101, 2_101]);
});

it('draining off queues what fits of very many', async () => {
  const of = await fresh();
  const tasks = [await of.task({ maxConcurrency: 2 }), await of.task({ maxConcurrency: 1 })];
  const ids = [...(await started(of, tasks[0]!, 4)), ...(await started(of, tasks[1]!, 3))];
  await setDraining(kernel, of.company.enterpriseId, true);
  for (const id of ids) await of.drive('cancelRun', of.company.apiToken, { runId: id });
  await prisma.run.updateMany({ where: { id: { in: ids } }, data: { status: 'PENDING', finishedAt: null } });
  await workOffBacklogs(kernel);
  expect(await counted(of)).toEqual({ PENDING: 7 });
  await setDraining(kernel, of.company.enterpriseId, false);
  expect(await counted(of)).toEqual({ QUEUED: 3, PENDING: 4 });
});

describe('what is done under the counter', () => {
  const behindLock = (sent: string[]) => sent.slice(sent.indexOf('lock_schedule'), sent.indexOf('COMMIT') + 1);

  it('goes out in one write with its lock, and nothing but events, marks and COMMIT after it', async () => {
    const of = await fresh();
    const next = await of.task();
    const task = await of.task({ successors: [{ outcome: 'done', task: next }] });
    const issue = { repo: 'kites', issue: 7 };
    expect(behindLock(await sentBy(() => of.start(task, issue)))).toEqual([
      ...['lock_schedule', 'promote_pending_run'],
      ...['lock_schedule', 'issue_in_flight', 'insert_events', 'COMMIT'],
    ]);
    const { runId, token } = (await of.claim(task))!;
    expect(behindLock(await sentBy(() => of.drive('finishRun', token, { runId, outcome: 'done' })))).toEqual([
      ...['lock_schedule', 'promote_pending_run', 'promote_pending_run', 'promote_pending_run'],
      ...['lock_schedule', 'change_issue_mark', 'lock_schedule', 'issue_in_flight', 'insert_events', 'COMMIT'],
    ]);
  });

  it('a claim takes it with its events alone', async () => {
    const of = await fresh();
    await started(of, await of.task(), 1);
    const sent = await sentBy(() => of.data(of.company.workerToken, CLAIM_ID, { input: { worker: 'w' } }));
    expect(sent.filter((name) => ['lock_schedule', 'insert_events', 'COMMIT'].includes(name))).toEqual(['insert_events', 'COMMIT']);
  });
});

const CLAIM_ID = 'mutation ($input: ClaimRunInput!) { claimRun(input: $input) { run { id } } }';

it('what a run was given is read by whoever asks for it, and by nobody else', async () => {
  const of = await fresh();
  const task = await of.task({ maxConcurrency: 2 });
  await of.start(task, { wind: 5 });
  const reads = async (work: () => Promise<unknown>) => (await sentBy(work)).filter((name) => name === 'run_content').length;
  const claim = (selection: string) =>
    of.data(of.company.workerToken, `mutation { claimRun(input: { worker: "w" }) { run { ${selection} } } }`);
  let claimed: any;
  expect(await reads(async () => (claimed = await claim('id attempt status')))).toBe(0);
  const beat = (selection: string) =>
    of.data(of.company.workerToken, `mutation ($input: HeartbeatRunInput!) { heartbeatRun(input: $input) { ${selection} } }`, {
      input: { runId: claimed.claimRun.run.id, attempt: 1 },
    });
  expect(await reads(() => beat('id leaseExpiresAt'))).toBe(0);
  expect((await beat('input output')).heartbeatRun).toEqual({ input: { wind: 5 }, output: null });
});
