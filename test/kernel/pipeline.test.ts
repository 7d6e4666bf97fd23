import { beforeEach, describe, expect, it } from 'vitest';
import { calls, githubCatalog, testFamilies } from '../fixtures/tools.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';

const { kernel, url } = await testApp({ additions: { families: testFamilies, catalogs: [githubCatalog] } });
const harness = new Harness(url, await makeCompany(kernel));

const STANDARD = { tools: ['os.set_execution_name', 'workspace.edit', 'workspace.git_commit', 'workspace.read_file'] };
const asked = { url: 'http://127.0.0.1:8081/', method: 'GET' };

const unknownNames = async (id: string) => (await kernel.db.prisma.run.findFirstOrThrow({ where: { id } })).unknownToolCount;
const statusOf = async (id: string) => (await harness.runOf(id)).status;

beforeEach(() => {
  calls.length = 0;
});

describe('a name that no tool has', () => {
  it('is handed back with the closest of the task’s own tools', async () => {
    const { token, runId } = await harness.run(STANDARD);
    const call = await harness.call(token, 'c1', 'workspace__raed_file', { path: 'README.md' });
    expect(call).toMatchObject({ status: 'HANDED_BACK', tool: 'workspace__raed_file', result: null });
    expect(call.error).toEqual({
      code: 'unknown_tool_name',
      handling: 'HAND_BACK',
      message: 'There is no tool "workspace__raed_file". Did you mean workspace__read_file, workspace__edit, workspace__git_commit?',
      details: { closest: ['workspace.read_file', 'workspace.edit', 'workspace.git_commit'] },
    });
    expect([await statusOf(runId), await unknownNames(runId)]).toEqual(['RUNNING', 1]);
  });

  it('fails the run at the fourth time, whatever the names', async () => {
    const { token, runId } = await harness.run(STANDARD);
    for (const [id, name] of [
      ['c1', 'workspace.raed_file'],
      ['c2', 'workspace.raed_file'],
      ['c3', 'shell'],
    ] as const) {
      expect((await harness.call(token, id, name)).error?.code).toBe('unknown_tool_name');
    }
    const call = await harness.call(token, 'c4', 'shell');
    expect(call).toMatchObject({ status: 'RUN_FAILED', error: { code: 'unknown_tool_repeated', handling: 'FAIL' } });
    expect(await harness.runOf(runId)).toMatchObject({
      status: 'FAILED',
      failureCode: 'unknown_tool_repeated',
      reason: call.error!.message,
    });
    expect(calls).toEqual([]);
  });

  it('is counted exactly when ten come at once: three are handed back, and the run fails once', async () => {
    const { token, runId } = await harness.run(STANDARD);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => harness.call(token, `c${index}`, `nothing-${index}`)));
    const codes = answers.map(({ error }) => error!.code).sort();
    expect(codes).toEqual([...Array(6).fill('run_not_active'), ...Array(3).fill('unknown_tool_name'), 'unknown_tool_repeated']);
    expect((await harness.calls(runId)).map(({ status }) => status)).toHaveLength(4);
    expect(await unknownNames(runId)).toBe(4);
  });
});

it.each(['workspace__search', 'os__start_task'])('the run fails when it calls %s, which is not on its task', async (name) => {
  const { token, runId } = await harness.run(STANDARD);
  const call = await harness.call(token, 'c1', name, { query: 'x' });
  const tool = name.replace('__', '.');
  expect(call).toMatchObject({ status: 'RUN_FAILED', tool });
  expect(call.error).toEqual({
    code: 'tool_not_on_task',
    handling: 'FAIL',
    message: expect.stringMatching(new RegExp(`^The task of this run does not declare "${name}"\\. The run fails\\. Its tools are \\w`)),
    details: { tool },
  });
  expect(await harness.runOf(runId)).toMatchObject({ status: 'FAILED', failureCode: 'tool_not_on_task' });
  expect(calls).toEqual([]);
});

it('the name of a whole catalog is handed back with its tools, and does not count as unknown', async () => {
  const { token, runId } = await harness.run({ tools: ['os.set_context', 'github.create_issue'] });
  const call = await harness.call(token, 'c1', 'github', { title: 'x' });
  expect(call.status).toBe('HANDED_BACK');
  expect(call.error).toEqual({
    code: 'bare_tool_name',
    handling: 'HAND_BACK',
    message: '"github" names a whole catalog. Call one of its tools by name: github__create_issue.',
    details: { tools: ['github.create_issue'] },
  });
  expect([await statusOf(runId), await unknownNames(runId)]).toEqual(['RUNNING', 0]);
});

describe('a pin', () => {
  it('narrows the offered schema and hands back another value', async () => {
    const { token, runId, tools } = await harness.run({ tools: ['web.request#method=HEAD'] });
    expect(tools.map(({ name }) => name)).toEqual(['web__request']);
    expect(tools[0]!.inputSchema.properties.method.enum).toEqual(['HEAD']);
    expect(tools[0]!.inputSchema.required).toContain('method');
    const call = await harness.call(token, 'c1', 'web.request', asked);
    expect(call.status).toBe('HANDED_BACK');
    expect(call.error).toEqual({
      code: 'tool_value_not_declared',
      handling: 'HAND_BACK',
      message: 'method may only be HEAD here; sent was the text "GET".',
      details: { field: 'method', allowed: ['HEAD'] },
    });
    expect([await statusOf(runId), calls]).toEqual(['RUNNING', []]);
  });

  it('hands back a call that leaves the field out', async () => {
    const { token } = await harness.run({ tools: ['web.request#method=HEAD'] });
    const call = await harness.call(token, 'c1', 'web.request', { url: asked.url });
    expect(call.error).toMatchObject({
      code: 'invalid_arguments',
      details: { issues: [{ path: 'method', message: 'is required here, and was left out; allowed: HEAD' }] },
    });
  });

  it('that is fatal fails the run at another value', async () => {
    const { token, runId } = await harness.run({ tools: ['web.request#!method=HEAD'] });
    const call = await harness.call(token, 'c1', 'web.request', asked);
    expect(call.status).toBe('RUN_FAILED');
    expect(call.error).toEqual({
      code: 'tool_value_refused',
      handling: 'FAIL',
      message: 'method may only be HEAD here; sent was the text "GET". The run fails.',
      details: { field: 'method', allowed: ['HEAD'] },
    });
    expect(await harness.runOf(runId)).toMatchObject({ status: 'FAILED', failureCode: 'tool_value_refused' });
    expect(calls).toEqual([]);
  });
});

it('a gate on workspace.git_commit never waits, one on web.read parks the run', async () => {
  const gates = [{ tool: 'workspace.git_commit' }, { tool: 'web.read' }];
  const { token, runId } = await harness.run({ tools: ['os.set_context', 'workspace.git_commit', 'web.read'], gates });
  expect(await harness.call(token, 'c1', 'workspace.git_commit', { message: 'Cut the sail' })).toMatchObject({
    status: 'SUCCEEDED',
    result: { done: true },
  });
  const args = { url: 'http://127.0.0.1:8081/' };
  const call = await harness.call(token, 'c2', 'web.read', args);
  expect(call).toMatchObject({ status: 'WAITING', result: null, error: null, gate: { status: 'WAITING' } });
  expect(await statusOf(runId)).toBe('WAITING');
  expect(await harness.gate(call.gate!.id)).toMatchObject({ kind: 'HOLDING', status: 'WAITING', tool: 'web.read', payload: args });
  expect(await kernel.db.prisma.gate.count({ where: { runId } })).toBe(1);
  expect(calls.map(({ name }) => name)).toEqual(['workspace.git_commit']);
});

it('github.merge_pull_request is handed back until the run has set a gate summary', async () => {
  const { token, runId } = await harness.run({
    tools: ['os.set_gate_summary', 'github.merge_pull_request'],
    gates: [{ tool: 'github.merge_pull_request' }],
  });
  const merge = { repo: 'kites/site', number: 34 };
  const early = await harness.call(token, 'c1', 'github.merge_pull_request', merge);
  expect(early.status).toBe('HANDED_BACK');
  expect(early.error).toEqual({
    code: 'gate_summary_required',
    handling: 'HAND_BACK',
    message: 'Call os.set_gate_summary first, for each gate anew: whoever decides on github.merge_pull_request reads it.',
    details: null,
  });
  expect(await kernel.db.prisma.gate.count({ where: { runId } })).toBe(0);
  await harness.call(token, 'c2', 'os.set_gate_summary', { summary: '- merges #34' });
  const call = await harness.call(token, 'c1', 'github.merge_pull_request', merge);
  expect(call.status).toBe('WAITING');
  expect((await harness.gate(call.gate!.id)).summary).toBe('- merges #34');
});

it('a service without additions knows none of the test tools', async () => {
  const { registry } = (await testApp()).kernel;
  expect(registry.find('workspace.edit')).toBeUndefined();
  expect(registry.catalog('github')).toBeUndefined();
});
