import pg from 'pg';
import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';
import { BESIDE } from '../support/statements.ts';

const HOUR = 3_600_000;
// Nothing but what a request sends.
const app = await testApp({ timing: { sweep: HOUR, eventPoll: HOUR, credentialCheck: HOUR } });

const sent: string[] = [];
const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
  const { name = '', text } = typeof args[0] === 'string' ? { text: args[0] } : (args[0] as pg.QueryConfig);
  if (!BESIDE.has(name)) sent.push(text);
  return original.apply(this, args);
} as never;

const TOOLS = { tools: ['os.set_context', 'os.get_context'], gates: [{ tool: 'os.set_context' }] };

/** A company with so many runs, each of a task of its own with two versions, each waiting at a gate, with another run behind it. */
async function companyOf(size: number) {
  const company = await makeCompany(app.kernel, `${size} Kites`);
  const harness = new Harness(app.url, company);
  for (let n = 0; n < size; n++) {
    const slug = `task-of-${n}`;
    const run = await harness.run({ ...TOOLS, slug, name: 'First' });
    await harness.task({ ...TOOLS, slug, name: 'Second' });
    await harness.call(run.token, 'c-0', 'os.get_context', { key: 'k' });
    await harness.call(run.token, 'c-1', 'os.set_context', { key: 'k', value: n });
    await harness.start(slug);
  }
  const statements = async (query: string) => {
    sent.length = 0;
    await harness.data(company.ceoSession, query);
    return sent.filter((text) => !text.includes('FROM "Token" t'));
  };
  return { harness, company, statements };
}

const small = await companyOf(2);
const large = await companyOf(9);

it.each([
  ['{ openGates(first: 20) { nodes { id tool payload summary ageSeconds run { id status task { slug name } member { name } } } } }', 2],
  [
    '{ openGates(first: 20) { totalCount nodes { id owner { name } decidedBy { name } toolCall { tool status } versions { number editedBy { name } } } } }',
    3,
  ],
  ['{ openGates(first: 20) { nodes { id holdsUp { count runs(first: 2) { id status task { slug } } } } } }', 4],
  ['{ openGates(first: 20, sort: COST_OF_DELAY) { nodes { id run { id task { slug } } holdsUp { count } } } }', 3],
  ['{ gates(filter: { task: ["task-of-0", "task-of-1"] }) { nodes { id run { execution { name links { url } } } } } }', 2],
  [
    '{ runs { nodes { id status stalled task { slug } member { name } execution { name } gates { id status } toolCalls(first: 2) { nodes { tool gate { id } run { id } } pageInfo { hasNextPage } } } } }',
    1,
  ],
  ['{ runs { nodes { a: toolCalls(first: 1) { nodes { tool } } b: toolCalls(first: 2) { nodes { tool } } } } }', 2],
  ['{ tasks { nodes { slug name latest { goal team { slug } role { slug } } versions { version name } clonedFrom { slug } } } }', 3],
  ['{ executions { nodes { name links { url } runs(first: 3) { nodes { id status } } } } }', 1],
  ['{ members { nodes { name roles { slug holders { name } } teams { slug lead { name } } } } people { nodes { name } } }', 2],
])('%s takes %i statements, however long the lists are', async (query, expected) => {
  const [few, many] = [await small.statements(query), await large.statements(query)];
  expect([few.length, many.length], [...few, '', ...many].map((text) => text.slice(0, 80)).join('\n')).toEqual([expected, expected]);
});

it('reads no columns that nobody asked for', async () => {
  await large.statements('{ openGates(first: 20) { nodes { id run { id } } } }');
  const read = sent.find((text) => text.includes('FROM "public"."Gate"'))!;
  for (const column of ['payload', 'summary', 'input', 'output', 'choices']) expect(read).not.toContain(`"${column}"`);
});

it('limits a nested page in the database', async () => {
  await large.statements('{ runs { nodes { toolCalls(first: 2) { nodes { id } } } } }');
  expect(sent.find((text) => text.includes('FROM "public"."Run"'))).toMatch(/ORDER BY "t\d+"."id" ASC LIMIT \$\d+/);
});

it('reads nothing again for the scalar fields of what a mutation answers', async () => {
  const { harness } = small;
  const run = await harness.run(TOOLS);
  const statements = async (token: string, query: string, variables: Record<string, unknown>) => {
    sent.length = 0;
    const data = await harness.data(token, query, variables);
    return { data, prisma: sent.filter((text) => text.includes('"public".')) };
  };
  const call = await statements(
    run.token,
    `mutation ($input: InvokeToolInput!) { invokeTool(input: $input) { id toolCallId tool arguments status result error { code } editedByHuman createdAt finishedAt } }`,
    { input: { toolCallId: 'x', tool: 'os.get_context', arguments: { key: 'none' } } },
  );
  expect(call.data.invokeTool).toMatchObject({ status: 'SUCCEEDED', result: { key: 'none', value: null } });
  expect(call.prisma).toEqual([]);
  const beat = await statements(
    run.token,
    'mutation ($input: HeartbeatRunInput!) { heartbeatRun(input: $input) { id status stalled attempt input leaseExpiresAt worker createdAt } }',
    {
      input: { runId: run.runId },
    },
  );
  expect(beat.data.heartbeatRun).toMatchObject({ id: run.runId, status: 'RUNNING', stalled: false });
  expect(beat.prisma).toEqual([]);
  const { gate } = await harness.call(run.token, 'y', 'os.set_context', { key: 'k', value: 1 });
  const decided = await statements(
    small.company.ceoSession,
    'mutation ($input: DecideGateInput!) { decideGate(input: $input) { id status payload payloadHash choices { value } mayDecide ageSeconds decision decidedVia answers { number } } }',
    { input: { gateId: gate!.id, payloadHash: gate!.payloadHash, decision: 'APPROVE' } },
  );
  expect(decided.data.decideGate).toMatchObject({ status: 'APPROVED', mayDecide: false });
  expect(decided.prisma).toEqual([]);
});
