import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { payloadHash } from '../../src/kernel/hash.ts';
import { testFamilies } from '../fixtures/tools.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';

const { kernel, url } = await testApp({ additions: { families: testFamilies } });
const company = await makeCompany(kernel);
const harness = new Harness(url, company);

const ARGS = { key: 'k', value: { days: 5, who: ['Mia'] } };
const EDITED = { key: 'k', value: { days: 6, who: ['Mia', 'Max'] } };
const question = (number: number) => ({ number, question: `Question ${number}?`, context: 'c', ctoRecommendation: 'r' });

async function held(tool: string, args: unknown, pins = '') {
  const run = await harness.run({ tools: ['os.set_gate_summary', 'os.get_context', `${tool}${pins}`], gates: [{ tool }] });
  const call = await harness.call(run.token, 'g', tool, args);
  return { run, gate: call.gate!, again: () => harness.call(run.token, 'g', tool, args) };
}

it('approving a changed payload executes exactly that, keeps both, and tells the model what was changed', async () => {
  const { run, gate, again } = await held('os.set_context', ARGS);
  const decided = await harness.decide(gate, { decision: 'APPROVE', editedPayload: EDITED, note: 'One more day.' });
  expect(decided).toMatchObject({ status: 'APPROVED', payload: ARGS, payloadHash: gate.payloadHash, note: 'One more day.' });
  expect(decided.versions).toEqual([
    { number: 1, payload: ARGS, payloadHash: payloadHash('os.set_context', ARGS), editedBy: null },
    { number: 2, payload: EDITED, payloadHash: payloadHash('os.set_context', EDITED), editedBy: { name: 'Cleo Kite' } },
  ]);
  const call = await again();
  expect([call.status, call.arguments, call.result]).toEqual(['SUCCEEDED', ARGS, EDITED]);
  expect(call.editedByHuman).toEqual([
    { op: 'add', path: '/value/who/-', value: 'Max' },
    { op: 'replace', path: '/value/days', value: 6 },
  ]);
  expect((await harness.call(run.token, 'r', 'os.get_context', { key: 'k' })).result).toEqual(EDITED);
  const audited = await kernel.db.prisma.auditEntry.findFirstOrThrow({ where: { subjectId: gate.id } });
  expect(audited.details).toMatchObject({ payloadHash: payloadHash('os.set_context', EDITED) });
});

it.each([500, 1_300])('one item of %i changed is told as that, and nothing else waits meanwhile', async (length) => {
  const value = Array.from({ length }, (_, index) => `item ${index}`);
  const { gate, again } = await held('os.set_context', { key: 'k', value });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const decided = await harness.decide(gate, { decision: 'APPROVE', editedPayload: { key: 'k', value: value.with(-1, 'changed') } });
  delay.disable();
  expect(decided.status).toBe('APPROVED');
  expect((await again()).editedByHuman).toEqual([{ op: 'replace', path: `/value/${length - 1}`, value: 'changed' }]);
  expect(delay.max / 1e6).toBeLessThan(500); // a pass over all pairs of its items takes seconds
});

it('the same payload, however spelled, is no change', async () => {
  const { gate, again } = await held('os.set_context', ARGS);
  const editedPayload = { value: { who: ['Mia'], days: 5 }, key: 'k' };
  const decided = await harness.decide(gate, { decision: 'APPROVE', editedPayload });
  expect(decided.versions).toHaveLength(1);
  expect(await again()).toMatchObject({ status: 'SUCCEEDED', editedByHuman: null, result: ARGS });
});

it.each([
  ['APPROVE', 'APPROVED', 'SUCCEEDED'],
  ['REJECT', 'REJECTED', 'TOOL_ERROR'],
  ['REQUEST_CHANGES', 'CHANGES_REQUESTED', 'HANDED_BACK'],
])('null is no payload: %s with it is as without', async (decision, status, called) => {
  const { gate, again } = await held('os.list_open_gates', {});
  expect(await harness.decide(gate, { decision, editedPayload: null })).toMatchObject({ status, versions: [{ number: 1 }] });
  expect((await again()).status).toBe(called);
});

it('what a tool reads of a changed payload is what is kept, hashed and executed', async () => {
  const { run, gate, again } = await held('os.set_execution_name', { name: 'Spring' });
  const decided = await harness.decide(gate, { decision: 'APPROVE', editedPayload: { name: ' Late \n  spring ' } });
  const payload = { name: 'Late spring' };
  expect(decided.versions[1]).toMatchObject({ payload, payloadHash: payloadHash('os.set_execution_name', payload) });
  const call = await again();
  expect([call.status, call.editedByHuman]).toEqual(['SUCCEEDED', [{ op: 'replace', path: '/name', value: 'Late spring' }]]);
  const { execution } = (
    await harness.data(company.ceoSession, 'query ($id: ID!) { run(id: $id) { execution { name } } }', { id: run.runId })
  ).run;
  expect(execution.name).toBe('Late spring');
});

it('a read is executed with the changed payload too, and answered like a write', async () => {
  const { gate, again } = await held('web.read', { url: 'http://kites.example/' });
  await harness.decide(gate, { decision: 'APPROVE', editedPayload: { url: 'http://kites.example/plans' } });
  const result = { url: 'http://kites.example/plans', markdown: '# http://kites.example/plans' };
  expect([(await again()).result, (await again()).result]).toEqual([result, result]);
});

describe('a changed payload is checked as the call that it has become', () => {
  it.each<[string, unknown, unknown]>([
    [
      'a missing field',
      { key: 'k' },
      {
        code: 'invalid_arguments',
        details: { issues: [{ path: 'value', message: 'is required; null is a value; it was left out (Any JSON value)' }] },
      },
    ],
    [
      'an unknown field',
      { ...EDITED, more: 1 },
      {
        code: 'invalid_arguments',
        details: { issues: [{ path: 'more', message: 'is not a field of this input; sent was the number 1; the fields are key, value' }] },
      },
    ],
    [
      'no object',
      'text',
      {
        code: 'invalid_arguments',
        details: { issues: [{ path: '', message: 'must be an object with the fields key, value; sent was the text "text"' }] },
      },
    ],
    [
      '__proto__',
      JSON.parse('{"key": "k", "value": {"__proto__": 1}}'),
      {
        code: 'invalid_arguments',
        details: { issues: [{ path: 'editedPayload.value.__proto__', message: 'the key __proto__ is not allowed: choose another name' }] },
      },
    ],
    [
      'NUL',
      { key: 'k\0', value: 1 },
      {
        code: 'invalid_arguments',
        details: {
          issues: [
            {
              path: 'editedPayload.key',
              message: 'contains a NUL character, which cannot be stored: leave it out; sent was the text "k\\u0000"',
            },
          ],
        },
      },
    ],
  ])('%s', async (_, editedPayload, refusal) => {
    const { run, gate } = await held('os.set_context', ARGS);
    expect(await harness.decide(gate, { decision: 'APPROVE', editedPayload })).toMatchObject(refusal as object);
    expect(await harness.gate(gate.id)).toMatchObject({ status: 'WAITING', versions: [{ number: 1 }] });
    expect((await harness.runOf(run.runId)).status).toBe('WAITING');
  });

  it.each([
    ['#key=k,l', 'tool_value_not_declared'],
    ['#!key=k,l', 'tool_value_not_declared'],
  ])('a value that %s does not allow is %s, and the run waits on', async (pins, code) => {
    const { run, gate, again } = await held('os.set_context', ARGS, pins);
    const refused = await harness.decide(gate, { decision: 'APPROVE', editedPayload: { ...ARGS, key: 'm' } });
    expect(refused).toMatchObject({ code, details: { field: 'key', allowed: ['k', 'l'] } });
    expect((await harness.runOf(run.runId)).status).toBe('WAITING');
    await harness.decide(gate, { decision: 'APPROVE', editedPayload: { ...ARGS, key: 'l' } });
    expect((await again()).result).toEqual({ ...ARGS, key: 'l' });
  });

  it.each(['REJECT', 'REQUEST_CHANGES'])('it does not go with %s', async (decision) => {
    const { gate } = await held('os.set_context', ARGS);
    expect(await harness.decide(gate, { decision, editedPayload: EDITED })).toMatchObject({
      code: 'invalid_arguments',
      details: { issues: [{ path: 'editedPayload', message: 'goes with APPROVE only' }] },
    });
    expect((await harness.gate(gate.id)).status).toBe('WAITING');
  });

  it('the answers are to the questions as they were changed', async () => {
    const { run, gate } = await held('os.ask_ceo', { questions: [question(1), question(2)] });
    const editedPayload = { questions: [question(1)] };
    const two = [
      { number: 1, kind: 'ACCEPT' },
      { number: 2, kind: 'ACCEPT' },
    ];
    const refused = await harness.decide(gate, { decision: 'APPROVE', editedPayload, answers: two });
    expect(refused).toMatchObject({
      code: 'invalid_arguments',
      details: { issues: [{ path: 'answers[1].number', message: 'there is no question 2' }] },
    });
    await harness.decide(gate, { decision: 'APPROVE', editedPayload, answers: [two[0]] });
    expect((await harness.runOf(run.runId)).output).toEqual({ ceoAnswers: [{ number: 1, kind: 'accept', text: null }], ceoNote: null });
  });
});
