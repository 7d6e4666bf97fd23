import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { makeCompany } from '../../support/company.ts';
import { Harness } from '../../support/harness.ts';
import { TOOLS, unblockingStage } from './stage.ts';

const { kernel, url, prisma, harness, helper, call, rowOf, end, stopped } = await unblockingStage();

describe('os.route_run', () => {
  it('hands the work to a successor, or to an earlier stage that worked the same issue or pull request', async () => {
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

  it('its own task and an archived one are no targets', async () => {
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
  it.each([
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

  it('a gate that is still open on a run it cancels ends as cancelled', async () => {
    const run = await harness.run({ tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] });
    const held = await harness.call(run.token, 'held', 'os.set_context', { key: 'a', value: 1 });
    await prisma.run.update({ where: { id: run.runId }, data: { status: 'BLOCKED', reason: 'x' } });
    await call('os.clear_run', { runId: run.runId, note: 'x' });
    expect((await harness.gate(held.gate!.id)).status).toBe('CANCELLED');
  });
});

describe('os.escalate_run', () => {
  it('to the lead, failing that the COO, failing both nobody; to the CEO always', async () => {
    const other = new Harness(url, await makeCompany(kernel, 'Led Kites'));
    const { enterpriseId, ceo, member } = other.company;
    const asking = await other.run({ tools: TOOLS, role: 'maker' });
    const ask = (args: unknown) => other.call(asking.token, v7(), 'os.escalate_run', args);
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
