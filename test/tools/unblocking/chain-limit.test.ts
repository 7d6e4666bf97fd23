import { describe, expect, it } from 'vitest';
import { TOOLS, unblockingStage } from './stage.ts';

const { kernel, prisma, company, harness, call, rowOf, end, stopped, claimAgain } = await unblockingStage();

describe('the limit of three', () => {
  it('counts retries and routes by runs over the whole chain, and no person', async () => {
    const successor = await harness.task();
    let { runId } = await stopped('fail', {}, { successors: [{ outcome: 'done', task: successor }] });
    const first = runId;
    for (const taskRetries of [1, 2]) {
      expect((await call('os.retry_run', { runId, note: 'x' })).result.taskRetries).toBe(taskRetries);
      runId = (await end(await claimAgain(runId), 'fail')).runId;
    }
    const asPerson = await harness.drive('retryRun', company.ceoSession, { runId, note: 'x' });
    await end(await claimAgain(runId), 'fail');
    runId = asPerson.id;
    const routed = await call('os.route_run', { runId, task: successor, note: 'Take over.' });
    expect(routed.result).toMatchObject({ task: successor, taskRetries: 3 });
    await end((await harness.claim(successor))!, 'block');
    runId = routed.result.routedRunId;
    const refused = await call('os.retry_run', { runId, note: 'x' });
    expect(refused.error).toMatchObject({ code: 'retry_limit_reached', handling: 'TOOL_ERROR', details: { taskRetries: 3, allowed: 3 } });
    expect((await call('os.route_run', { runId, task: successor, note: 'x' })).error?.code).toBe('retry_limit_reached');
    expect((await rowOf(first)).taskMoves).toBe(3);
    expect(await harness.drive('retryRun', company.ceoSession, { runId, note: 'x' })).toMatchObject({ status: 'QUEUED' });
  });

  it('holds when ten runs call twenty times at once: each stopped run is moved once, and the chain three times', async () => {
    const helpers = await Promise.all(Array.from({ length: 10 }, () => harness.run({ tools: TOOLS })));
    const targets = [await harness.task(), await harness.task()] as const;
    const told = { successors: [{ outcome: 'done', task: targets[0] }] };
    for (const [index, slug] of targets.entries())
      await harness.task({ slug, successors: [{ outcome: 'done', task: targets[1 - index]! }] });
    const first = (await stopped('fail', {}, told)).runId;
    const others: (string | undefined)[] = [];
    let runId = first;
    for (let round = 1; round <= 4; round++) {
      const tasks = await prisma.run.findUniqueOrThrow({ where: { id: runId }, include: { task: true } });
      const task = targets.find((slug) => slug !== tasks.task.slug)!;
      const answers = await Promise.all(
        [...helpers, ...helpers].map(({ token }, index) =>
          index % 2 === 0 ? call('os.retry_run', { runId, note: 'x' }, token) : call('os.route_run', { runId, task, note: 'x' }, token),
        ),
      );
      const won = answers.flatMap(({ result }) => (result ? [result.retryRunId ?? result.routedRunId] : []));
      expect(won).toHaveLength(round === 4 ? 0 : 1);
      others.push(...answers.map(({ error }) => error?.code));
      runId = won[0] ?? runId;
      await prisma.run.update({ where: { id: runId }, data: { status: 'FAILED', finishedAt: kernel.now(), queuedAt: null } });
    }
    const count = (code: string) => others.filter((one) => one === code).length;
    expect([count('run_not_on_blockers'), count('retry_limit_reached')]).toEqual([57, 20]);
    expect([await prisma.run.count({ where: { chainId: first } }), (await rowOf(first)).taskMoves]).toEqual([3, 3]);
  });
});
