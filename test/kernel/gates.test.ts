import { describe, expect, it } from 'vitest';
import { expireGates } from '../../src/kernel/sweep.ts';
import { gatedFamily } from '../fixtures/gated.ts';
import { testFamilies } from '../fixtures/tools.ts';
import { testApp } from '../support/app.ts';
import { makeClock } from '../support/clock.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';

const clock = makeClock();
const mail = testFamilies[0]!.tools.find(({ name }) => name === 'os.mail_reply')!;
const os = { ...testFamilies[0]!, tools: [mail] };
const families = [os, gatedFamily, ...testFamilies.slice(1)];
const { kernel, url } = await testApp({ additions: { families, now: clock.now }, config: { logLevel: 'silent' } });
const company = await makeCompany(kernel);
const harness = new Harness(url, company);

const question = (number: number) => ({ number, question: `Question ${number}?`, context: 'c', ctoRecommendation: 'r' });
const HELD = {
  'os.set_context': { key: 'k', value: { to: 'the moon' } },
  'web.read': { url: 'http://kites.example/' },
  'os.ask_ceo': { questions: [question(1), question(2)] },
  'os.escalate_mail': { id: 'm-1' },
  'os.mail_reply': { id: 'm-1', text: 'Yes.' },
} as const;
type Held = keyof typeof HELD;

/** A run whose call of this tool is held, ten minutes at most. */
async function heldCall(tool: Held, args: unknown = HELD[tool]) {
  const tools = [...new Set(['os.set_context', 'os.get_context', 'os.set_gate_summary', tool])];
  const run = await harness.run({ tools, gates: [{ tool, timeoutMinutes: 10 }] });
  await harness.call(run.token, 's', 'os.set_gate_summary', { summary: 'Please.' });
  const call = await harness.call(run.token, 'g', tool, args);
  const again = () => harness.call(run.token, 'g', tool, args);
  return { run, call, gate: call.gate!, again };
}

/** How everything stands: gate; call with its result or code; run with outcome and output. */
async function standing({ run, gate, again }: Awaited<ReturnType<typeof heldCall>>) {
  const { status, decision, choice } = await harness.gate(gate.id);
  const call = await again();
  const { status: runStatus, outcome, output, reason } = await harness.runOf(run.runId);
  return {
    gate: [status, decision, choice],
    call: [call.status, call.result ?? call.error!.code, call.error?.details ?? null],
    run: [runStatus, outcome, output, reason],
  };
}

const answers = [
  { number: 2, kind: 'EXPLAIN' },
  { number: 1, kind: 'ANSWER', text: 'Do.' },
];
const ceoAnswers = [
  { number: 1, kind: 'answer', text: 'Do.' },
  { number: 2, kind: 'explain', text: null },
];
const note = 'So be it.';
const finished = (outcome: string, output: unknown) => ['FINISHED', outcome, output, null];
const running = ['RUNNING', null, null, null];

interface Row {
  tool: Held;
  decide: Record<string, unknown>;
  gate: unknown[];
  call: unknown[];
  run: unknown[];
}

const changed = ['HANDED_BACK', 'gate_changes_requested', { note }];
const rejected = ['TOOL_ERROR', 'gate_rejected', { note }];
const page = { url: 'http://kites.example/', markdown: '# http://kites.example/' };

const ENDS: Row[] = [
  {
    tool: 'os.set_context',
    decide: { decision: 'APPROVE', note },
    gate: ['APPROVED', 'APPROVE', null],
    call: ['SUCCEEDED', HELD['os.set_context'], null],
    run: running,
  },
  { tool: 'web.read', decide: { decision: 'APPROVE' }, gate: ['APPROVED', 'APPROVE', null], call: ['SUCCEEDED', page, null], run: running },
  { tool: 'os.set_context', decide: { decision: 'REJECT', note }, gate: ['REJECTED', 'REJECT', null], call: rejected, run: running },
  {
    tool: 'os.set_context',
    decide: { decision: 'REJECT' },
    gate: ['REJECTED', 'REJECT', null],
    call: ['TOOL_ERROR', 'gate_rejected', { note: null }],
    run: running,
  },
  {
    tool: 'os.set_context',
    decide: { decision: 'REQUEST_CHANGES', note },
    gate: ['CHANGES_REQUESTED', 'REQUEST_CHANGES', null],
    call: changed,
    run: running,
  },
  {
    tool: 'os.ask_ceo',
    decide: { decision: 'APPROVE', answers, note },
    gate: ['APPROVED', 'APPROVE', null],
    call: ['SUCCEEDED', { ceoAnswers, ceoNote: note }, null],
    run: finished('ceo_approved', { ceoAnswers, ceoNote: note }),
  },
  {
    tool: 'os.ask_ceo',
    decide: { decision: 'REJECT', note },
    gate: ['REJECTED', 'REJECT', null],
    call: rejected,
    run: finished('ceo_rejected', { ceoNote: note }),
  },
  {
    tool: 'os.escalate_mail',
    decide: { decision: 'CHOICE', choice: 'reply', note },
    gate: ['APPROVED', 'CHOICE', 'reply'],
    call: ['SUCCEEDED', { ceoChoice: 'reply', ceoNote: note }, null],
    run: finished('ceo_approved', { ceoChoice: 'reply', ceoNote: note }),
  },
  {
    tool: 'os.escalate_mail',
    decide: { decision: 'CHOICE', choice: 'archive' },
    gate: ['APPROVED', 'CHOICE', 'archive'],
    call: ['SUCCEEDED', { ceoChoice: 'archive', ceoNote: null }, null],
    run: finished('ceo_approved', { ceoChoice: 'archive', ceoNote: null }),
  },
  {
    tool: 'os.escalate_mail',
    decide: { decision: 'CHOICE', choice: 'leave', note },
    gate: ['REJECTED', 'CHOICE', 'leave'],
    call: ['TOOL_ERROR', 'gate_rejected', { note, choice: 'leave' }],
    run: ['CANCELLED', null, null, note],
  },
  {
    tool: 'os.mail_reply',
    decide: { decision: 'REJECT', note },
    gate: ['REJECTED', 'REJECT', null],
    call: rejected,
    run: finished('ceo_rejected', { ceoNote: note }),
  },
  {
    tool: 'os.mail_reply',
    decide: { decision: 'REQUEST_CHANGES', note },
    gate: ['CHANGES_REQUESTED', 'REQUEST_CHANGES', null],
    call: changed,
    run: running,
  },
];

it.each(ENDS)('$tool: $decide', async ({ tool, decide, ...expected }) => {
  const held = await heldCall(tool);
  await harness.decide(held.gate, decide);
  expect(await standing(held)).toEqual(expected);
});

it('an approved mail: the run waits until its result is recorded, and ends with it', async () => {
  const held = await heldCall('os.mail_reply');
  const gate = await harness.decide(held.gate, { decision: 'APPROVE', note });
  expect(gate.status).toBe('APPROVED');
  await kernel.work.idle();
  expect(await standing(held)).toEqual({
    gate: ['APPROVED', 'APPROVE', null],
    call: ['SUCCEEDED', { status: 'sent', id: 'm-1' }, null],
    run: finished('ceo_approved', { status: 'sent', id: 'm-1' }),
  });
});

describe.each(['os.set_context', 'os.ask_ceo', 'os.escalate_mail', 'os.mail_reply'] as const)('%s', (tool) => {
  it('undecided in time expires, and the run goes on', async () => {
    const held = await heldCall(tool);
    expect((await harness.gate(held.gate.id)).timesOutAt).toBe(new Date(clock.now().getTime() + 600_000).toISOString());
    clock.advance(599_999);
    await expireGates(kernel);
    expect((await harness.gate(held.gate.id)).status).toBe('WAITING');
    clock.advance(1);
    await expireGates(kernel);
    expect(await standing(held)).toEqual({ gate: ['EXPIRED', null, null], call: ['TOOL_ERROR', 'gate_expired', null], run: running });
    expect((await harness.runOf(held.run.runId)).leaseExpiresAt).toBe(new Date(clock.now().getTime() + 60_000).toISOString());
  });

  it('ends as cancelled with its run', async () => {
    const held = await heldCall(tool);
    await harness.drive('cancelRun', company.apiToken, { runId: held.run.runId, note });
    expect(await standing(held)).toEqual({
      gate: ['CANCELLED', null, null],
      call: ['TOOL_ERROR', 'gate_cancelled', null],
      run: ['CANCELLED', null, null, note],
    });
  });
});

it('back to running is the same token, the same attempt and a full lease', async () => {
  const held = await heldCall('os.set_context');
  expect(await harness.runOf(held.run.runId)).toMatchObject({ status: 'WAITING', leaseExpiresAt: null });
  clock.advance(300_000);
  expect(await harness.drive('heartbeatRun', held.run.token, { runId: held.run.runId })).toMatchObject({
    status: 'WAITING',
    leaseExpiresAt: null,
  });
  await harness.decide(held.gate, { decision: 'APPROVE' });
  expect(await harness.runOf(held.run.runId)).toMatchObject({
    ...{ status: 'RUNNING', attempt: 1, stalled: false },
    leaseExpiresAt: new Date(clock.now().getTime() + 60_000).toISOString(),
  });
  expect((await harness.call(held.run.token, 'n', 'os.get_context', { key: 'k' })).status).toBe('SUCCEEDED');
});

describe('an approved call that fails', () => {
  const stumbled = async (code: string) => {
    const run = await harness.run({ tools: ['os.stumble'], gates: [{ tool: 'os.stumble' }] });
    const call = await harness.call(run.token, 'g', 'os.stumble', { code });
    expect((await harness.decide(call.gate!, { decision: 'APPROVE' })).status).toBe('APPROVED');
    return { run, call: await harness.call(run.token, 'g', 'os.stumble', { code }), runNow: await harness.runOf(run.runId) };
  };
  const effects = () => kernel.db.prisma.contextEntry.count({ where: { key: 'stumble' } });

  it.each([
    ['not_found', 'TOOL_ERROR', 'RUNNING'],
    ['no_assigned_member', 'HANDED_BACK', 'RUNNING'],
    ['tool_value_refused', 'RUN_FAILED', 'FAILED'],
  ])('with %s is %s, has no effect, keeps its id, and its run is %s', async (code, status, runStatus) => {
    const { call, runNow } = await stumbled(code);
    expect([call.status, call.error!.code, runNow.status]).toEqual([status, code, runStatus]);
    expect(await effects()).toBe(0);
  });

  it('by a failure of the service is not decided: the gate waits on, and can be approved again or rejected', async () => {
    const run = await harness.run({ tools: ['os.stumble'], gates: [{ tool: 'os.stumble' }] });
    const { gate } = await harness.call(run.token, 'g', 'os.stumble', { code: 'crash' });
    const failure = await harness.decide(gate!, { decision: 'APPROVE' });
    expect(failure).toMatchObject({ code: 'INTERNAL', details: { id: expect.any(String) } });
    expect((await harness.decide(gate!, { decision: 'APPROVE' })).code).toBe('INTERNAL');
    expect(await harness.gate(gate!.id)).toMatchObject({ status: 'WAITING', decision: null, versions: [{ number: 1 }] });
    expect((await harness.runOf(run.runId)).status).toBe('WAITING');
    expect(await effects()).toBe(0);
    expect((await harness.decide(gate!, { decision: 'REJECT' })).status).toBe('REJECTED');
    expect((await harness.call(run.token, 'g', 'os.stumble', { code: 'crash' })).error!.code).toBe('gate_rejected');
  });

  it('by a passing error of the database is executed by the same decision sent again', async () => {
    const run = await harness.run({ tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] });
    const args = { key: 'refused for a while', value: 1 };
    const { gate } = await harness.call(run.token, 'g', 'os.set_context', args);
    const name = 'refused_for_a_while';
    await kernel.db.prisma.$executeRawUnsafe(`ALTER TABLE "ContextEntry" ADD CONSTRAINT ${name} CHECK ("key" <> 'refused for a while')`);
    expect((await harness.decide(gate!, { decision: 'APPROVE' })).code).toBeTypeOf('string');
    expect((await harness.gate(gate!.id)).status).toBe('WAITING');
    await kernel.db.prisma.$executeRawUnsafe(`ALTER TABLE "ContextEntry" DROP CONSTRAINT ${name}`);
    expect((await harness.decide(gate!, { decision: 'APPROVE' })).status).toBe('APPROVED');
    expect((await harness.call(run.token, 'g', 'os.set_context', args)).result).toEqual(args);
  });
});
