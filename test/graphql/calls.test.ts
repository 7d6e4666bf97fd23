import { describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { graphql } from '../support/graphql-client.ts';
import { Harness } from '../support/harness.ts';

const app = await testApp();
const company = await makeCompany(app.kernel);
const harness = new Harness(app.url, company);

const TOOLS = ['os.set_context', 'os.get_context', 'os.delete_context', 'os.list_open_gates', 'os.set_gate_summary', 'os.ask_ceo'];

describe('invokeTool', () => {
  it('answers a call whole, with its run and gate', async () => {
    const run = await harness.run({ tools: TOOLS, gates: [{ tool: 'os.set_context' }] });
    const query = `mutation ($input: InvokeToolInput!) { invokeTool(input: $input) { id toolCallId tool arguments status result error { code } gate { id kind toolCall { id } }
      editedByHuman run { id status } createdAt finishedAt } }`;
    const { invokeTool } = await harness.data(run.token, query, {
      input: { toolCallId: 'c', tool: 'os__set_context', arguments: { key: 'k', value: null } },
    });
    expect(invokeTool).toEqual({
      id: expect.any(String),
      toolCallId: 'c',
      tool: 'os.set_context',
      arguments: { key: 'k', value: null },
      status: 'WAITING',
      result: null,
      error: null,
      gate: { id: expect.any(String), kind: 'HOLDING', toolCall: { id: invokeTool.id } },
      editedByHuman: null,
      run: { id: run.runId, status: 'WAITING' },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      finishedAt: null,
    });
    const refused = await harness.data(run.token, query, { input: { toolCallId: 'd', tool: 'os.get_context', arguments: { key: 'k' } } });
    expect(refused.invokeTool).toMatchObject({ status: 'HANDED_BACK', error: { code: 'run_waiting' }, gate: null, run: { id: run.runId } });
  });

  it('is a run’s alone', async () => {
    for (const token of [company.ceoSession, company.apiToken]) {
      const refusal = await harness.refused(token, 'mutation { invokeTool(input: { toolCallId: "c", tool: "os.get_context" }) { id } }');
      expect(refusal.code).toBe('not_allowed');
    }
  });
});

describe('the field of a tool', () => {
  it('answers the tool’s result', async () => {
    const run = await harness.run({ tools: TOOLS });
    const ask = (query: string, variables = {}) => harness.data(run.token, query, variables);
    expect(await ask('mutation { osSetContext(input: { key: "k", value: { a: [1, null] } }) { key value } }')).toEqual({
      osSetContext: { key: 'k', value: { a: [1, null] } },
    });
    expect(await ask('mutation ($value: JSON) { osSetContext(input: { key: "n", value: $value }) { value } }', { value: null })).toEqual({
      osSetContext: { value: null },
    });
    expect(await ask('{ osGetContext(key: "k") { value } }')).toEqual({ osGetContext: { value: { a: [1, null] } } });
    expect(await ask('mutation { osDeleteContext(input: { key: "k" }) { key deleted } }')).toEqual({
      osDeleteContext: { key: 'k', deleted: true },
    });
    expect((await ask('{ osListOpenGates { runId taskSlug } }')).osListOpenGates).toBeInstanceOf(Array);
  });

  it('is the same call under the same toolCallId', async () => {
    const run = await harness.run({ tools: TOOLS });
    const set = 'mutation ($id: String, $value: JSON) { osSetContext(input: { key: "same", value: $value }, toolCallId: $id) { value } }';
    await harness.data(run.token, set, { id: 'a', value: 1 });
    await harness.data(run.token, set, { id: 'b', value: 2 });
    expect(await harness.data(run.token, set, { id: 'a', value: 1 })).toEqual({ osSetContext: { value: 1 } });
    expect((await harness.call(run.token, 'r', 'os.get_context', { key: 'same' })).result.value).toBe(2);
    expect(await harness.refused(run.token, set, { id: 'a', value: 3 })).toMatchObject({
      code: 'tool_call_id_reused',
      handling: 'HAND_BACK',
      details: { tool: 'os.set_context' },
    });
  });

  it('leaves out an optional argument that is null', async () => {
    const run = await harness.run({ tools: TOOLS });
    const question = { number: 1, question: 'q', context: 'c', ctoRecommendation: 'r' };
    const query = 'mutation ($input: OsAskCeoInput!) { osAskCeo(input: $input, toolCallId: "q") { ceoNote } }';
    expect((await harness.refused(run.token, query, { input: { questions: [question], context: null } })).code).toBe('gate_waiting');
    expect((await harness.calls(run.runId))[0]!.arguments).toEqual({ questions: [question] });
  });

  it('raises what is no result, with code and handling', async () => {
    const run = await harness.run({ tools: TOOLS, gates: [{ tool: 'os.set_context', timeoutMinutes: 5 }] });
    const unfit = await harness.refused(run.token, '{ osGetContext(key: "") { key } }');
    expect(unfit).toMatchObject({ code: 'invalid_arguments', handling: 'HAND_BACK', details: { issues: [{ path: 'key' }] } });
    const held = await harness.refused(run.token, 'mutation { osSetContext(input: { key: "k", value: 1 }, toolCallId: "h") { key } }');
    const [, gated] = await harness.calls(run.runId);
    expect(held).toMatchObject({ code: 'gate_waiting', details: { gateId: gated!.gate!.id, timesOutAt: expect.any(String) } });
    expect(await harness.refused(run.token, '{ osGetContext(key: "k") { key } }')).toMatchObject({
      code: 'run_waiting',
      handling: 'HAND_BACK',
    });
    await harness.decide(gated!.gate!, { decision: 'REJECT', note: 'No.' });
    const rejected = await harness.refused(run.token, 'mutation { osSetContext(input: { key: "k", value: 1 }, toolCallId: "h") { key } }');
    expect(rejected).toMatchObject({ code: 'gate_rejected', handling: 'TOOL_ERROR', details: { note: 'No.' } });
  });

  it('is refused by GraphQL itself where an argument is unknown, and leaves no record', async () => {
    const run = await harness.run({ tools: TOOLS });
    const refusal = await harness.refused(run.token, '{ osGetContext(key: "k", other: 1) { key } }');
    expect(refusal.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(await harness.calls(run.runId)).toEqual([]);
  });

  it('may be called with the scope of its route, or by a session', async () => {
    for (const token of [company.apiToken, company.ceoSession, company.personSession]) {
      expect(await harness.data(token, '{ osListOpenGates { toolName } }')).toHaveProperty('osListOpenGates');
      expect((await harness.refused(token, '{ osGetContext(key: "k") { key } }')).code).toBe('not_allowed');
    }
    expect(await harness.refused(company.workerToken, '{ osListOpenGates { toolName } }')).toMatchObject({
      code: 'scope_missing',
      details: { scope: 'gates:read' },
    });
  });
});

describe('decideGates', () => {
  const query =
    'mutation ($input: [DecideGateInput!]!) { decideGates(input: $input) { gateId gate { id status } error { code message details } } }';
  const waiting = async () => {
    const run = await harness.run({ tools: TOOLS, gates: [{ tool: 'os.set_context' }] });
    return (await harness.call(run.token, 'c', 'os.set_context', { key: 'k', value: 1 })).gate!;
  };

  it('answers for each by itself: exactly one of gate and error', async () => {
    const [one, two] = [await waiting(), await waiting()];
    const approve = ({ id, payloadHash }: { id: string; payloadHash: string }) => ({ gateId: id, payloadHash, decision: 'APPROVE' });
    const input = [approve(one), { ...approve(two), payloadHash: 'other' }, approve(one), { ...approve(two), gateId: 'no-gate' }];
    const { decideGates } = await harness.data(company.ceoSession, query, { input });
    expect(decideGates).toEqual([
      { gateId: one.id, gate: { id: one.id, status: 'APPROVED' }, error: null },
      {
        gateId: two.id,
        gate: null,
        error: { code: 'payload_changed', message: expect.any(String), details: { payloadHash: two.payloadHash } },
      },
      {
        gateId: one.id,
        gate: null,
        error: { code: 'gate_already_decided', message: expect.any(String), details: expect.objectContaining({ status: 'APPROVED' }) },
      },
      {
        gateId: 'no-gate',
        gate: null,
        error: { code: 'not_found', message: 'There is no gate "no-gate" in this enterprise.', details: null },
      },
    ]);
  });

  it('refuses more than 200', async () => {
    const decision = { gateId: 'x', payloadHash: 'x', decision: 'APPROVE' };
    expect((await harness.refused(company.ceoSession, query, { input: Array(201).fill(decision) })).code).toBe('invalid_arguments');
  });

  it('is the CEO’s', async () => {
    const gate = await waiting();
    const input = [{ gateId: gate.id, payloadHash: gate.payloadHash, decision: 'APPROVE' }];
    const { data } = await graphql(app.url, company.personSession, query, { input });
    expect(data.decideGates[0].error.code).toBe('not_gate_owner');
  });
});
