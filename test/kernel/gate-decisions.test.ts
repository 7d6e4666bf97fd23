import { describe, expect, it } from 'vitest';
import { payloadHash } from '../../src/kernel/hash.ts';
import { gatedFamily } from '../fixtures/gated.ts';
import { testFamilies } from '../fixtures/tools.ts';
import { testApp } from '../support/app.ts';
import { makeClock } from '../support/clock.ts';
import { makeCompany, makeToken } from '../support/company.ts';
import { Harness } from '../support/harness.ts';

const clock = makeClock();
const toys = { ...testFamilies[0]!, tools: testFamilies[0]!.tools.filter(({ name }) => name === 'os.mail_reply') };
const families = [toys, gatedFamily, ...testFamilies.slice(1)];
// No sweep comes in between: what is due stays as it is until a decision looks at it.
const { kernel, url } = await testApp({ additions: { families, now: clock.now }, timing: { sweep: 3_600_000 } });
const company = await makeCompany(kernel);
const harness = new Harness(url, company);

const ARGS = { key: 'k', value: 1 };
const question = (number: number) => ({ number, question: `Question ${number}?`, context: 'c', ctoRecommendation: 'r' });

async function held(tool = 'os.set_context', args: unknown = ARGS, timeoutMinutes: number | null = null, pins = '') {
  const run = await harness.run({ tools: ['os.set_gate_summary', `${tool}${pins}`], gates: [{ tool, timeoutMinutes }] });
  await harness.call(run.token, 's', 'os.set_gate_summary', { summary: 'Please.' });
  const call = await harness.call(run.token, 'g', tool, args);
  return { run, gate: call.gate!, again: () => harness.call(run.token, 'g', tool, args) };
}
const asked = (...numbers: number[]) => held('os.ask_ceo', { questions: numbers.map(question) });
const isWaiting = async (gate: { id: string }) => expect((await harness.gate(gate.id)).status).toBe('WAITING');

describe('who decides', () => {
  it('a person who is not the CEO does not, and sees the gate', async () => {
    const { gate } = await held();
    const decider = await makeToken(kernel, company, ['gates:decide'], company.person.id);
    for (const token of [company.personSession, decider]) {
      expect(await harness.decide(gate, { decision: 'APPROVE' }, token)).toEqual({
        code: 'not_gate_owner',
        message: 'Gates are decided by the CEO; Paul Paper is not the CEO.',
      });
    }
    const seen = await harness.data(company.personSession, 'query ($id: ID!) { gate(id: $id) { status mayDecide } }', { id: gate.id });
    expect(seen.gate).toEqual({ status: 'WAITING', mayDecide: false });
  });

  it('nobody approves itself: a run token, a worker and a token without the scope do not', async () => {
    const { run, gate } = await held();
    expect(await harness.decide(gate, { decision: 'APPROVE' }, run.token)).toMatchObject({ code: 'not_allowed' });
    for (const token of [company.workerToken, await makeToken(kernel, company, ['gates:read', 'runs:write'])]) {
      expect(await harness.decide(gate, { decision: 'APPROVE' }, token)).toMatchObject({
        code: 'scope_missing',
        details: { scope: 'gates:decide' },
      });
    }
    await isWaiting(gate);
  });

  it('the CEO does, in a session or through a token, and is recorded with it', async () => {
    const [one, two] = [await held(), await held()];
    const said = { decision: 'REJECT', note: 'No.' };
    const by = { decidedBy: { name: 'Cleo Kite' }, decidedAt: clock.now().toISOString(), note: 'No.' };
    expect(await harness.decide(one.gate, said)).toMatchObject({ ...by, decidedVia: 'session' });
    expect(await harness.decide(two.gate, said, company.apiToken)).toMatchObject({ ...by, decidedVia: 'token all' });
    const entries = await kernel.db.prisma.auditEntry.findMany({ where: { subjectId: one.gate.id } });
    expect(entries).toMatchObject([
      {
        ...{ personId: company.ceo.id, via: 'session', action: 'gate.decided' },
        details: {
          decision: 'REJECT',
          choice: null,
          note: 'No.',
          tool: 'os.set_context',
          payloadHash: payloadHash('os.set_context', ARGS),
        },
      },
    ]);
  });

  it('another enterprise’s CEO finds no such gate', async () => {
    const { gate } = await held();
    const stranger = await makeCompany(kernel, 'Test Soup');
    const foreign = await harness.decide(gate, { decision: 'APPROVE' }, stranger.ceoSession);
    const missing = await harness.decide({ ...gate, id: company.ceo.id }, { decision: 'APPROVE' }, stranger.ceoSession);
    expect(foreign).toEqual({ code: 'not_found', handling: 'TOOL_ERROR', message: `There is no gate "${gate.id}" in this enterprise.` });
    expect(missing).toEqual({ ...foreign, message: foreign.message.replace(gate.id, company.ceo.id) });
    expect(await harness.decide({ ...gate, id: 'nonsense' }, { decision: 'APPROVE' })).toMatchObject({ code: 'not_found' });
  });
});

describe('a decision is refused, and the gate waits on', () => {
  it('when it names another payload', async () => {
    const { gate } = await held();
    expect(await harness.decide({ id: gate.id, payloadHash: 'f'.repeat(64) }, { decision: 'APPROVE' })).toMatchObject({
      code: 'payload_changed',
      details: { payloadHash: gate.payloadHash },
    });
    await isWaiting(gate);
  });

  it.each([
    ['os.ask_ceo', { questions: [question(1)] }],
    ['os.escalate_mail', { id: 'm' }],
  ])('when %s cannot be sent back', async (tool, args) => {
    const { gate } = await held(tool, args);
    expect(await harness.decide(gate, { decision: 'REQUEST_CHANGES' })).toMatchObject({ code: 'changes_not_possible' });
    await isWaiting(gate);
  });

  it('when the choice is none of those offered', async () => {
    const choices = ['reply', 'archive', 'leave'];
    const escalated = (await held('os.escalate_mail', { id: 'm' })).gate;
    for (const said of [
      { decision: 'CHOICE', choice: 'burn' },
      { decision: 'CHOICE' },
      { decision: 'APPROVE' },
      { decision: 'REJECT' },
      { decision: 'APPROVE', choice: 'reply' },
    ]) {
      expect(await harness.decide(escalated, said)).toMatchObject({ code: 'choice_invalid', details: { choices } });
    }
    await isWaiting(escalated);
    const plain = (await held()).gate;
    for (const said of [
      { decision: 'CHOICE', choice: 'reply' },
      { decision: 'APPROVE', choice: 'reply' },
    ]) {
      expect(await harness.decide(plain, said)).toMatchObject({ code: 'choice_invalid', details: { choices: [] } });
    }
    await isWaiting(plain);
  });

  it('when the choice needs a note and has none', async () => {
    const { gate } = await held('os.escalate_mail', { id: 'm' });
    for (const note of [undefined, null, '', '  ']) {
      expect(await harness.decide(gate, { decision: 'CHOICE', choice: 'reply', note })).toMatchObject({
        code: 'invalid_arguments',
        details: { issues: [{ path: 'note', message: 'what to say' }] },
      });
    }
    await isWaiting(gate);
  });

  it('when questions are left unanswered', async () => {
    const { gate } = await asked(1, 2, 3);
    const one = { number: 2, kind: 'ACCEPT' };
    expect(await harness.decide(gate, { decision: 'APPROVE' })).toMatchObject({
      code: 'answers_incomplete',
      details: { missing: [1, 2, 3] },
    });
    expect(await harness.decide(gate, { decision: 'APPROVE', answers: [one] })).toMatchObject({
      code: 'answers_incomplete',
      message: 'Approving needs an answer to each question; missing: 1, 3.',
      details: { missing: [1, 3] },
    });
    await isWaiting(gate);
  });

  it('when an answer is to no question, given twice, or without the text that it needs', async () => {
    const { gate } = await asked(1, 2);
    const answers = [
      { number: 1, kind: 'ACCEPT' },
      { number: 1, kind: 'EXPLAIN' },
      { number: 2, kind: 'ANSWER', text: ' ' },
      { number: 3, kind: 'ACCEPT' },
    ];
    expect((await harness.decide(gate, { decision: 'APPROVE', answers })).details.issues).toEqual([
      { path: 'answers[1].number', message: 'question 1 is answered twice' },
      { path: 'answers[2].text', message: 'ANSWER needs a text' },
      { path: 'answers[3].number', message: 'there is no question 3' },
    ]);
    await isWaiting(gate);
  });

  it('when it holds what cannot be stored', async () => {
    const { gate } = await held();
    expect(await harness.decide(gate, { decision: 'REJECT', note: 'x\0' })).toMatchObject({
      code: 'invalid_arguments',
      details: {
        issues: [
          {
            path: 'note',
            message: expect.stringMatching(/^contains a NUL character, which cannot be stored: leave it out; sent was the text /),
          },
        ],
      },
    });
    await isWaiting(gate);
  });
});

it('of many at once one wins, and the others are told what stands', async () => {
  const { gate, again } = await held();
  const said = [
    { decision: 'APPROVE' },
    { decision: 'REJECT', note: 'No.' },
    { decision: 'APPROVE', editedPayload: { ...ARGS, value: 2 } },
  ];
  const tries = await Promise.all(Array.from({ length: 30 }, (_, index) => harness.decide(gate, said[index % 3]!)));
  const [winner, ...others] = tries.filter(({ code }) => !code);
  expect(others).toEqual([]);
  const { status, decision, decidedAt } = winner;
  const name = status === 'APPROVED' ? 'approved' : 'rejected';
  for (const refused of tries.filter(({ code }) => code)) {
    expect(refused).toEqual({
      code: 'gate_already_decided',
      message: `This gate is ${name} by Cleo Kite; that stands.`,
      details: { status, decision, choice: null, decidedBy: { id: company.ceo.id, name: 'Cleo Kite' }, decidedAt },
    });
  }
  expect(await kernel.db.prisma.auditEntry.count({ where: { subjectId: gate.id } })).toBe(1);
  expect((await again()).status).toBe(status === 'APPROVED' ? 'SUCCEEDED' : 'TOOL_ERROR');
});

it('several in one request each answer for themselves, in order', async () => {
  const gates = [await held(), await asked(1), await held(), await held('os.escalate_mail', { id: 'm' })].map(({ gate }) => gate);
  const [one, two, three, four] = gates as [{ id: string; payloadHash: string }, any, any, any];
  const decision = (gate: { id: string; payloadHash: string }, told: object) => ({
    gateId: gate.id,
    payloadHash: gate.payloadHash,
    ...told,
  });
  const input = [
    decision(one, { decision: 'APPROVE' }),
    decision(two, { decision: 'APPROVE' }),
    decision(one, { decision: 'REJECT' }),
    decision({ id: 'nonsense', payloadHash: 'x' }, { decision: 'APPROVE' }),
    decision(three, { decision: 'REQUEST_CHANGES', note: 'Shorter.' }),
    decision(four, { decision: 'CHOICE', choice: 'leave' }),
  ];
  const query =
    'mutation ($input: [DecideGateInput!]!) { decideGates(input: $input) { gateId gate { id status } error { code details } } }';
  const { decideGates } = await harness.data(company.ceoSession, query, { input });
  expect(decideGates.map(({ gateId, gate, error }: any) => [gateId, gate?.status ?? null, error?.code ?? null])).toEqual([
    [one.id, 'APPROVED', null],
    [two.id, null, 'answers_incomplete'],
    [one.id, null, 'gate_already_decided'],
    ['nonsense', null, 'not_found'],
    [three.id, 'CHANGES_REQUESTED', null],
    [four.id, 'REJECTED', null],
  ]);
  await isWaiting(two);
});

it.each([
  { decision: 'APPROVE' },
  { decision: 'CHOICE', choice: 'one that this gate does not offer' },
  { decision: 'APPROVE', editedPayload: { key: 'another key', value: 1 } },
])('a decision after the time has run out finds the gate expired, before any sweep: $decision', async (decision) => {
  const { run, gate, again } = await held('os.set_context', ARGS, 10);
  clock.advance(600_000);
  expect(await harness.decide(gate, decision)).toEqual({
    code: 'gate_already_decided',
    message: 'This gate is expired; that stands.',
    details: { status: 'EXPIRED', decision: null, choice: null, decidedBy: null, decidedAt: clock.now().toISOString() },
  });
  expect((await again()).error!.code).toBe('gate_expired');
  expect((await harness.runOf(run.runId)).status).toBe('RUNNING');
});

it('sent back, the id stays bound and the model calls again under another', async () => {
  const { run, gate, again } = await held();
  await harness.decide(gate, { decision: 'REQUEST_CHANGES', note: 'Make it 2.' });
  const back = await again();
  expect(back).toMatchObject({ status: 'HANDED_BACK' });
  expect(back.error).toEqual({
    code: 'gate_changes_requested',
    handling: 'HAND_BACK',
    message: 'A person asks for changes before this call is made. Make them and call again under a new id. The note says: Make it 2.',
    details: { note: 'Make it 2.' },
  });
  const args = { ...ARGS, value: 2 };
  expect((await harness.call(run.token, 'g', 'os.set_context', args)).error!.code).toBe('tool_call_id_reused');
  const second = await harness.call(run.token, 'g2', 'os.set_context', args);
  expect([second.status, second.gate!.id === gate.id]).toEqual(['WAITING', false]);
  await harness.decide(second.gate!, { decision: 'APPROVE' });
  expect((await harness.call(run.token, 'g2', 'os.set_context', args)).result).toEqual(args);
});

it('a gate is spent once: the same call under another id opens another', async () => {
  const { run, gate } = await held();
  await harness.decide(gate, { decision: 'APPROVE' });
  const second = await harness.call(run.token, 'g2', 'os.set_context', ARGS);
  expect([second.status, second.gate!.id === gate.id]).toEqual(['WAITING', false]);
});

it('of two identical calls at once under two ids one opens the gate, the other is told to wait', async () => {
  const run = await harness.run({ tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] });
  const two = await Promise.all(['a', 'b'].map((id) => harness.call(run.token, id, 'os.set_context', ARGS)));
  expect(two.map(({ status, error }) => error?.code ?? status).sort()).toEqual(['WAITING', 'run_waiting']);
});
