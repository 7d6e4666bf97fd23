import { describe, expect, it } from 'vitest';
import { testApp } from '../../support/app.ts';
import { makeCompany } from '../../support/company.ts';
import { Harness, RUN } from '../../support/harness.ts';

const { kernel, url } = await testApp({ timing: { sweep: 3_600_000 } });
const company = await makeCompany(kernel);
const harness = new Harness(url, company);
const finish = ({ runId, token }: { runId: string; token: string }, outcome: string, output: unknown = {}) =>
  harness.drive('finishRun', token, { runId, outcome, output });
const ARCHIVE = 'mutation ($input: ArchiveTaskInput!) { archiveTask(input: $input) { slug } }';
const archive = (id: string) => harness.data(company.ceoSession, ARCHIVE, { input: { id } });

/** The other runs of the execution of this one, oldest first. */
async function followers(runId: string) {
  const { executionId } = await kernel.db.prisma.run.findFirstOrThrow({ where: { id: runId } });
  return kernel.db.prisma.run.findMany({ where: { executionId, id: { not: runId } }, orderBy: { id: 'asc' }, include: { task: true } });
}

describe('when a run finishes', () => {
  it('what its task names for the outcome starts in the same execution, its output merged over its input', async () => {
    const [one, two, other] = [await harness.task(), await harness.task(), await harness.task()];
    const successors = [
      { outcome: 'done', task: one },
      { outcome: 'done', task: two },
      { outcome: 'broken', task: other },
    ];
    const run = await harness.run({ successors }, { repo: 'kites', wind: { min: 3 }, stays: true });
    await finish(run, 'done', { wind: { max: 9 }, made: [1] });
    const next = await followers(run.runId);
    expect(next.map(({ task, status }) => [task.slug, status])).toEqual([
      [one, 'QUEUED'],
      [two, 'QUEUED'],
    ]);
    for (const { input } of next) expect(input).toEqual({ repo: 'kites', wind: { max: 9 }, stays: true, made: [1] });
  });

  it('sent again it starts nothing more', async () => {
    const run = await harness.run({ successors: [{ outcome: 'done', task: await harness.task() }] });
    await finish(run, 'done');
    await finish(run, 'done');
    expect(await followers(run.runId)).toHaveLength(1);
  });

  it('with an outcome that nothing follows, the pipeline has stopped; without any successors it has not', async () => {
    const stops = await harness.run({ successors: [{ outcome: 'done', task: await harness.task() }] });
    const ends = await harness.run();
    await finish(stops, 'other');
    await finish(ends, 'other');
    const stopped = async (id: string) => (await kernel.db.prisma.run.findFirstOrThrow({ where: { id } })).stopped;
    expect([await stopped(stops.runId), await stopped(ends.runId)]).toEqual([true, false]);
    expect(await followers(stops.runId)).toEqual([]);
  });

  it('a successor that is archived or lacks its input is created as failed, and the finish stands', async () => {
    const gone = await harness.task();
    const inputFields = [
      { name: 'wind', type: 'INTEGER' as const, required: true },
      { name: 'place', type: 'STRING' as const, required: true },
    ];
    const picky = await harness.task({ inputFields });
    const run = await harness.run({ successors: [gone, picky].map((task) => ({ outcome: 'done', task })) });
    await archive(gone);
    expect(await finish(run, 'done', { wind: 'strong' })).toMatchObject({ status: 'FINISHED', outcome: 'done' });
    expect(
      (await followers(run.runId)).map(({ status, failureCode, reason, finishedAt }) => [status, failureCode, reason, finishedAt !== null]),
    ).toEqual([
      ['FAILED', 'task_archived', `The task ${gone} is archived.`, true],
      ['FAILED', 'task_input_invalid', `The input of ${picky} lacks place and has an unfit wind.`, true],
    ]);
  });

  it('a task may follow itself', async () => {
    const slug = await harness.task();
    await harness.task({ slug, successors: [{ outcome: 'again', task: slug }] });
    const { id } = await harness.start(slug, { turn: 1 });
    const run = (await harness.claim(slug))!;
    await finish(run, 'again', { turn: 2 });
    expect((await harness.claim(slug))!.input).toEqual({ turn: 2 });
    expect(await followers(id)).toHaveLength(1);
  });

  it('failing, blocking and cancelling start nothing', async () => {
    const run = await harness.run({ successors: [{ outcome: 'done', task: await harness.task() }] });
    await harness.drive('failRun', run.token, { runId: run.runId, code: 'done', reason: 'y' });
    expect(await followers(run.runId)).toEqual([]);
  });
});

describe('context prefixes', () => {
  it('at its start a run gets what the shared context holds under them', async () => {
    const writer = await harness.run({ tools: ['os.set_context'] });
    const set = (key: string, value: unknown) => harness.call(writer.token, key, 'os.set_context', { key, value });
    for (const key of ['plan/1', 'plan/2', 'plans', 'wind%', 'wind_x', 'other']) await set(key, { of: key });
    const task = await harness.task({ contextPrefixes: ['plan/', 'wind%'] });
    await harness.start(task, { repo: 'kites' });
    await set('plan/3', null);
    const { input, runId } = (await harness.claim(task))!;
    const context = { 'plan/1': { of: 'plan/1' }, 'plan/2': { of: 'plan/2' }, 'plan/3': null, 'wind%': { of: 'wind%' } };
    expect(input).toEqual({ repo: 'kites', context });
    await set('plan/4', 4);
    expect((await harness.runOf(runId)).input).toEqual({ repo: 'kites', context });
  });

  it('nothing under them is an empty object, and without prefixes the input stays as it is', async () => {
    const task = await harness.task({ contextPrefixes: ['nothing/'] });
    await harness.start(task, { a: 1 });
    expect((await harness.claim(task))!.input).toEqual({ a: 1, context: {} });
    expect((await harness.run({}, { a: 1, context: 'mine' })).input).toEqual({ a: 1, context: 'mine' });
  });

  it('what a run got of the context is not passed on; a field of that name of its own is', async () => {
    const next = await harness.task({ maxConcurrency: 2 });
    const successors = [{ outcome: 'done', task: next }];
    await finish(await harness.run({ successors, contextPrefixes: ['nothing/'] }, { a: 1 }), 'done');
    expect((await harness.claim(next))!.input).toEqual({ a: 1 });
    await finish(await harness.run({ successors }, { a: 1, context: 'mine' }), 'done');
    expect((await harness.claim(next))!.input).toEqual({ a: 1, context: 'mine' });
  });
});

describe('startRun', () => {
  const START = `mutation ($input: StartRunInput!) { startRun(input: $input) { ${RUN} } }`;
  const start = async (input: Record<string, unknown>, token = company.apiToken) => (await harness.data(token, START, { input })).startRun;
  const refused = (input: Record<string, unknown>, token = company.apiToken) => harness.refused(token, START, { input });

  it('under the same key the same content is one run, whatever became of it', async () => {
    const task = await harness.task({ maxConcurrency: 9 });
    const first = await start({ task, input: { a: 1, b: 2 }, idempotencyKey: 'k-1' });
    const many = await Promise.all(Array.from({ length: 10 }, () => start({ task, input: { b: 2, a: 1 }, idempotencyKey: 'k-1' })));
    expect(new Set(many.map(({ id }) => id))).toEqual(new Set([first.id]));
    const once = await Promise.all(Array.from({ length: 10 }, () => start({ task, idempotencyKey: 'k-2' })));
    expect(new Set(once.map(({ id }) => id)).size).toBe(1);
    await harness.drive('cancelRun', company.apiToken, { runId: first.id });
    await archive(task);
    expect(await start({ task, input: { a: 1, b: 2 }, idempotencyKey: 'k-1' })).toMatchObject({ id: first.id, status: 'CANCELLED' });
  });

  it('other content under a key is refused', async () => {
    const [task, other] = [await harness.task(), await harness.task()];
    const { id } = await start({ task, idempotencyKey: 'k-3' });
    for (const input of [{ task, input: { a: 1 } }, { task: other }]) {
      expect(await refused({ ...input, idempotencyKey: 'k-3' })).toEqual({
        code: 'idempotency_key_reused',
        message: `The key "k-3" started run ${id} with other content. Use a new key for a new run.`,
      });
    }
  });

  it('takes a slug or an id, and finds only what the enterprise has', async () => {
    const task = await harness.task({ maxConcurrency: 2 });
    const { id } = await kernel.db.prisma.task.findFirstOrThrow({ where: { slug: task, enterpriseId: company.enterpriseId } });
    expect((await start({ task: id })).status).toBe('QUEUED');
    const stranger = await makeCompany(kernel, 'Test Soup');
    for (const name of [task, id, 'nothing']) expect(await refused({ task: name }, stranger.apiToken)).toMatchObject({ code: 'not_found' });
  });

  it('refuses an archived task, an unfit input, and whoever may not', async () => {
    const inputFields = [
      { name: 'wind', type: 'INTEGER' as const, required: true },
      { name: 'at', type: 'DATE_TIME' as const, required: false },
    ];
    const task = await harness.task({ inputFields });
    expect(await refused({ task, input: { at: 'noon' } })).toMatchObject({
      code: 'task_input_invalid',
      message: `The input does not fit the task ${task}: wind is missing, at has the wrong type.`,
      details: { missing: ['wind'], invalid: ['at'] },
    });
    expect(await refused({ task, input: [] })).toMatchObject({ code: 'invalid_arguments' });
    expect(await refused({ task, input: { wind: 1 } }, company.personSession)).toMatchObject({ code: 'not_allowed' });
    expect(await refused({ task, input: { wind: 1 } }, company.workerToken)).toMatchObject({
      code: 'scope_missing',
      details: { scope: 'runs:write' },
    });
    expect((await start({ task, input: { wind: 1, at: '2030-02-04T09:00:00Z', free: true } }, company.ceoSession)).status).toBe('QUEUED');
    await archive(task);
    expect(await refused({ task, input: { wind: 1 } })).toMatchObject({ code: 'task_archived' });
  });
});
