import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sha256 } from '../../src/kernel/hash.ts';
import { calls, fixture, testFamilies } from '../fixtures/tools.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { type Claimed, Harness } from '../support/harness.ts';

/** What `web.moody` does, one entry a call: an answer, or a code to raise. */
const moods: string[] = [];
const moody = fixture({
  name: 'web.moody',
  input: z.strictObject({}),
  output: z.strictObject({ mood: z.string() }),
  handler: async ({ fail }) => {
    const mood = moods.shift() ?? 'calm';
    if (mood.includes('_')) fail(mood as never, `It is ${mood}.`);
    return { mood };
  },
});
const drum = fixture({
  name: 'workspace.drum',
  effect: 'write',
  retry: 'unsafe',
  input: z.strictObject({}),
  output: z.strictObject({ beat: z.int() }),
  handler: async () => ({ beat: calls.length }),
});
const toys = { title: 'Toys', page: 'Toys', intro: 'Test doubles.', tools: [moody, drum] };
const { kernel, url } = await testApp({ additions: { families: [...testFamilies, toys] } });
const company = await makeCompany(kernel);
const harness = new Harness(url, company);

const TOOLS = ['os.set_context', 'os.get_context', 'os.delete_context', 'web.moody', 'workspace.drum', 'web.read'];
const set = { key: 'k', value: { zebra: 1, a: [2, { y: 1, x: 2 }], mm: null } };

async function bytes(token: string, toolCallId: string, tool: string, args: unknown) {
  const query =
    'mutation ($input: InvokeToolInput!) { invokeTool(input: $input) { id arguments status result error { code message details } createdAt finishedAt } }';
  const body = JSON.stringify({ query, variables: { input: { toolCallId, tool, arguments: args } } });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).text();
}

const rowsOf = ({ runId }: Claimed) => kernel.db.prisma.toolCall.findMany({ where: { runId }, orderBy: { id: 'asc' } });

beforeEach(() => {
  calls.length = 0;
  moods.length = 0;
});

it('a write sent again answers the same bytes and acts once, in either spelling', async () => {
  const run = await harness.run({ tools: TOOLS });
  const first = await bytes(run.token, 'a', 'os.set_context', set);
  await harness.call(run.token, 'b', 'os.set_context', { key: 'k', value: 'later' });
  expect(await bytes(run.token, 'a', 'os.set_context', set)).toBe(first);
  expect(await bytes(run.token, 'a', 'os__set_context', { value: { mm: null, a: [2, { x: 2, y: 1 }], zebra: 1 }, key: 'k' })).toBe(first);
  expect((await harness.call(run.token, 'c', 'os.get_context', { key: 'k' })).result).toEqual({ key: 'k', value: 'later' });
  expect((await rowsOf(run)).length).toBe(3);
});

it('an unsafe write acts once under one id, and again under another', async () => {
  const run = await harness.run({ tools: TOOLS });
  const beats = [];
  for (const id of ['a', 'a', 'b', 'a', 'b']) beats.push((await harness.call(run.token, id, 'workspace.drum')).result.beat);
  expect(beats).toEqual([1, 1, 2, 1, 2]);
  expect(calls.length).toBe(2);
});

it('fifty at once under one id are one call', async () => {
  const run = await harness.run({ tools: TOOLS });
  const answers = await Promise.all(Array.from({ length: 50 }, () => bytes(run.token, 'a', 'workspace.drum', {})));
  expect(new Set(answers).size).toBe(1);
  expect([calls.length, (await rowsOf(run)).length]).toEqual([1, 1]);
});

it('other content under a bound id is refused, and leaves no record', async () => {
  const run = await harness.run({ tools: TOOLS });
  await harness.call(run.token, 'a', 'os.set_context', set);
  for (const [tool, args] of [
    ['os.set_context', { ...set, key: 'other' }],
    ['os.delete_context', { key: 'k' }],
    ['os.get_context', { key: 'k' }],
    ['os.set_context', { key: 7 }],
    ['nothing', {}],
    ['os.ask_ceo', {}],
  ] as const) {
    const call = await harness.call(run.token, 'a', tool, args);
    expect(call.status).toBe('HANDED_BACK');
    expect(call.error).toEqual({
      code: 'tool_call_id_reused',
      handling: 'HAND_BACK',
      message: `This run used the toolCallId "a" for another call, of ${tool === 'nothing' ? 'os__set_context' : 'os.set_context'}. Send this one under a new id.`,
      details: { tool: 'os.set_context' },
    });
  }
  expect((await rowsOf(run)).map(({ toolCallId, status }) => [toolCallId, status])).toEqual([['a', 'SUCCEEDED']]);
  expect((await harness.runOf(run.runId)).status).toBe('RUNNING');
});

it('another run’s id is its own', async () => {
  const [one, two] = [await harness.run({ tools: TOOLS }), await harness.run({ tools: TOOLS })];
  await harness.call(one.token, 'a', 'os.set_context', { key: 'k', value: 1 });
  expect((await harness.call(two.token, 'a', 'os.set_context', { key: 'k', value: 2 })).result).toEqual({ key: 'k', value: 2 });
});

it('a call that was handed back frees its id: corrected, it runs, and both stand in the timeline', async () => {
  const run = await harness.run({ tools: TOOLS });
  expect((await harness.call(run.token, 'a', 'os.set_context', { key: 'k' })).error!.code).toBe('invalid_arguments');
  expect((await harness.call(run.token, 'a', 'os.set_context', { key: 'k' })).error!.code).toBe('invalid_arguments');
  expect((await harness.call(run.token, 'a', 'os.set_context', set)).status).toBe('SUCCEEDED');
  expect((await rowsOf(run)).map((row) => [row.toolCallId, row.boundId, row.status])).toEqual([
    ['a', null, 'HANDED_BACK'],
    ['a', null, 'HANDED_BACK'],
    ['a', 'a', 'SUCCEEDED'],
  ]);
});

describe('a read sent again', () => {
  it('runs again, and of its answer only size and hash are kept', async () => {
    const run = await harness.run({ tools: TOOLS });
    await harness.call(run.token, 's1', 'os.set_context', { key: 'k', value: 1 });
    const first = await harness.call(run.token, 'r', 'os.get_context', { key: 'k' });
    await harness.call(run.token, 's2', 'os.set_context', { key: 'k', value: 22 });
    const second = await harness.call(run.token, 'r', 'os.get_context', { key: 'k' });
    expect([first.id, first.result, second.result]).toEqual([second.id, { key: 'k', value: 1 }, { key: 'k', value: 22 }]);
    const [, row] = await rowsOf(run);
    const text = JSON.stringify({ key: 'k', value: 22 });
    expect(row).toMatchObject({ toolCallId: 'r', result: null, resultSize: text.length, resultHash: sha256(text) });
  });

  it('takes its new answer, whichever way it turns', async () => {
    const run = await harness.run({ tools: TOOLS });
    moods.push('glad', 'not_found', 'no_assigned_member', 'glad', 'not_found', 'sad');
    const seen = [];
    for (let turn = 0; turn < 6; turn++) {
      const call = await harness.call(run.token, 'a', 'web.moody');
      seen.push([call.status, call.result?.mood ?? call.error!.code]);
    }
    expect(seen).toEqual([
      ['SUCCEEDED', 'glad'],
      ['TOOL_ERROR', 'not_found'],
      ['HANDED_BACK', 'no_assigned_member'],
      ['SUCCEEDED', 'glad'],
      ['TOOL_ERROR', 'not_found'],
      ['SUCCEEDED', 'sad'],
    ]);
    expect((await rowsOf(run)).map((row) => [row.boundId, row.status])).toEqual([
      [null, 'HANDED_BACK'],
      ['a', 'SUCCEEDED'],
    ]);
  });

  it('that is fatal this time fails the run', async () => {
    const run = await harness.run({ tools: TOOLS });
    moods.push('glad', 'tool_value_refused');
    await harness.call(run.token, 'a', 'web.moody');
    expect((await harness.call(run.token, 'a', 'web.moody')).status).toBe('RUN_FAILED');
    expect(await harness.runOf(run.runId)).toMatchObject({ status: 'FAILED', failureCode: 'tool_value_refused' });
  });
});

const ENDS: [string, (run: Claimed) => Promise<unknown>][] = [
  ['FINISHED', ({ token, runId }) => harness.drive('finishRun', token, { runId, outcome: 'done' })],
  ['FAILED', ({ token, runId }) => harness.drive('failRun', token, { runId, code: 'tired', reason: 'Tired.' })],
  ['BLOCKED', ({ token, runId }) => harness.drive('blockRun', token, { runId, blockClass: 'no_wind', reason: 'No wind.' })],
  ['CANCELLED', ({ runId }) => harness.drive('cancelRun', company.apiToken, { runId })],
  ['PAUSED', ({ token, runId }) => harness.drive('heartbeatRun', token, { runId, spentCents: 11 })],
];

describe.each(ENDS)('of a run that is %s', (status, end) => {
  it('writes and calls that opened a gate are answered again, and nothing else', async () => {
    const run = await harness.run({ tools: TOOLS, gates: [{ tool: 'web.read' }], spendLimitCents: 10 });
    const page = { url: 'http://kites.example/' };
    const write = await harness.call(run.token, 'w', 'os.set_context', set);
    await harness.call(run.token, 'r', 'os.get_context', { key: 'k' });
    const held = await harness.call(run.token, 'g', 'web.read', page);
    await harness.decide(held.gate!, { decision: 'APPROVE' });
    await end(run);
    expect((await harness.runOf(run.runId)).status).toBe(status);
    expect(await harness.call(run.token, 'w', 'os.set_context', set)).toEqual(write);
    expect(await harness.call(run.token, 'g', 'web.read', page)).toMatchObject({
      id: held.id,
      status: 'SUCCEEDED',
      result: { url: page.url, markdown: `# ${page.url}` },
    });
    for (const [id, tool, args] of [
      ['r', 'os.get_context', { key: 'k' }],
      ['n', 'os.set_context', set],
      ['n', 'nothing', {}],
    ] as const) {
      expect((await harness.call(run.token, id, tool, args)).error).toMatchObject({ code: 'run_not_active', details: { status } });
    }
    expect((await harness.call(run.token, 'w', 'os.get_context', { key: 'k' })).error!.code).toBe('tool_call_id_reused');
    expect((await rowsOf(run)).length).toBe(3);
  });
});

it('of a run that waits, a write and the held call are answered, a read is not', async () => {
  const run = await harness.run({ tools: TOOLS, gates: [{ tool: 'web.read' }] });
  const page = { url: 'http://kites.example/' };
  const write = await harness.call(run.token, 'w', 'os.set_context', set);
  await harness.call(run.token, 'r', 'os.get_context', { key: 'k' });
  const held = await harness.call(run.token, 'g', 'web.read', page);
  expect(await harness.call(run.token, 'w', 'os.set_context', set)).toEqual(write);
  expect(await harness.call(run.token, 'g', 'web.read', page)).toEqual(held);
  expect((await harness.call(run.token, 'r', 'os.get_context', { key: 'k' })).error).toMatchObject({
    code: 'run_waiting',
    details: { gateId: held.gate!.id },
  });
  expect((await harness.call(run.token, 'g', 'web.read', { url: 'http://other.example/' })).error!.code).toBe('tool_call_id_reused');
});
