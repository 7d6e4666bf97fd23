import { beforeEach, describe, expect, it } from 'vitest';
import type { SaveTaskInput } from '../../src/domain/task/save-task.ts';
import { calls, githubCatalog, testFamilies } from '../fixtures/tools.ts';
import { testApp } from '../support/app.ts';
import { makeClock } from '../support/clock.ts';
import { makeCompany } from '../support/company.ts';
import { graphql } from '../support/graphql-client.ts';
import { type Claimed, Harness } from '../support/harness.ts';

const clock = makeClock();
const { kernel, url } = await testApp({
  additions: { families: testFamilies, catalogs: [githubCatalog], now: clock.now },
  timing: { sweep: 3_600_000 }, // claiming passes over a run that the sweep holds at that moment
});
const company = await makeCompany(kernel);
const harness = new Harness(url, company);

/** The rows of a run's calls: [toolCallId, the id it holds, status, code]. */
const rows = async ({ runId }: Claimed) =>
  (await kernel.db.prisma.toolCall.findMany({ where: { runId }, orderBy: { id: 'asc' } })).map((row) => [
    ...[row.toolCallId, row.boundId, row.status, row.errorCode],
  ]);

const INVOKE = 'mutation ($input: InvokeToolInput!) { invokeTool(input: $input) { status } }';
const input = { toolCallId: 'x', tool: 'os.set_context', arguments: { key: 'a', value: 1 } };
const refusedCode = async (token: string) => (await graphql(url, token, INVOKE, { input })).errors?.[0]?.extensions?.code;

beforeEach(() => {
  calls.length = 0;
});

describe('who calls', () => {
  it('an unknown token, a session and an API token are refused', async () => {
    expect(await refusedCode(`ghr_${'x'.repeat(43)}`)).toBe('unauthenticated');
    expect(await refusedCode(company.ceoSession)).toBe('not_allowed');
    expect(await refusedCode(company.apiToken)).toBe('not_allowed');
  });

  it('the token of a run that was handed out again is dead', async () => {
    const task = await harness.task({ tools: ['os.set_context'] });
    await harness.start(task);
    const first = (await harness.claim(task))!;
    await harness.call(first.token, 'x', 'os.set_context', input.arguments);
    clock.advance(90_001);
    const second = (await harness.claim(task))!;
    expect([second.runId, second.attempt]).toEqual([first.runId, 2]);
    expect(await refusedCode(first.token)).toBe('unauthenticated');
    expect(await harness.call(second.token, 'x', 'os.set_context', input.arguments)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('for ten minutes after its end a run reads what is its own, and calls nothing anew', async () => {
    const run = await harness.run({ tools: ['os.set_context', 'os.get_context'] });
    const { runId, token } = run;
    await harness.call(token, 'a', 'os.set_context', input.arguments);
    await harness.drive('finishRun', token, { runId, outcome: 'done' });
    clock.advance(599_999);
    expect((await harness.runOf(runId, token)).status).toBe('FINISHED');
    expect(await harness.data(token, '{ gates { nodes { id } } eventCursor }')).toMatchObject({ gates: { nodes: [] } });
    expect(await harness.call(token, 'a', 'os.set_context', input.arguments)).toMatchObject({ status: 'SUCCEEDED' });
    expect((await harness.call(token, 'b', 'os.get_context', { key: 'a' })).error).toEqual({
      code: 'run_not_active',
      handling: 'HAND_BACK',
      message: 'The run is finished, not running. It has ended: stop, and make no further call in it.',
      details: { status: 'FINISHED' },
    });
    expect(await harness.drive('heartbeatRun', token, { runId })).toMatchObject({ code: 'run_not_active' });
    expect(await harness.refused(token, '{ openGates { totalCount } }')).toMatchObject({ code: 'not_allowed' });
    expect(await rows(run)).toEqual([['a', 'a', 'SUCCEEDED', null]]);
    clock.advance(1);
    expect(await refusedCode(token)).toBe('unauthenticated');
  });

  it('a waiting run is told to wait, naming the gate, and nothing is recorded', async () => {
    const run = await harness.run({ tools: ['os.set_context', 'os.get_context'], gates: [{ tool: 'os.set_context' }] });
    const held = await harness.call(run.token, 'a', 'os.set_context', input.arguments);
    for (const [tool, args] of [
      ['os.get_context', { key: 'a' }],
      ['nothing', {}],
      ['os.set_context', { key: 7 }],
      ['os.set_context', input.arguments],
      ['os.ask_ceo', {}],
    ] as const) {
      const call = await harness.call(run.token, 'b', tool, args);
      expect(call).toMatchObject({ status: 'HANDED_BACK' });
      expect(call.error).toEqual({
        code: 'run_waiting',
        handling: 'HAND_BACK',
        message: 'The run waits for a decision. Send this again once its gate has ended.',
        details: { gateId: held.gate!.id },
      });
      expect(await kernel.db.prisma.toolCall.count({ where: { id: call.id } })).toBe(0);
    }
    expect(await rows(run)).toEqual([['a', 'a', 'WAITING', null]]);
    expect((await kernel.db.prisma.run.findFirstOrThrow({ where: { id: run.runId } })).unknownToolCount).toBe(0);
  });
});

const HANDED_BACK: [string, Partial<SaveTaskInput>, string, unknown, unknown][] = [
  ['an unknown name', { tools: ['os.set_context'] }, 'nope', {}, { code: 'unknown_tool_name', details: { closest: ['os.set_context'] } }],
  [
    'an unknown name, in a task without tools',
    {},
    'nope',
    {},
    {
      code: 'unknown_tool_name',
      message: 'There is no tool "nope". This task has no tools: end the run with what you have.',
      details: { closest: [] },
    },
  ],
  [
    'a whole catalog of which the task holds nothing',
    { tools: ['os.set_context'] },
    'github',
    {},
    { code: 'bare_tool_name', details: { tools: ['github.create_issue', 'github.merge_pull_request'] } },
  ],
  [
    'unfit arguments, before the gate',
    { tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] },
    'os.set_context',
    { key: '', valeu: 1 },
    { code: 'invalid_arguments' },
  ],
  [
    'unfit arguments, before the pins',
    { tools: ['web.request#!method=HEAD'] },
    'web.request',
    { url: 'http://kites.example/', method: 'GET', verb: 'GET' },
    {
      code: 'invalid_arguments',
      details: { issues: [{ path: 'verb', message: expect.stringMatching(/^is not a field of this input; sent was /) }] },
    },
  ],
  [
    'a value that is not declared, before what the run may',
    { tools: ['workspace.write_file#path=a,b%2Cc'] },
    'workspace.write_file',
    { path: 'b', content: '' },
    { code: 'tool_value_not_declared', details: { field: 'path', allowed: ['a', 'b,c'] } },
  ],
  [
    'a write of a run that only reads',
    { tools: ['workspace.write_file', 'os.get_context'] },
    'workspace.write_file',
    { path: 'a', content: '' },
    { code: 'run_read_only', details: null },
  ],
  [
    'a call that needs a member',
    { tools: ['os.chat_write'] },
    'os.chat_write',
    { content: 'Hello' },
    { code: 'no_assigned_member', details: null },
  ],
  [
    'a call that needs a summary',
    { tools: ['os.mail_reply', 'os.set_gate_summary'] },
    'os.mail_reply',
    { id: 'm', text: 'Yes.' },
    { code: 'gate_summary_required', details: null },
  ],
];

describe.each(HANDED_BACK)('%s', (_, task, tool, args, error) => {
  it('is handed back, recorded, and frees its id', async () => {
    const run = await harness.run(task);
    const call = await harness.call(run.token, 'a', tool, args);
    expect(call).toMatchObject({ status: 'HANDED_BACK', result: null, gate: null, error });
    expect(call.error!.handling).toBe('HAND_BACK');
    expect(await harness.calls(run.runId)).toEqual([call]);
    expect(await rows(run)).toEqual([['a', null, 'HANDED_BACK', call.error!.code]]);
    expect(calls).toEqual([]);
    expect((await harness.runOf(run.runId)).status).toBe('RUNNING');
    expect(await kernel.db.prisma.gate.count({ where: { runId: run.runId } })).toBe(0);
    expect((await harness.call(run.token, 'a', 'nothing-of-ours')).error!.code).toBe('unknown_tool_name');
  });
});

it('an undeclared write of a run that only reads is an undeclared tool', async () => {
  const run = await harness.run({ tools: ['os.get_context'] });
  expect(await harness.call(run.token, 'a', 'os.set_context', input.arguments)).toMatchObject({
    status: 'RUN_FAILED',
    error: { code: 'tool_not_on_task', handling: 'FAIL' },
  });
  expect(await rows(run)).toEqual([['a', 'a', 'RUN_FAILED', 'tool_not_on_task']]);
});

it('the run’s member makes the call that needs one', async () => {
  const run = await harness.run({ tools: ['os.chat_write'], role: 'maker' });
  expect(await harness.call(run.token, 'a', 'os.chat_write', { content: 'Hello' })).toMatchObject({ status: 'SUCCEEDED' });
  await harness.drive('finishRun', run.token, { runId: run.runId, outcome: 'done' });
});

it('the summary of another run does not count', async () => {
  const task = await harness.task({ tools: ['os.mail_reply', 'os.set_gate_summary'], maxConcurrency: 2 });
  await harness.start(task);
  await harness.start(task);
  const [one, two] = [(await harness.claim(task))!, (await harness.claim(task))!];
  await harness.call(one.token, 'a', 'os.set_gate_summary', { summary: 'mine' });
  expect((await harness.call(two.token, 'a', 'os.mail_reply', { id: 'm', text: 'Yes.' })).error!.code).toBe('gate_summary_required');
  expect((await harness.call(one.token, 'b', 'os.mail_reply', { id: 'm', text: 'Yes.' })).status).toBe('WAITING');
});

it('a call that goes through is recorded with its answer', async () => {
  const run = await harness.run({ tools: ['os.set_context', 'os.get_context'] });
  const call = await harness.call(run.token, 'a', 'os__set_context', { key: 'a', value: { z: [1, null], a: 'ü' } });
  expect(call).toEqual({
    id: call.id,
    toolCallId: 'a',
    tool: 'os.set_context',
    arguments: { key: 'a', value: { z: [1, null], a: 'ü' } },
    status: 'SUCCEEDED',
    result: { key: 'a', value: { z: [1, null], a: 'ü' } },
    error: null,
    gate: null,
    editedByHuman: null,
  });
  const read = await harness.call(run.token, 'b', 'os.get_context', { key: 'a' });
  expect(read).toMatchObject({ status: 'SUCCEEDED', result: call.result });
  expect(await harness.calls(run.runId)).toEqual([call, { ...read, result: null }]);
  expect(await rows(run)).toEqual([
    ['a', 'a', 'SUCCEEDED', null],
    ['b', 'b', 'SUCCEEDED', null],
  ]);
});
