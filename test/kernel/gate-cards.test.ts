import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
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
