import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { makeCompany } from '../../support/company.ts';
import { Harness } from '../../support/harness.ts';
import { unblockingStage } from './stage.ts';

const { kernel, url, prisma, company, harness, helper, call, rowOf, end, stopped, claimAgain } = await unblockingStage();

describe('os.retry_run', () => {
  it('starts the same task with the same input in the same execution', async () => {
    const { runId } = await stopped('fail', { kite: 'red' });
    const answer = await call('os.retry_run', { runId, note: 'The wind is back.' });
    const next = await prisma.run.findFirstOrThrow({ where: { retriedFromId: runId } });
    expect(answer.result).toEqual({ runId, retryRunId: next.id, status: 'queued', taskRetries: 1 });
    const old = await rowOf(runId);
    expect({ ...old, movedOnAt: old.movedOnAt !== null }).toMatchObject({
      ...{ status: 'FAILED', movedOnAt: true, clearedAt: null, moveNote: 'The wind is back.', taskMoves: 1 },
    });
    expect(next).toMatchObject({
      taskId: old.taskId,
      input: { kite: 'red' },
      executionId: old.executionId,
      chainId: runId,
      status: 'QUEUED',
    });
  });

  it('takes the latest version of the task, and answers pending behind another run', async () => {
    const task = await harness.task();
    await harness.start(task);
    const run = (await harness.claim(task))!;
    await end(run, 'fail');
    await harness.task({ slug: task, goal: 'Better kites.' });
    await harness.start(task);
    const { result } = await call('os.retry_run', { runId: run.runId, note: 'Again.' });
    expect(result).toMatchObject({ status: 'pending', taskRetries: 1 });
    expect(await rowOf(result.retryRunId)).toMatchObject({ taskVersion: 2, status: 'PENDING' });
  });

  it('ends a blocked run as cancelled, which keeps what blocked it', async () => {
    const { runId } = await stopped('block');
    await call('os.retry_run', { runId, note: 'Red.' });
    expect(await rowOf(runId)).toMatchObject({ status: 'CANCELLED', reason: 'Which colour?', blockClass: 'question', moveNote: 'Red.' });
  });

  it('tells the new run of calls that may have happened, and adds them to those of earlier runs', async () => {
    const run = await harness.run({}, { kite: 'blue' });
    const at = new Date();
    const row = { enterpriseId: company.enterpriseId, tool: 'web.request', contentHash: '', createdAt: at };
    const add = (runId: string, toolCallId: string) =>
      prisma.toolCall.create({
        data: { ...row, id: v7(), runId, toolCallId, boundId: toolCallId, arguments: { n: toolCallId }, status: 'OUTCOME_UNKNOWN' },
      });
    await add(run.runId, 'u-1');
    await end(run, 'fail');
    const first = await call('os.retry_run', { runId: run.runId, note: 'Again.' });
    const unknown = (id: string) => ({ toolCallId: id, tool: 'web.request', arguments: { n: id } });
    const again = await claimAgain(run.runId);
    expect(again.input).toEqual({ kite: 'blue', unknownOutcomes: [unknown('u-1')] });
    await add(first.result.retryRunId, 'u-2');
    await end(again, 'fail');
    const second = await call('os.retry_run', { runId: again.runId, note: 'Again.' });
    expect((await rowOf(second.result.retryRunId)).input).toEqual({ kite: 'blue', unknownOutcomes: [unknown('u-1'), unknown('u-2')] });
  });

  it('the same call answers the same; a new one is refused, as the run is settled', async () => {
    const { runId } = await stopped('fail');
    const args = { runId, note: 'Again.' };
    const first = await harness.call(helper.token, 'same-retry', 'os.retry_run', args);
    expect(await harness.call(helper.token, 'same-retry', 'os.retry_run', args)).toEqual(first);
    const second = await call('os.retry_run', args);
    expect(second.error).toEqual({
      code: 'run_not_on_blockers',
      message: `The run ${runId} was retried or routed: it does not stand on Blockers. os.list_blockers lists the runs that can be moved, each with its \`runId\`.`,
      handling: 'TOOL_ERROR',
      details: { status: 'FAILED' },
    });
    expect(await prisma.run.count({ where: { retriedFromId: runId } })).toBe(1);
  });

  it('refuses runs that go on, that are stalled, paused or cancelled, and a task that is archived', async () => {
    const running = await harness.run();
    expect((await call('os.retry_run', { runId: running.runId, note: 'x' })).error).toMatchObject({
      code: 'run_not_on_blockers',
      details: { status: 'RUNNING' },
    });
    await prisma.run.update({ where: { id: running.runId }, data: { stalledAt: new Date() } });
    expect((await call('os.retry_run', { runId: running.runId, note: 'x' })).error).toMatchObject({
      code: 'run_not_on_blockers',
      details: { status: 'RUNNING' },
    });
    const task = await harness.task({ spendLimitCents: 5 });
    await harness.start(task);
    const paused = (await harness.claim(task))!;
    await harness.drive('heartbeatRun', paused.token, { runId: paused.runId, spentCents: 6 });
    for (const tool of ['os.retry_run', 'os.clear_run']) {
      expect((await call(tool, { runId: paused.runId, note: 'x' })).error).toMatchObject({
        code: 'run_not_on_blockers',
        details: { status: 'PAUSED' },
      });
    }
    await harness.drive('cancelRun', company.ceoSession, { runId: paused.runId });
    expect((await call('os.retry_run', { runId: paused.runId, note: 'x' })).error).toMatchObject({
      code: 'run_not_on_blockers',
      details: { status: 'CANCELLED' },
    });
    const { runId } = await stopped('fail');
    await prisma.task.update({ where: { id: (await rowOf(runId)).taskId }, data: { archivedAt: new Date() } });
    expect((await call('os.retry_run', { runId, note: 'x' })).error).toMatchObject({ code: 'task_archived', handling: 'TOOL_ERROR' });
  });

  it('refuses an input that the task no longer takes', async () => {
    const task = await harness.task();
    await harness.start(task);
    const run = await end((await harness.claim(task))!, 'fail');
    await harness.task({ slug: task, inputFields: [{ name: 'kite', type: 'STRING', required: true }] });
    expect((await call('os.retry_run', { runId: run.runId, note: 'x' })).error).toMatchObject({
      code: 'task_input_invalid',
      details: { missing: ['kite'], invalid: [] },
    });
  });

  it('foreign runs, unknown runs and what is no id', async () => {
    const other = new Harness(url, await makeCompany(kernel, 'Other Kites'));
    const foreign = await other.run();
    await other.drive('failRun', foreign.token, { runId: foreign.runId, code: 'x', reason: 'x' });
    for (const tool of ['os.retry_run', 'os.clear_run']) {
      for (const runId of [foreign.runId, v7()]) {
        expect((await call(tool, { runId, note: 'x' })).error).toMatchObject({
          code: 'not_found',
          message: `There is no run "${runId}" in this enterprise. os.list_blockers lists the runs that can be moved, each with its \`runId\`.`,
        });
      }
      expect((await call(tool, { runId: 'nonsense', note: ' ' })).error).toMatchObject({
        code: 'invalid_arguments',
        details: {
          issues: [{ path: 'runId' }, { path: 'note', message: expect.stringMatching(/^must not be blank; sent was the text " "/) }],
        },
      });
    }
  });
});
