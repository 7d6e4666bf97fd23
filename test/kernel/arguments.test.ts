import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fixture, testFamilies } from '../fixtures/tools.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';

/** Answers `{"text":"…"}` of so many characters of JSON. */
const sized = { input: z.strictObject({ characters: z.int(), limit: z.int().optional() }), output: z.strictObject({ text: z.string() }) };
const answer = async (_: unknown, { characters }: { characters: number }) => ({ text: 'x'.repeat(characters - 11) });
const any = fixture({
  name: 'web.any',
  arguments: 'any',
  input: z.strictObject({ team: z.string().optional() }),
  output: z.strictObject({ team: z.string().nullable() }),
  handler: async (_, { team }) => ({ team: team ?? null }),
});
const LONG = `long.${'pull_request_review_comment_reply_'.repeat(2)}tool`;
const long = fixture({
  name: LONG,
  input: z.strictObject({}),
  output: z.strictObject({ long: z.literal(true) }),
  handler: async () => ({ long: true as const }),
});
const toys = {
  ...{ title: 'Toys', page: 'Toys', intro: 'Test doubles.' },
  tools: [
    fixture({ ...sized, name: 'web.sized', handler: answer }),
    fixture({ ...sized, name: 'workspace.sized', effect: 'write', handler: answer }),
    fixture({ ...sized, name: 'web.emoji', handler: async (_, { characters }) => ({ text: '😀'.repeat(characters) }) }),
    any,
  ],
};
const { kernel, url } = await testApp({ additions: { families: [...testFamilies, toys], catalogs: [{ type: 'long', tools: [long] }] } });
const harness = new Harness(url, await makeCompany(kernel));

const TOOLS = [
  'os.set_context',
  'os.get_context',
  'os.ask_ceo',
  'os.list_open_gates',
  'web.any',
  'web.sized',
  'workspace.sized',
  'web.emoji',
  LONG,
];
const { token, tools, runId } = await harness.run({ tools: TOOLS });
let sent = 0;
const call = (tool: string, args?: unknown) => harness.call(token, `c${sent++}`, tool, args);

/** What is wrong with the arguments of a call that must be handed back. */
async function issues(tool: string, args: unknown) {
  const { status, error, arguments: kept } = await call(tool, args);
  expect([status, error?.code, error?.handling]).toEqual(['HANDED_BACK', 'invalid_arguments', 'HAND_BACK']);
  expect(error!.message).toBe(
    ['The arguments do not fit:', ...error!.details.issues.map(({ path, message }: any) => (path ? `${path}: ${message}` : message))].join(
      '\n',
    ),
  );
  return { kept, issues: error!.details.issues.map(({ path, message }: any) => `${path}: ${message}`) };
}

describe('arguments are strict', () => {
  it('each problem is an issue with its path, each unknown field one of its own', async () => {
    const question = { number: 1, question: '', context: 'c', ctoRecommendation: 'r', because: 'x' };
    const args = { questions: [question, { ...question, number: 'two' }], contxt: 'x', more: 1 };
    const found = await issues('os.ask_ceo', args);
    expect(found.kept).toEqual(args);
    expect(found.issues.map((issue: string) => issue.split(':')[0]).sort()).toEqual([
      ...['contxt', 'more', 'questions[0].because', 'questions[0].question'],
      ...['questions[1].because', 'questions[1].number', 'questions[1].question'],
    ]);
    expect(found.issues).toContain(
      'contxt: is not a field of this input; sent was the text "x"; the fields are questions, context (optional)',
    );
  });

  it.each([
    [[], 'an empty list'],
    ['text', 'the text "text"'],
    [7, 'the number 7'],
    [true, 'true'],
  ])('%j is no object of named fields', async (args, sent) => {
    expect((await issues('os.get_context', args)).issues).toEqual([`: must be an object with the fields key; sent was ${sent}`]);
  });

  it('a value may be null, and may not be left out', async () => {
    expect((await call('os.set_context', { key: 'n', value: null })).result).toEqual({ key: 'n', value: null });
    expect((await issues('os.set_context', { key: 'n' })).issues).toEqual([
      'value: is required; null is a value; it was left out (Any JSON value)',
    ]);
  });

  it.each([[{}], [null], [undefined]])('a tool that takes no arguments accepts %j', async (args) => {
    expect((await call('os.list_open_gates', args)).status).toBe('SUCCEEDED');
  });

  it('and nothing else', async () => {
    expect((await issues('os.list_open_gates', { page: 1 })).issues).toEqual([
      'page: is not a field of this input; sent was the number 1; it takes no fields: send {}',
    ]);
  });

  it('a tool that takes any object reads what it knows of it', async () => {
    expect((await call('web.any', { team: 'ops', because: ['x'] })).result).toEqual({ team: 'ops' });
    expect((await call('web.any')).result).toEqual({ team: null });
    expect((await issues('web.any', { team: 7 })).issues).toHaveLength(1);
    expect((await issues('web.any', [])).issues).toEqual([': must be an object with the fields team (optional); sent was an empty list']);
  });
});

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

describe('what cannot be stored is refused by name before any schema sees it', () => {
  it.each<[string, unknown, string]>([
    [
      'a NUL character',
      { key: 'k', value: { a: ['x\0'] } },
      'value.a[0]: contains a NUL character, which cannot be stored: leave it out; sent was the text "x\\u0000"',
    ],
    [
      'a NUL in a key',
      { key: 'k', value: { 'x\0': 1 } },
      'value: has a key that contains a NUL character, which cannot be stored: leave it out; sent was the text "x\\u0000"',
    ],
    [
      'half a surrogate pair',
      { key: '\ud83d', value: 1 },
      'key: contains half of a surrogate pair, which is no character: leave it out; sent was the text "\\ud83d"',
    ],
    [
      '__proto__',
      JSON.parse('{"key": "k", "value": {"__proto__": 1}}'),
      'value.__proto__: the key __proto__ is not allowed: choose another name',
    ],
    ['65 levels', { key: 'k', value: nested(64) }, `value${'[0]'.repeat(63)}: is nested more than 64 deep: send it flatter`],
  ])('%s', async (_, args, issue) => {
    const found = await issues('os.set_context', args);
    expect(found).toEqual({ kept: null, issues: [issue] });
    expect((await issues('web.any', { ...(args as object) })).issues[0]).toBe(issue);
  });

  it('other names of Object.prototype are stored as given, and 64 levels are', async () => {
    const value = JSON.parse('{"constructor": 1, "prototype": {"x": 2}, "toString": "s", "length": [], "hasOwnProperty": null}');
    expect((await call('os.set_context', { key: 'constructor', value })).result).toEqual({ key: 'constructor', value });
    expect((await call('os.get_context', { key: 'constructor' })).result.value).toEqual(value);
    expect((await call('os.set_context', { key: 'deep', value: nested(63) })).result.value).toEqual(nested(63));
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('the run goes on, and nothing was stored', async () => {
    expect((await call('os.get_context', { key: 'k' })).result).toEqual({ key: 'k', value: null });
    expect((await harness.runOf(runId)).status).toBe('RUNNING');
  });
});

it.each([
  ['', 'os.get_context', 'toolCallId'],
  ['x'.repeat(201), 'os.get_context', 'toolCallId'],
  ['a\0', 'os.get_context', 'toolCallId'],
  ['ok', '', 'tool'],
  ['ok', 'x'.repeat(201), 'tool'],
])('a toolCallId %j with the tool %j is handed back and leaves no record', async (id, tool, path) => {
  const before = await kernel.db.prisma.toolCall.count();
  const { status, error } = await harness.call(token, id, tool, { key: 'k' });
  expect([status, error!.code, error!.details.issues[0].path]).toEqual(['HANDED_BACK', 'invalid_arguments', path]);
  expect(await kernel.db.prisma.toolCall.count()).toBe(before);
});

describe('an answer of more than 25,000 characters', () => {
  it('of 25,000 is handed over', async () => {
    expect((await call('web.sized', { characters: 25_000 })).result.text.length).toBe(24_989);
    expect((await call('workspace.sized', { characters: 25_000 })).result.text.length).toBe(24_989);
  });

  it('of a read is an error with its size, a preview and a hint', async () => {
    const { status, result, error } = await call('web.sized', { characters: 25_001 });
    expect([status, result]).toEqual(['TOOL_ERROR', null]);
    expect(error).toEqual({
      code: 'tool_result_truncated',
      handling: 'TOOL_ERROR',
      message: 'The answer has 25001 characters; at most 25000 are handed over. Ask for less with limit.',
      details: { totalChars: 25_001, maxChars: 25_000, preview: `{"text":"${'x'.repeat(1_991)}`, hint: 'Ask for less with limit.' },
    });
  });

  it('of a write says that the call was made', async () => {
    const { error } = await call('workspace.sized', { characters: 30_000 });
    expect(error!.message).toBe(
      'The call was made, but its answer has 30000 characters; at most 25000 are handed over. Ask for less with limit.',
    );
  });

  it('is never cut within a character', async () => {
    const { error } = await call('web.emoji', { characters: 20_000 });
    expect(error!.details.totalChars).toBe(40_011);
    expect(error!.details.preview).toBe(`{"text":"${'😀'.repeat(995)}`);
  });
});

it('a name too long for models is offered shortened, and called by either', async () => {
  const offered = tools.map(({ name }) => name).at(-1)!;
  expect([offered.length, offered.startsWith('long__pull_request_review_comment_reply_'), /_[0-9a-f]{8}$/.test(offered)]).toEqual([
    64,
    true,
    true,
  ]);
  for (const name of [offered, LONG, LONG.replaceAll('.', '__')]) {
    expect(await call(name)).toMatchObject({ tool: LONG, status: 'SUCCEEDED', result: { long: true } });
  }
});
