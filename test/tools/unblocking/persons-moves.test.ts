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

  it('each escalation stays on the record', async () => {
    const { runId } = await stopped('fail');
    await harness.drive('escalateRun', company.ceoSession, { runId, to: 'CEO', note: 'First.' });
    await harness.drive('escalateRun', company.ceoSession, { runId, to: 'CEO', note: 'The same again.' });
    const lead = await prisma.member.findFirstOrThrow({ where: { id: company.member.id } });
    await prisma.escalation.create({
      data: {
        ...{ id: v7(), enterpriseId: company.enterpriseId, runId, to: 'LEAD', memberId: lead.id },
        ...{ note: 'Before.', at: new Date(0) },
      },
    });
    const query =
      'query ($id: ID!) { run(id: $id) { escalation { note person { name } } escalations { to note member { name } person { name } } } }';
    expect((await harness.data(company.ceoSession, query, { id: runId })).run).toEqual({
      escalation: { note: 'First.', person: { name: company.ceo.name } },
      escalations: [
        { to: 'CEO', note: 'First.', member: null, person: { name: company.ceo.name } },
        { to: 'LEAD', note: 'Before.', member: { name: lead.name }, person: null },
      ],
    });
    expect(
      (await harness.data(company.ceoSession, '{ blockers { runs { run { id } escalation { note } } } }')).blockers.runs,
    ).toContainEqual({
      run: { id: runId },
      escalation: { note: 'First.' },
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

it('the moves of runs are audited like those of persons, under the run', async () => {
  const successor = await harness.task();
  const told = { successors: [{ outcome: 'done', task: successor }] };
  const [a, b, c] = [await stopped('fail', {}, told), await stopped('fail', {}, told), await stopped('block', {}, told)];
  const note = 'Because.';
  const retried = (await call('os.retry_run', { runId: a.runId, note })).result;
  const routed = (await call('os.route_run', { runId: b.runId, task: successor, note })).result;
  await call('os.escalate_run', { runId: c.runId, to: 'ceo', note });
  await call('os.clear_run', { runId: c.runId, note });
  const subjects = [a, b, c].map(({ runId }) => runId);
  const entries = await prisma.auditEntry.findMany({ where: { subjectId: { in: subjects } }, orderBy: { id: 'asc' } });
  const by = { via: `run ${helper.runId}`, personId: null };
  expect(entries.map(({ action, subjectId, via, personId, details }) => ({ action, subjectId, via, personId, details }))).toEqual([
    { action: 'run.retried', subjectId: a.runId, ...by, details: { note, retryRunId: retried.retryRunId } },
    { action: 'run.routed', subjectId: b.runId, ...by, details: { note, task: successor, routedRunId: routed.routedRunId } },
    { action: 'run.escalated', subjectId: c.runId, ...by, details: { note, to: 'CEO', ownerId: company.ceo.id } },
    { action: 'run.cleared', subjectId: c.runId, ...by, details: { note, status: 'CANCELLED' } },
  ]);
});
