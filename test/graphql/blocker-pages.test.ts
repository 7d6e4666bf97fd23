import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeClock } from '../support/clock.ts';
import { makeCompany } from '../support/company.ts';
import { copyRun, copyTask } from '../support/copies.ts';
import { Harness } from '../support/harness.ts';

const clock = makeClock();
const { kernel, url } = await testApp({ additions: { now: clock.now } });
const { prisma } = kernel.db;

const ROW = `run { id status task { slug } } sections reason blockClass since taskRetries lead { name } escalation { to note member { name } person { name } at }
  moves { kind possible reason targets } outcomeUnknown { toolCallId status }`;
const BLOCKERS = `query ($page: Int) { blockers(failedPage: $page) { runs { ${ROW} } failedTotal failedPage pageSize
  stoppedPipelines { runId executionId task outcome since } missingModelTiers { tier tasks } exhaustedLlmCapacity { tier until }
  taskDefinitionProblems { task code field } missingLead { slug } missingMetric { task name }
  overdueRetro { team { slug } everyDays lastAt dueAt } kpiHealth { condition } spendEnabled draining } }`;

const fresh = async () => new Harness(url, await makeCompany(kernel));
const read = async (harness: Harness, page?: number) => (await harness.data(harness.company.ceoSession, BLOCKERS, { page })).blockers;

async function failed(harness: Harness, told = {}) {
  const run = await harness.run(told);
  await harness.drive('failRun', run.token, { runId: run.runId, code: 'no_wind', reason: 'There was no wind.' });
  return run.runId;
}

describe('pages of blockers', () => {
  it('failed runs come in pages of 50; what else stopped is on each', async () => {
    const harness = await fresh();
    const first = await failed(harness);
    const { enterpriseId } = harness.company;
    const row = await prisma.run.findUniqueOrThrow({ where: { id: first } });
    const copy = (minutes: number) => ({
      ...{ id: v7(), enterpriseId, taskId: row.taskId, taskVersion: 1, executionId: row.executionId, status: 'FAILED' as const, input: {} },
      ...{ createdAt: row.createdAt, finishedAt: new Date(row.finishedAt!.getTime() + minutes * 60_000), failureCode: 'x' },
    });
    const others = Array.from({ length: 59 }, (_, index) => copy(index + 1));
    await prisma.run.createMany({ data: others });
    const blocked = await harness.run();
    await harness.drive('blockRun', blocked.token, { runId: blocked.runId, blockClass: 'x', reason: 'x' });
    const ids = (page: any) => page.runs.map(({ run }: any) => run.id).filter((id: string) => id !== blocked.runId);
    const [one, two, three] = [await read(harness, 1), await read(harness, 2), await read(harness, 3)];
    expect(ids(one)).toEqual([first, ...others.slice(0, 49).map(({ id }) => id)]);
    expect(ids(two)).toEqual(others.slice(49).map(({ id }) => id));
    expect(ids(three)).toEqual([]);
    expect([one, two, three].map((page) => [page.runs.length, page.failedTotal, page.failedPage])).toEqual([
      [51, 60, 1],
      [11, 60, 2],
      [1, 60, 3],
    ]);
    const bad = await harness.refused(harness.company.ceoSession, BLOCKERS, { page: 0 });
    expect(bad.code).toBe('invalid_arguments');
  });

  it('5,002 stopped runs come in pages of at most 200, none twice, whatever leaves meanwhile', async () => {
    const harness = await fresh();
    const { enterpriseId, ceoSession } = harness.company;
    const first = await failed(harness);
    const blocked = await harness.run();
    await harness.drive('blockRun', blocked.token, { runId: blocked.runId, blockClass: 'x', reason: 'x' });
    await copyRun(kernel.db, blocked.runId, 5_000, `'{"status": "PAUSED"}'`);
    const expected = await prisma.run.findMany({
      where: { enterpriseId, status: 'PAUSED' },
      orderBy: [{ haltedAt: 'asc' }],
      select: { id: true },
    });
    const all = [first, blocked.runId].sort().concat(expected.map(({ id }) => id));
    const shown = async (query: string, variables = {}) => (await harness.data(ceoSession, query, variables)).blockers;
    const ids = (rows: any[]) => rows.map(({ run }) => run.id);
    expect(ids((await shown('{ blockers { runs { run { id } } } }')).runs)).toEqual(all.slice(0, 100));
    expect(ids((await shown('{ blockers { runs(first: 200) { run { id } } } }')).runs)).toEqual(all.slice(0, 200));
    expect(await harness.refused(ceoSession, '{ blockers { runs(first: 201) { reason } } }')).toMatchObject({ code: 'invalid_arguments' });
    const PAGE = `query ($after: String) { blockers { stoppedRuns(first: 200, after: $after) {
      nodes { run { id } } totalCount pageInfo { hasNextPage endCursor } } } }`;
    const found: string[] = [];
    for (let after = null, next = true; next; ) {
      const { stoppedRuns } = await shown(PAGE, { after });
      expect(stoppedRuns.totalCount).toBe(5_002 - (after ? 1 : 0));
      found.push(...ids(stoppedRuns.nodes));
      if (!after) await prisma.run.update({ where: { id: all[199]! }, data: { clearedAt: clock.now() } });
      ({ hasNextPage: next, endCursor: after } = stoppedRuns.pageInfo);
    }
    expect(found).toEqual(all);
    for (const after of ['x', Buffer.from('2026-01-01T00:00:00.000Z x').toString('base64url')]) {
      expect(await harness.refused(ceoSession, PAGE, { after })).toMatchObject({ code: 'invalid_arguments' });
    }
  });

  it('the other sections come in pages of 200', async () => {
    const harness = await fresh();
    const { enterpriseId, ceoSession } = harness.company;
    await copyTask(kernel.db, enterpriseId, await harness.task({ slug: 'a-task' }), 250, `'{"tools": ["os.gone"]}'`);
    const stop = await harness.run({ metric: 'One.', successors: [{ outcome: 'done', task: 'a-task' }] });
    await harness.drive('finishRun', stop.token, { runId: stop.runId, outcome: 'lost' });
    await copyRun(kernel.db, stop.runId, 250);
    const query = `query ($page: Int) { blockers { missingMetric(page: $page) { task } taskDefinitionProblems(page: $page) { task }
      stoppedPipelines(page: $page) { runId } missingModelTiers(page: $page) { tier } kpiHealth(page: $page) { kpi } } }`;
    const pages = [];
    for (const page of [1, 2, 3]) pages.push((await harness.data(ceoSession, query, { page })).blockers);
    const lengths = pages.map((page) => [page.missingMetric.length, page.taskDefinitionProblems.length, page.stoppedPipelines.length]);
    expect(lengths).toEqual([
      [200, 200, 200],
      [51, 50, 51],
      [0, 0, 0],
    ]);
    const slugs = ['a-task', ...Array.from({ length: 250 }, (_, index) => `copy-${String(index + 1).padStart(4, '0')}`)];
    expect(pages.flatMap(({ missingMetric }) => missingMetric.map(({ task }: any) => task))).toEqual(slugs);
    expect(new Set(pages.flatMap(({ stoppedPipelines }) => stoppedPipelines.map(({ runId }: any) => runId))).size).toBe(251);
    expect(await harness.refused(ceoSession, query, { page: 0 })).toMatchObject({ code: 'invalid_arguments' });
  });
});
