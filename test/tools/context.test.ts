import { describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';

const { kernel, url } = await testApp();
const company = await makeCompany(kernel);
const harness = new Harness(url, company);
const TOOLS = ['os.set_context', 'os.get_context', 'os.delete_context'];
const run = await harness.run({ tools: TOOLS });

let sent = 0;
const call = (tool: string, args: unknown, token = run.token) => harness.call(token, `c${++sent}`, tool, args);
const set = (key: string, value: unknown) => call('os.set_context', { key, value });
const get = async (key: string, token?: string) => (await call('os.get_context', { key }, token)).result;
const issues = async (tool: string, args: unknown) => (await call(tool, args)).error!.details.issues;

describe('a value', () => {
  it.each([[null], [true], [0], [-1.5e-7], [2 ** 53 - 1], [''], ['ü😀'], [[]], [{}], [{ a: [{ b: null }] }]])(
    '%j comes back as it was set',
    async (value) => {
      expect((await set('v', value)).result).toEqual({ key: 'v', value });
      expect(await get('v')).toEqual({ key: 'v', value });
    },
  );

  it('is overwritten when the key is set again', async () => {
    await set('again', { a: 1 });
    await set('again', [2]);
    expect(await get('again')).toEqual({ key: 'again', value: [2] });
  });

  it('has at most 16 KiB as JSON in UTF-8', async () => {
    const fits = 'ü'.repeat(8_191);
    expect((await set('size', fits)).result.value).toBe(fits);
    expect(await issues('os.set_context', { key: 'size', value: `${fits}x` })).toEqual([
      {
        path: 'value',
        message: expect.stringMatching(
          /^must have at most 16384 bytes as JSON; sent was the text "ü+…" of 8,192 characters \(Any JSON value\)$/,
        ),
      },
    ]);
    expect((await get('size')).value).toBe(fits);
  });
});

describe('a key', () => {
  it('has 1 to 512 characters, compared as they are', async () => {
    const long = '😀'.repeat(512);
    for (const key of [long, ' ', 'A', 'a', 'é', 'e\u0301', 'constructor', 'toString', 'a/b/../c']) await set(key, `of ${key}`);
    for (const key of [long, ' ', 'A', 'a', 'é', 'e\u0301', 'constructor', 'toString', 'a/b/../c']) {
      expect(await get(key)).toEqual({ key, value: `of ${key}` });
    }
  });

  it.each(['os.set_context', 'os.get_context', 'os.delete_context'])('%s refuses a key that cannot be', async (tool) => {
    const value = tool === 'os.set_context' ? { value: 1 } : {};
    expect(await issues(tool, { key: `${'😀'.repeat(512)}x`, ...value })).toEqual([
      { path: 'key', message: expect.stringMatching(/^must have at most 512 characters; sent was the text "/) },
    ]);
    expect((await issues(tool, { key: '', ...value })).map(({ path }: { path: string }) => path)).toEqual(['key']);
    expect(await issues(tool, { key: '__proto__', ...value })).toEqual([
      { path: 'key', message: expect.stringMatching(/^the key __proto__ is not allowed: choose another name; sent was /) },
    ]);
    expect(await issues(tool, { key: 'k', ...value, ttl: 1 })).toEqual([
      { path: 'ttl', message: expect.stringMatching(/^is not a field of this input; sent was the number 1; the fields are key/) },
    ]);
  });
});

it('a key that holds nothing is no error', async () => {
  expect(await get('never')).toEqual({ key: 'never', value: null });
  expect((await call('os.delete_context', { key: 'never' })).result).toEqual({ key: 'never', deleted: false });
});

it('a deleted key holds nothing', async () => {
  await set('gone', 1);
  expect((await call('os.delete_context', { key: 'gone' })).result).toEqual({ key: 'gone', deleted: true });
  expect((await call('os.delete_context', { key: 'gone' })).result).toEqual({ key: 'gone', deleted: false });
  expect(await get('gone')).toEqual({ key: 'gone', value: null });
});

it('the same call again answers what it answered, and touches nothing that came later', async () => {
  const one = await harness.call(run.token, 's1', 'os.set_context', { key: 'r', value: 1 });
  const gone = await harness.call(run.token, 'd1', 'os.delete_context', { key: 'r' });
  await harness.call(run.token, 's2', 'os.set_context', { key: 'r', value: 2 });
  expect(await harness.call(run.token, 's1', 'os.set_context', { key: 'r', value: 1 })).toEqual(one);
  expect(await harness.call(run.token, 'd1', 'os.delete_context', { key: 'r' })).toEqual(gone);
  expect(await get('r')).toEqual({ key: 'r', value: 2 });
});

it('is shared by the runs of all tasks of one enterprise, and by no other', async () => {
  await set('shared', 'ours');
  const colleague = await harness.run({ tools: TOOLS });
  expect(await get('shared', colleague.token)).toEqual({ key: 'shared', value: 'ours' });
  const strangers = new Harness(url, await makeCompany(kernel, 'Test Soup'));
  const stranger = await strangers.run({ tools: TOOLS });
  expect(await get('shared', stranger.token)).toEqual({ key: 'shared', value: null });
  await call('os.set_context', { key: 'shared', value: 'theirs' }, stranger.token);
  expect((await call('os.delete_context', { key: 'shared' }, stranger.token)).result.deleted).toBe(true);
  expect(await get('shared')).toEqual({ key: 'shared', value: 'ours' });
});

it('tells the portal nothing: no event is written', async () => {
  const before = await kernel.db.prisma.event.count();
  await set('quiet', 1);
  await call('os.delete_context', { key: 'quiet' });
  expect(await kernel.db.prisma.event.count()).toBe(before);
});

describe('the typed fields', () => {
  const SET = 'mutation ($input: OsSetContextInput!, $id: String) { osSetContext(input: $input, toolCallId: $id) { key value } }';
  const GET = 'query ($key: String!) { osGetContext(key: $key) { key value } }';

  it('answer the result itself', async () => {
    const input = { key: 'typed', value: { a: null } };
    expect(await harness.data(run.token, SET, { input })).toEqual({ osSetContext: input });
    expect(await harness.data(run.token, GET, { key: 'typed' })).toEqual({ osGetContext: input });
    expect(await harness.data(run.token, SET, { input: { key: 'typed', value: null } })).toEqual({
      osSetContext: { key: 'typed', value: null },
    });
  });

  it('share the ids of invokeTool', async () => {
    const input = { key: 'typed', value: 7 };
    await harness.data(run.token, SET, { input, id: 't1' });
    await set('typed', 8);
    expect(await harness.data(run.token, SET, { input, id: 't1' })).toEqual({ osSetContext: input });
    expect(await harness.call(run.token, 't1', 'os.set_context', input)).toMatchObject({ status: 'SUCCEEDED', result: input });
    expect(await harness.refused(run.token, SET, { input: { ...input, value: 9 }, id: 't1' })).toEqual({
      code: 'tool_call_id_reused',
      handling: 'HAND_BACK',
      message: 'This run used the toolCallId "t1" for another call, of os.set_context. Send this one under a new id.',
      details: { tool: 'os.set_context' },
    });
    expect((await get('typed')).value).toBe(8);
  });

  it('are the run’s own', async () => {
    for (const token of [company.ceoSession, company.apiToken, company.personSession]) {
      expect(await harness.refused(token, GET, { key: 'typed' })).toMatchObject({ code: 'not_allowed' });
      expect(await harness.refused(token, SET, { input: { key: 'typed', value: 1 } })).toMatchObject({ code: 'not_allowed' });
    }
  });
});
