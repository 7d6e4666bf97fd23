import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { type Claimed, Harness } from '../support/harness.ts';

const { kernel, url } = await testApp();
const company = await makeCompany(kernel);
const harness = new Harness(url, company);
const TOOLS = ['os.set_execution_name', 'os.add_execution_link'];

const EXECUTION = 'query ($id: ID!) { run(id: $id) { execution { name links { name url } } } }';
const execution = async (id: string) => (await harness.data(company.ceoSession, EXECUTION, { id })).run.execution;
let sent = 0;
const call = ({ token }: Claimed, tool: string, args: unknown) => harness.call(token, `c${++sent}`, tool, args);
const paths = async (run: Claimed, tool: string, args: unknown) => {
  const { error } = await call(run, tool, args);
  return [
    error?.code,
    error?.details.issues.map(({ path, message }: { path: string; message: string }) => `${path}: ${message.split(';')[0]}`),
  ];
};

it('names the execution: white space made one, ends trimmed, the last one stands', async () => {
  const run = await harness.run({ tools: TOOLS });
  expect(await execution(run.runId)).toEqual({ name: 'Make kites', links: [] });
  expect((await call(run, 'os.set_execution_name', { name: '\t Weekly \n plan,\u00a0 week  12 ' })).result).toEqual({
    name: 'Weekly plan, week 12',
  });
  expect((await call(run, 'os.set_execution_name', { name: 'x'.repeat(200) })).result).toEqual({ name: 'x'.repeat(200) });
  expect((await call(run, 'os.set_execution_name', { name: ` ${'y '.repeat(100)}` })).result).toEqual({ name: 'y '.repeat(100).trim() });
  expect((await execution(run.runId)).name).toBe('y '.repeat(100).trim());
});

it.each([[''], [' \n '], ['x'.repeat(201)]])('refuses the name %j', async (name) => {
  const run = await harness.run({ tools: TOOLS });
  expect((await paths(run, 'os.set_execution_name', { name }))[0]).toBe('invalid_arguments');
  expect((await execution(run.runId)).name).toBe('Make kites');
});

it('the name is the whole execution’s: a successor sees it', async () => {
  const next = await harness.task({ tools: TOOLS });
  const run = await harness.run({ tools: TOOLS, successors: [{ outcome: 'done', task: next }] });
  await call(run, 'os.set_execution_name', { name: 'First' });
  await harness.drive('finishRun', run.token, { runId: run.runId, outcome: 'done' });
  const follower = (await harness.claim(next))!;
  expect((await execution(follower.runId)).name).toBe('First');
  await call(follower, 'os.set_execution_name', { name: 'Second' });
  expect((await execution(run.runId)).name).toBe('Second');
});

it('the same call sent again does not bring an older name back', async () => {
  const run = await harness.run({ tools: TOOLS });
  const first = await harness.call(run.token, 'n1', 'os.set_execution_name', { name: 'One' });
  await harness.call(run.token, 'n2', 'os.set_execution_name', { name: 'Two' });
  expect(await harness.call(run.token, 'n1', 'os.set_execution_name', { name: 'One' })).toEqual(first);
  expect((await execution(run.runId)).name).toBe('Two');
});

it('adds links; a URL that is there gets the new label', async () => {
  const run = await harness.run({ tools: TOOLS });
  const [plan, issue] = ['https://docs.kites.example/plans/12', 'http://issues.kites.example/12?a=1#b'];
  expect((await call(run, 'os.add_execution_link', { name: ' Plan ', url: plan })).result).toEqual({ name: 'Plan', url: plan });
  expect((await call(run, 'os.add_execution_link', { name: 'Issue', url: issue })).result).toEqual({ name: 'Issue', url: issue });
  expect((await call(run, 'os.add_execution_link', { name: 'Plan of week 12', url: plan })).result).toEqual({
    name: 'Plan of week 12',
    url: plan,
  });
  expect((await execution(run.runId)).links).toEqual([
    { name: 'Plan of week 12', url: plan },
    { name: 'Issue', url: issue },
  ]);
});

const CJK = 'https://kites.example/界';

it('stores URLs as the URL standard writes them, so that one address is one entry', async () => {
  const run = await harness.run({ tools: TOOLS });
  const [first, ...again] = [
    ' HTTPS://Kites.example:443/a/../b\n?q=ü ',
    'https://kites.example/b?q=%C3%BC',
    'https://kites.example/\tb?q=ü',
  ];
  const url = 'https://kites.example/b?q=%C3%BC';
  expect((await call(run, 'os.add_execution_link', { name: 'One', url: first })).result).toEqual({ name: 'One', url });
  for (const other of again)
    expect((await call(run, 'os.add_execution_link', { name: 'Two', url: other })).result).toEqual({ name: 'Two', url });
  const longest = `${CJK}${'界'.repeat(224)}`;
  expect((await call(run, 'os.add_execution_link', { name: 'Long', url: longest })).result.url).toBe(encodeURI(longest));
  expect((await execution(run.runId)).links).toEqual([
    { name: 'Two', url },
    { name: 'Long', url: encodeURI(longest) },
  ]);
});

it('refuses by its length a URL of 1,900 characters that are not ASCII', async () => {
  const run = await harness.run({ tools: TOOLS });
  expect(await paths(run, 'os.add_execution_link', { name: 'x', url: `${CJK}${'界'.repeat(1_899)}` })).toEqual([
    'invalid_arguments',
    ['url: must have at most 2048 bytes once what is not ASCII is percent-encoded'],
  ]);
});

it.each(['ftp://kites.example/', 'javascript:alert(1)', 'kites.example', '', `https://kites.example/${'x'.repeat(2_048)}`])(
  'refuses the URL %s',
  async (link) => {
    const run = await harness.run({ tools: TOOLS });
    expect((await paths(run, 'os.add_execution_link', { name: 'x', url: link }))[0]).toBe('invalid_arguments');
    expect((await execution(run.runId)).links).toEqual([]);
  },
);

it('people hear of a label at once', async () => {
  const run = await harness.run({ tools: TOOLS });
  const portal = await harness.listen(company.ceoSession, 'runEvents', 'kind run { execution { name } }');
  await call(run, 'os.set_execution_name', { name: 'Live' });
  expect(await portal.next()).toEqual({ kind: 'LABELLED', run: { execution: { name: 'Live' } } });
  await portal.close();
});

it('another enterprise does not see the execution', async () => {
  const run = await harness.run({ tools: TOOLS });
  const stranger = await makeCompany(kernel, 'Test Soup');
  expect(await harness.data(stranger.ceoSession, EXECUTION, { id: run.runId })).toEqual({ run: null });
});
