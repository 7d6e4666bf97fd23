import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { payloadHash } from '../../src/kernel/hash.ts';
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

it('a gate copies what it needs when it opens, and nothing rewrites it', async () => {
  const args = { key: 'é😀', value: { b: 1e21, a: [0.1, 0, null, 'ü'], '€': { z: true, A: 1 } } };
  const held = await heldCall('os.set_context', args);
  const canonical = '{"payload":{"key":"é😀","value":{"a":[0.1,0,null,"ü"],"b":1e+21,"€":{"A":1,"z":true}}},"tool":"os.set_context"}';
  const hash = createHash('sha256').update(canonical).digest('hex');
  const shown = await harness.gate(held.gate.id);
  expect(shown).toEqual({
    id: held.gate.id,
    kind: 'HOLDING',
    status: 'WAITING',
    tool: 'os.set_context',
    payload: args,
    payloadHash: hash,
    summary: 'Please.',
    owner: { name: 'Cleo Kite' },
    choices: [],
    canRequestChanges: true,
    mayDecide: true,
    run: { id: held.run.runId, status: 'WAITING' },
    toolCall: { id: held.call.id, status: 'WAITING' },
    createdAt: clock.now().toISOString(),
    timesOutAt: new Date(clock.now().getTime() + 600_000).toISOString(),
    ...{ decision: null, choice: null, decidedBy: null, decidedVia: null, decidedAt: null, note: null, answers: [] },
    versions: [{ number: 1, payload: args, payloadHash: hash, editedBy: null }],
  });
  const { slug, task } = await kernel.db.prisma.run
    .findFirstOrThrow({ where: { id: held.run.runId }, include: { task: true } })
    .then((run) => ({ slug: run.task.slug, task: run.task }));
  await harness.task({ slug, tools: ['os.get_context'], expectedVersion: task.latestVersion });
  await kernel.db.prisma.run.update({ where: { id: held.run.runId }, data: { gateSummary: 'Something else.' } });
  expect(await harness.gate(held.gate.id)).toEqual(shown);
  await harness.decide(held.gate, { decision: 'APPROVE' });
  expect((await held.again()).result).toEqual(args);
});

it('a gate shows its choices, and whether it can be sent back', async () => {
  const held = await heldCall('os.escalate_mail');
  expect(await harness.gate(held.gate.id)).toMatchObject({
    kind: 'RUN_ENDING',
    canRequestChanges: false,
    choices: [
      { value: 'reply', label: 'Reply', note: 'what to say' },
      { value: 'archive', label: 'Archive', note: null },
      { value: 'leave', label: 'Leave it', note: null },
    ],
  });
});

it('a run that wrote no summary has none on its gate', async () => {
  const run = await harness.run({ tools: ['os.ask_ceo'] });
  const { gate } = await harness.call(run.token, 'g', 'os.ask_ceo', HELD['os.ask_ceo']);
  expect(await harness.gate(gate!.id)).toMatchObject({ summary: null, timesOutAt: null, canRequestChanges: false });
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

it('a card shows the arguments as the tool reads them, and that is executed', async () => {
  const run = await harness.run({ tools: ['os.set_execution_name'], gates: [{ tool: 'os.set_execution_name' }] });
  const call = await harness.call(run.token, 'g', 'os.set_execution_name', { name: 'Spring\n\n  kites ' });
  const payload = { name: 'Spring kites' };
  expect(await harness.gate(call.gate!.id)).toMatchObject({ payload, payloadHash: payloadHash('os.set_execution_name', payload) });
  await harness.decide(call.gate!, { decision: 'APPROVE' });
  const { execution } = (
    await harness.data(company.ceoSession, 'query ($id: ID!) { run(id: $id) { execution { name } } }', { id: run.runId })
  ).run;
  expect([execution.name, (await harness.calls(run.runId))[0]!.arguments]).toEqual(['Spring kites', { name: 'Spring\n\n  kites ' }]);
});

it('a payload of more than 256 KiB opens no gate', async () => {
  const run = await harness.run({ tools: ['os.escalate_mail'] });
  const around = JSON.stringify({ id: '' }).length;
  const call = (toolCallId: string, length: number) =>
    harness.call(run.token, toolCallId, 'os.escalate_mail', { id: 'é'.repeat(length / 2) });
  const refused = await call('a', 262_144 - around + 1 + 1);
  expect(refused).toMatchObject({ status: 'HANDED_BACK', gate: null, error: { code: 'invalid_arguments' } });
  expect(refused.error!.message).toContain('262145 bytes of JSON; a call that waits for a decision has at most 262144');
  expect((await call('b', 262_144 - around - 1)).status).toBe('WAITING');
});

it('a summary is for the next gate, and again for the call of that tool which was sent back', async () => {
  const tools = ['os.set_gate_summary', 'os.set_context', 'os.ask_ceo'];
  const run = await harness.run({ tools, gates: [{ tool: 'os.set_context' }] });
  await harness.call(run.token, 's', 'os.set_gate_summary', { summary: 'About k.' });
  const opened = async (id: string, tool: string, args: unknown) => {
    const { gate } = await harness.call(run.token, id, tool, args);
    return { gate: gate!, summary: (await harness.gate(gate!.id)).summary };
  };
  const seen: unknown[] = [];
  for (const decision of ['REQUEST_CHANGES', 'REQUEST_CHANGES', 'REJECT', 'APPROVE']) {
    const { gate, summary } = await opened(`g${seen.length}`, 'os.set_context', { key: 'k', value: seen.length });
    seen.push(summary);
    await harness.decide(gate, { decision });
  }
  expect(seen).toEqual(['About k.', 'About k.', 'About k.', null]);
  expect((await harness.runOf(run.runId)).gateSummary).toBe('About k.');
  expect(
    (await opened('a', 'os.ask_ceo', { questions: [{ number: 1, question: 'q?', context: 'c', ctoRecommendation: 'r' }] })).summary,
  ).toBe(null);
});

it('the owner of a gate that has ended is who it was then', async () => {
  const other = await makeCompany(kernel, 'Owned Kites');
  const theirs = new Harness(url, other);
  const open = async (timeoutMinutes?: number) => {
    const run = await theirs.run({ tools: ['os.set_context'], gates: [{ tool: 'os.set_context', timeoutMinutes }] });
    return { run, gate: (await theirs.call(run.token, 'g', 'os.set_context', { key: 'k', value: 1 })).gate! };
  };
  const [decided, expired, cancelled] = [await open(), await open(1), await open()];
  await theirs.decide(decided.gate, { decision: 'REJECT' });
  clock.advance(60_001);
  await expireGates(kernel);
  await theirs.drive('cancelRun', other.ceoSession, { runId: cancelled.run.runId });
  const waiting = await open();
  await kernel.db.prisma.person.update({ where: { id: other.ceo.id }, data: { isCeo: false } });
  await kernel.db.prisma.person.update({ where: { id: other.person.id }, data: { isCeo: true } });
  const owners = [];
  for (const { gate } of [decided, expired, cancelled, waiting]) {
    const { status, owner } = await theirs.gate(gate.id);
    owners.push([status, owner.name]);
  }
  expect(owners).toEqual([
    ['REJECTED', 'Cleo Kite'],
    ['EXPIRED', 'Cleo Kite'],
    ['CANCELLED', 'Cleo Kite'],
    ['WAITING', 'Paul Paper'],
  ]);
});
