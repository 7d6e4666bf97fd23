import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { testApp } from '../../support/app.ts';
import { makeCompany } from '../../support/company.ts';
import { type Claimed, Harness } from '../../support/harness.ts';

const { kernel, url } = await testApp();
const { prisma } = kernel.db;
const TOOLS = ['os.retry_run', 'os.route_run', 'os.clear_run', 'os.escalate_run', 'os.set_context', 'os.list_blockers'];

const company = await makeCompany(kernel);
const harness = new Harness(url, company);
const helper = await harness.run({ tools: TOOLS });

let calls = 0;
const call = (tool: string, args: unknown, token = helper.token) => harness.call(token, `c-${++calls}`, tool, args);
const rowOf = (id: string) => prisma.run.findUniqueOrThrow({ where: { id } });

async function end(run: Claimed, how: 'fail' | 'block' | 'stop'): Promise<Claimed> {
  const { runId, token } = run;
  if (how === 'fail') await harness.drive('failRun', token, { runId, code: 'no_wind', reason: 'There was no wind.' });
  if (how === 'block') await harness.drive('blockRun', token, { runId, blockClass: 'question', reason: 'Which colour?' });
  if (how === 'stop') await harness.drive('finishRun', token, { runId, outcome: 'nobody_knows' });
  return run;
}

const stopped = async (how: 'fail' | 'block' | 'stop', input: unknown = {}, told = {}) => end(await harness.run(told, input), how);

/** Claims the run that took a stopped one's work on. */
async function claimAgain(runId: string): Promise<Claimed> {
  const { task } = await prisma.run.findUniqueOrThrow({ where: { id: runId }, include: { task: true } });
  return (await harness.claim(task.slug))!;
}

describe('os.retry_run', () => {
  test('starts the same task with the same input in the same execution', async () => {
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

  test('takes the latest version of the task, and answers pending behind another run', async () => {
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

  test('ends a blocked run as cancelled, which keeps what blocked it', async () => {
    const { runId } = await stopped('block');
    await call('os.retry_run', { runId, note: 'Red.' });
    expect(await rowOf(runId)).toMatchObject({ status: 'CANCELLED', reason: 'Which colour?', blockClass: 'question', moveNote: 'Red.' });
  });

  test('tells the new run of calls that may have happened, and adds them to those of earlier runs', async () => {
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

  test('the same call answers the same; a new one is refused, as the run is settled', async () => {
    const { runId } = await stopped('fail');
    const args = { runId, note: 'Again.' };
    const first = await harness.call(helper.token, 'same-retry', 'os.retry_run', args);
    expect(await harness.call(helper.token, 'same-retry', 'os.retry_run', args)).toEqual(first);
    const second = await call('os.retry_run', args);
    expect(second.error).toEqual({
      code: 'run_not_on_blockers',
      message: `The run ${runId} was retried or routed: it does not stand on Blockers.`,
      handling: 'TOOL_ERROR',
      details: { status: 'FAILED' },
    });
    expect(await prisma.run.count({ where: { retriedFromId: runId } })).toBe(1);
  });

  test('refuses runs that go on, that are stalled, paused or cancelled, and a task that is archived', async () => {
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

  test('refuses an input that the task no longer takes', async () => {
    const task = await harness.task();
    await harness.start(task);
    const run = await end((await harness.claim(task))!, 'fail');
    await harness.task({ slug: task, inputFields: [{ name: 'kite', type: 'STRING', required: true }] });
    expect((await call('os.retry_run', { runId: run.runId, note: 'x' })).error).toMatchObject({
      code: 'task_input_invalid',
      details: { missing: ['kite'], invalid: [] },
    });
  });

  test('foreign runs, unknown runs and what is no id', async () => {
    const other = new Harness(url, await makeCompany(kernel, 'Other Kites'));
    const foreign = await other.run();
    await other.drive('failRun', foreign.token, { runId: foreign.runId, code: 'x', reason: 'x' });
    for (const tool of ['os.retry_run', 'os.clear_run']) {
      for (const runId of [foreign.runId, v7()]) {
        expect((await call(tool, { runId, note: 'x' })).error).toMatchObject({
          code: 'not_found',
          message: `There is no run "${runId}" in this enterprise.`,
        });
      }
      expect((await call(tool, { runId: 'nonsense', note: ' ' })).error).toMatchObject({
        code: 'invalid_arguments',
        details: { issues: [{ path: 'runId' }, { path: 'note', message: 'must not be blank' }] },
      });
    }
  });
});

describe('the limit of three', () => {
  test('counts retries and routes by runs over the whole chain, and no person', async () => {
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
    expect((await call('os.list_blockers', {})).result.failedTotal).toBeGreaterThan(0);
  });

  test('holds when many call at once: each stopped run is moved once, and the chain three times', async () => {
    const successor = await harness.task();
    let { runId } = await stopped('fail', {}, { successors: [{ outcome: 'done', task: successor }], maxConcurrency: 50 });
    const first = runId;
    const made: string[] = [];
    const codes = new Map<string, number>();
    for (let round = 1; round <= 4; round++) {
      const workers = await Promise.all(Array.from({ length: 5 }, () => helper));
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          index % 2 === 0
            ? call('os.retry_run', { runId, note: `n${index}` }, workers[index % 5]!.token)
            : call('os.route_run', { runId, task: successor, note: `n${index}` }),
        ),
      );
      for (const { error } of answers) if (error) codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
      const won = answers.filter(({ result }) => result);
      if (round === 4) {
        expect(won).toEqual([]);
        break;
      }
      expect(won.length).toBe(1);
      made.push(won[0]!.result.retryRunId ?? won[0]!.result.routedRunId);
      await prisma.run.update({ where: { id: made.at(-1)! }, data: { status: 'FAILED', finishedAt: new Date(), queuedAt: null } });
      await prisma.task.updateMany({ where: { slug: successor }, data: {} });
      runId = made.at(-1)!;
      const routedAway = (await rowOf(runId)).routedFromId !== null;
      if (routedAway) await harness.task({ slug: successor, successors: [{ outcome: 'done', task: await harness.task() }] });
    }
    expect(await prisma.run.count({ where: { chainId: first } })).toBe(3);
    expect((await rowOf(first)).taskMoves).toBe(3);
    expect(codes.get('retry_limit_reached')).toBeGreaterThan(0);
  });
});

describe('os.route_run', () => {
  test('hands the work to a successor, or to an earlier stage that worked the same issue or pull request', async () => {
    const [successor, issueStage, prStage, stranger] = [
      await harness.task(),
      await harness.task(),
      await harness.task(),
      await harness.task(),
    ];
    await harness.start(issueStage, { repo: 'kites/red', issue: 7 });
    await harness.start(prStage, { repo: 'kites/red', pr: '9' });
    await harness.start(stranger, { repo: 'kites/blue', issue: 7 });
    const told = { successors: [{ outcome: 'done', task: successor }] };
    const { runId } = await stopped('stop', { repo: 'kites/red', issue: 7, pr: 9 }, told);
    const refused = await call('os.route_run', { runId, task: stranger, note: 'x' });
    const allowed = [successor, issueStage, prStage].sort();
    expect(refused.error).toMatchObject({ code: 'task_not_in_pipeline', handling: 'TOOL_ERROR', details: { allowed } });
    expect((await call('os.route_run', { runId, task: 'no-such-task', note: 'x' })).error?.code).toBe('task_not_in_pipeline');
    const answer = await call('os.route_run', { runId, task: issueStage, note: 'Look again.' });
    const next = await prisma.run.findFirstOrThrow({ where: { routedFromId: runId } });
    expect(answer.result).toEqual({ runId, routedRunId: next.id, task: issueStage, status: 'pending', taskRetries: 1 });
    const own = (await prisma.task.findUniqueOrThrow({ where: { id: (await rowOf(runId)).taskId } })).slug;
    expect(next.input).toEqual({
      ...{ repo: 'kites/red', issue: 7, pr: 9 },
      routedFrom: { runId, task: own, note: 'Look again.' },
    });
    expect(next.executionId).toBe((await rowOf(runId)).executionId);
    expect(await rowOf(runId)).toMatchObject({ status: 'FINISHED', stopped: true, moveNote: 'Look again.' });
  });

  test('its own task and an archived one are no targets', async () => {
    const successor = await harness.task();
    const task = await harness.task({ successors: [{ outcome: 'done', task: successor }] });
    await harness.start(task);
    const { runId } = await end((await harness.claim(task))!, 'fail');
    expect((await call('os.route_run', { runId, task, note: 'x' })).error).toMatchObject({
      code: 'task_not_in_pipeline',
      details: { allowed: [successor] },
    });
    await prisma.task.updateMany({ where: { slug: successor }, data: { archivedAt: new Date() } });
    expect((await call('os.route_run', { runId, task: successor, note: 'x' })).error?.code).toBe('task_archived');
  });
});

describe('os.clear_run', () => {
  test.each([
    ['fail', 'failed', 'FAILED'],
    ['stop', 'finished', 'FINISHED'],
    ['block', 'cancelled', 'CANCELLED'],
  ] as const)('%s: the run ends as %s', async (how, status, stored) => {
    const successors = [{ outcome: 'done', task: await harness.task() }];
    const { runId } = await stopped(how, {}, { successors });
    const args = { runId, note: 'Done by hand.' };
    const first = await harness.call(helper.token, `clear-${how}`, 'os.clear_run', args);
    expect(first.result).toEqual({ runId, status, cleared: true });
    expect(await harness.call(helper.token, `clear-${how}`, 'os.clear_run', args)).toEqual(first);
    const row = await rowOf(runId);
    expect([row.status, row.clearedAt !== null, row.moveNote]).toEqual([stored, true, 'Done by hand.']);
    expect((await call('os.clear_run', args)).error?.code).toBe('run_not_on_blockers');
    expect((await call('os.retry_run', args)).error?.code).toBe('run_not_on_blockers');
    expect((await call('os.escalate_run', { ...args, to: 'ceo' })).error?.code).toBe('run_not_on_blockers');
  });

  test('a gate that is still open on a run it cancels ends as cancelled', async () => {
    const run = await harness.run({ tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] });
    const held = await harness.call(run.token, 'held', 'os.set_context', { key: 'a', value: 1 });
    await prisma.run.update({ where: { id: run.runId }, data: { status: 'BLOCKED', reason: 'x' } });
    await call('os.clear_run', { runId: run.runId, note: 'x' });
    expect((await harness.gate(held.gate!.id)).status).toBe('CANCELLED');
  });
});

describe('os.escalate_run', () => {
  test('to the lead, failing that the COO, failing both nobody; to the CEO always', async () => {
    const other = new Harness(url, await makeCompany(kernel, 'Led Kites'));
    const { enterpriseId, ceo, member } = other.company;
    const asking = await other.run({ tools: TOOLS, role: 'maker' });
    const ask = (args: unknown) => other.call(asking.token, `e-${++calls}`, 'os.escalate_run', args);
    const teamId = v7();
    await prisma.team.create({ data: { id: teamId, enterpriseId, slug: 'studio', name: 'Studio' } });
    const failing = await other.run({ team: 'studio' });
    const { runId } = failing;
    await other.drive('failRun', failing.token, { runId, code: 'x', reason: 'x' });
    expect((await ask({ runId, to: 'lead', note: 'Which?' })).error).toMatchObject({
      code: 'escalation_target_missing',
      handling: 'TOOL_ERROR',
    });
    const cooRole = v7();
    await prisma.role.create({ data: { id: cooRole, enterpriseId, slug: 'coo', name: 'COO' } });
    await prisma.memberRole.create({ data: { enterpriseId, memberId: member.id, roleId: cooRole } });
    const toMia = { runId, to: 'lead', memberId: member.id, memberName: member.name };
    expect((await ask({ runId, to: 'lead', note: 'Which?' })).result).toEqual({ ...toMia, alreadyEscalated: false });
    expect((await ask({ runId, to: 'lead', note: 'Another note.' })).result).toEqual({ ...toMia, alreadyEscalated: true });
    const seen = (await other.call(asking.token, 'seen', 'os.list_blockers', {})).result.runs[0];
    expect(seen.escalation).toEqual({ to: 'lead', toYou: true, note: 'Which?', when: expect.any(String) });
    const leadId = v7();
    await prisma.member.create({ data: { id: leadId, enterpriseId, name: 'Lena Lead', email: 'lena@kites.example' } });
    await prisma.team.update({ where: { id: teamId }, data: { leadId } });
    expect((await ask({ runId, to: 'lead', note: 'Now yours.' })).result).toMatchObject({
      memberId: leadId,
      memberName: 'Lena Lead',
      alreadyEscalated: false,
    });
    expect((await ask({ runId, to: 'ceo', note: 'Yours.' })).result).toEqual({
      ...{ runId, to: 'ceo', memberId: ceo.id, memberName: ceo.name, alreadyEscalated: false },
    });
    expect(await rowOf(runId)).toMatchObject({
      escalatedTo: 'CEO',
      escalatedMemberId: null,
      escalatedPersonId: ceo.id,
      escalationNote: 'Yours.',
    });
  });
});

describe('a person’s moves', () => {
  test('answer the run, keep the scopes, and are audited', async () => {
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

  test('errors carry the code and its handling', async () => {
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

  test('in flight while a run is under way, blocked when it blocks, in flight again on retry, idle at the end', async () => {
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

  test('clear lifts the block, unless a newer run works on the issue', async () => {
    const run = await stopped('block', { repo: 'kites/marks', number: '2' });
    await call('os.clear_run', { runId: run.runId, note: 'x' });
    expect(await state(2)).toEqual(['IDLE', run.runId]);
    const older = await stopped('block', { repo: 'kites/marks', issue: 3 });
    const newer = await stopped('block', { repo: 'kites/marks', issue: 3 });
    await call('os.clear_run', { runId: older.runId, note: 'x' });
    expect(await state(3)).toEqual(['BLOCKED', newer.runId]);
  });
});
