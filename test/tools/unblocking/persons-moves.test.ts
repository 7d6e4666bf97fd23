import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { unblockingStage } from './stage.ts';

const { prisma, company, harness, helper, call, end, stopped, claimAgain } = await unblockingStage();

describe('a person’s moves', () => {
  it('answer the run, keep the scopes, and are audited', async () => {
    const successor = await harness.task();
    const told = { successors: [{ outcome: 'done', task: successor }] };
    const [a, b, c] = [await stopped('fail', {}, told), await stopped('fail', {}, told), await stopped('block', {}, told)];
    const note = 'Because.';
    expect((await harness.drive('retryRun', company.personSession, { runId: a.runId, note })).code).toBe('not_allowed');
    expect((await harness.drive('retryRun', company.workerToken, { runId: a.runId, note })).code).toBe('scope_missing');
    expect((await harness.drive('retryRun', helper.token, { runId: a.runId, note })).code).toBe('not_allowed');
    const retried = await harness.drive('retryRun', company.ceoSession, { runId: a.runId, note });
    const routed = await harness.drive('routeRun', company.apiToken, { runId: b.runId, task: successor, note });
    expect(await harness.drive('clearRun', company.ceoSession, { runId: c.runId, note })).toMatchObject({
      id: c.runId,
      status: 'CANCELLED',
    });
    const { runId } = await stopped('fail');
    await harness.drive('escalateRun', company.ceoSession, { runId, to: 'CEO', note });
    await harness.drive('escalateRun', company.ceoSession, { runId, to: 'CEO', note });
    const subjects = [a, b, c, { runId }].map((one) => one.runId);
    const entries = await prisma.auditEntry.findMany({ where: { subjectId: { in: subjects } }, orderBy: { id: 'asc' } });
    expect(entries.map(({ action, subjectId, via, personId, details }) => ({ action, subjectId, via, personId, details }))).toEqual([
      { action: 'run.retried', subjectId: a.runId, via: 'session', personId: company.ceo.id, details: { note, retryRunId: retried.id } },
      {
        action: 'run.routed',
        subjectId: b.runId,
        via: 'token all',
        personId: company.ceo.id,
        details: { note, task: successor, routedRunId: routed.id },
      },
      { action: 'run.cleared', subjectId: c.runId, via: 'session', personId: company.ceo.id, details: { note, status: 'CANCELLED' } },
      {
        action: 'run.escalated',
        subjectId: runId,
        via: 'session',
        personId: company.ceo.id,
        details: { note, to: 'CEO', ownerId: company.ceo.id },
      },
    ]);
    const read = await harness.data(
      company.ceoSession,
      'query ($a: ID!, $b: ID!, $c: ID!) { a: run(id: $a) { retriedFrom { id } escalation { to } } b: run(id: $b) { routedFrom { id } } c: run(id: $c) { escalation { to note member { id } person { name } } } }',
      {
        ...{ a: retried.id, b: routed.id, c: runId },
      },
    );
    expect(read).toEqual({
      a: { retriedFrom: { id: a.runId }, escalation: null },
      b: { routedFrom: { id: b.runId } },
      c: { escalation: { to: 'CEO', note, member: null, person: { name: company.ceo.name } } },
    });
  });

  it('errors carry the code and its handling', async () => {
    const { runId } = await harness.run();
    expect(await harness.drive('clearRun', company.ceoSession, { runId, note: 'x' })).toMatchObject({
      code: 'run_not_on_blockers',
      handling: 'TOOL_ERROR',
    });
    expect((await harness.drive('clearRun', company.ceoSession, { runId: v7(), note: 'x' })).code).toBe('not_found');
    expect((await harness.drive('clearRun', company.ceoSession, { runId, note: ' ' })).code).toBe('invalid_arguments');
  });
});

describe('issue marks', () => {
  const mark = (number: number) =>
    prisma.issueMark.findUnique({
      where: { enterpriseId_repo_number: { enterpriseId: company.enterpriseId, repo: 'kites/marks', number } },
    });
  const state = async (number: number) => {
    const found = await mark(number);
    return found && [found.state, found.runId];
  };

  it('in flight while a run is under way, blocked when it blocks, in flight again on retry, idle at the end', async () => {
    const run = await harness.run({}, { repo: 'kites/marks', issue: 1 });
    expect(await state(1)).toEqual(['IN_FLIGHT', run.runId]);
    await end(run, 'block');
    expect(await state(1)).toEqual(['BLOCKED', run.runId]);
    await call('os.retry_run', { runId: run.runId, note: 'x' });
    const again = await claimAgain(run.runId);
    expect(await state(1)).toEqual(['IN_FLIGHT', again.runId]);
    await harness.drive('finishRun', again.token, { runId: again.runId, outcome: 'done' });
    expect(await state(1)).toEqual(['IDLE', again.runId]);
  });

  it('clear lifts the block, unless a newer run works on the issue', async () => {
    const run = await stopped('block', { repo: 'kites/marks', number: '2' });
    await call('os.clear_run', { runId: run.runId, note: 'x' });
    expect(await state(2)).toEqual(['IDLE', run.runId]);
    const older = await stopped('block', { repo: 'kites/marks', issue: 3 });
    const newer = await stopped('block', { repo: 'kites/marks', issue: 3 });
    await call('os.clear_run', { runId: older.runId, note: 'x' });
    expect(await state(3)).toEqual(['BLOCKED', newer.runId]);
  });
});
