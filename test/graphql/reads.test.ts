import { describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { type Company, makeCompany, makeToken } from '../support/company.ts';
import { graphql } from '../support/graphql-client.ts';
import { type Claimed, Harness } from '../support/harness.ts';

const app = await testApp();
const company = await makeCompany(app.kernel);
const harness = new Harness(app.url, company);
const other = await makeCompany(app.kernel, 'Other Kites');
const MISSING = '01900000-0000-7000-8000-000000000000';

const TOOLS = { tools: ['os.set_context', 'os.get_context'], gates: [{ tool: 'os.set_context' }] };

/** A run that waits at a gate, of a task of its own. */
async function waiting(of = harness, told = {}): Promise<Claimed & { gate: { id: string; payloadHash: string }; callId: string }> {
  const run = await of.run({ ...TOOLS, ...told });
  const call = await of.call(run.token, 'c-1', 'os.set_context', { key: 'k', value: 1 });
  return { ...run, gate: call.gate!, callId: call.id };
}

const ask = (query: string, variables = {}, token = company.ceoSession) => harness.data(token, query, variables);
const codeOf = async (token: string, query: string, variables = {}) =>
  (await graphql(app.url, token, query, variables)).errors?.[0]?.extensions?.code ?? 'none';

describe('viewer', () => {
  const query = '{ viewer { kind enterprise { id name timezone } person { name isCeo } run { id } scopes expiresAt canDecideGates } }';

  it('is the person of a session', async () => {
    expect((await ask(query)).viewer).toEqual({
      kind: 'SESSION',
      enterprise: { id: company.enterpriseId, name: 'Test Kites', timezone: 'Europe/Lisbon' },
      person: { name: 'Cleo Kite', isCeo: true },
      run: null,
      scopes: [],
      expiresAt: null,
      canDecideGates: true,
    });
  });

  it('is whoever granted an API token, and what it may', async () => {
    expect((await ask(query, {}, company.workerToken)).viewer).toMatchObject({
      kind: 'API_TOKEN',
      person: { name: 'Cleo Kite' },
      scopes: ['runs:work'],
      canDecideGates: false,
    });
    const decides = await makeToken(app.kernel, company, ['gates:decide']);
    expect((await ask(query, {}, decides)).viewer.canDecideGates).toBe(true);
    const notTheirs = await makeToken(app.kernel, company, ['gates:decide'], company.person.id);
    expect((await ask(query, {}, notTheirs)).viewer.canDecideGates).toBe(false);
  });

  it('is the run of a run token', async () => {
    const run = await harness.run(TOOLS);
    expect((await ask(query, {}, run.token)).viewer).toMatchObject({
      kind: 'RUN',
      person: null,
      run: { id: run.runId },
      scopes: [],
      canDecideGates: false,
    });
  });
});

describe('openGates', () => {
  it('answers the oldest first, page by page, and leaves out none when one leaves the list meanwhile', async () => {
    const company = await makeCompany(app.kernel, 'Paging Kites');
    const harness = new Harness(app.url, company);
    const gates = [];
    for (let n = 0; n < 5; n++) gates.push((await waiting(harness)).gate);
    const page = async (first: number, after?: string) =>
      (
        await harness.data(
          company.ceoSession,
          `query ($after: String) { openGates(first: ${first}, after: $after) { totalCount nodes { id } edges { cursor node { id } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
          { after },
        )
      ).openGates;
    const one = await page(2);
    expect(one.nodes.map(({ id }: any) => id)).toEqual([gates[0]!.id, gates[1]!.id]);
    expect(one.edges.map(({ node }: any) => node.id)).toEqual([gates[0]!.id, gates[1]!.id]);
    expect(one.totalCount).toBe(5);
    expect(one.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: one.edges[0].cursor,
      endCursor: one.edges[1].cursor,
    });
    await harness.decide(gates[1]!, { decision: 'REJECT' }); // the row of the cursor leaves the list
    const two = await page(2, one.pageInfo.endCursor);
    expect(two.nodes.map(({ id }: any) => id)).toEqual([gates[2]!.id, gates[3]!.id]);
    expect(two.totalCount).toBe(4);
    const three = await page(2, two.pageInfo.endCursor);
    expect(three.nodes.map(({ id }: any) => id)).toEqual([gates[4]!.id]);
    expect(three.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(await page(1, three.pageInfo.endCursor)).toMatchObject({
      nodes: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    });
  });

  it('shows a gate whole', async () => {
    const company = await makeCompany(app.kernel, 'Whole Kites');
    const harness = new Harness(app.url, company);
    const run = await waiting(harness, { slug: 'whole', role: 'maker' });
    const { openGates } = await harness.data(
      company.ceoSession,
      `{ openGates { nodes { id kind status tool toolCall { id toolCallId status run { id } } payload payloadHash summary owner { id name } choices { value }
         canRequestChanges mayDecide run { id status task { slug name } member { name } execution { name } } ageSeconds timesOutAt decision choice
         decidedBy { id } decidedVia decidedAt note answers { number } versions { number payload payloadHash editedBy { id } } holdsUp { count runs { id } } } } }`,
    );
    expect(openGates.nodes).toEqual([
      {
        id: run.gate.id,
        kind: 'HOLDING',
        status: 'WAITING',
        tool: 'os.set_context',
        toolCall: { id: run.callId, toolCallId: 'c-1', status: 'WAITING', run: { id: run.runId } },
        payload: { key: 'k', value: 1 },
        payloadHash: run.gate.payloadHash,
        summary: null,
        owner: { id: company.ceo.id, name: 'Cleo Kite' },
        choices: [],
        canRequestChanges: true,
        mayDecide: true,
        run: {
          id: run.runId,
          status: 'WAITING',
          task: { slug: 'whole', name: 'Make kites' },
          member: { name: 'Mia Maker' },
          execution: { name: 'Make kites' },
        },
        ageSeconds: expect.any(Number),
        timesOutAt: null,
        decision: null,
        choice: null,
        decidedBy: null,
        decidedVia: null,
        decidedAt: null,
        note: null,
        answers: [],
        versions: [{ number: 1, payload: { key: 'k', value: 1 }, payloadHash: run.gate.payloadHash, editedBy: null }],
        holdsUp: { count: 0, runs: [] },
      },
    ]);
    const seen = await harness.data(company.personSession, '{ openGates { nodes { mayDecide } } }');
    expect(seen.openGates.nodes).toEqual([{ mayDecide: false }]);
  });

  it('sorts by what the gates hold up, with cursors of that order', async () => {
    const company = await makeCompany(app.kernel, 'Costly Kites');
    const harness = new Harness(app.url, company);
    const free = await waiting(harness, { slug: 'free' });
    const busy = await waiting(harness, { slug: 'busy' });
    const pending = [(await harness.start('busy')).id, (await harness.start('busy')).id];
    const page = async (after?: string) =>
      (
        await harness.data(
          company.ceoSession,
          'query ($after: String) { openGates(first: 1, after: $after, sort: COST_OF_DELAY) { totalCount nodes { id holdsUp { count runs(first: 1) { id } all: runs { id } } } pageInfo { hasNextPage endCursor } } }',
          { after },
        )
      ).openGates;
    const first = await page();
    expect(first).toMatchObject({
      totalCount: 2,
      nodes: [{ id: busy.gate.id, holdsUp: { count: 2, runs: [{ id: pending[0] }], all: pending.map((id) => ({ id })) } }],
      pageInfo: { hasNextPage: true },
    });
    const second = await page(first.pageInfo.endCursor);
    expect(second).toMatchObject({
      nodes: [{ id: free.gate.id, holdsUp: { count: 0, runs: [], all: [] } }],
      pageInfo: { hasNextPage: false },
    });
  });

  it.each([
    ['first: 0', 'first'],
    ['first: -1', 'first'],
    ['first: 201', 'first'],
    ['after: "%%%"', 'after'],
    ['after: "bm90IGFuIGlk"', 'after'],
    ['sort: COST_OF_DELAY, after: "bm90IGEga2V5"', 'after'],
    ['sort: COST_OF_DELAY, after: ""', 'after'],
    ['after: ""', 'after'],
    ['after: "\\u0000"', 'after'],
  ])('refuses %s', async (args, path) => {
    const { extensions } = (await graphql(app.url, company.ceoSession, `{ openGates(${args}) { nodes { id } } }`)).errors![0]!;
    expect(extensions).toMatchObject({ code: 'invalid_arguments', details: { issues: [{ path }] } });
  });
});

describe('gates and runs', () => {
  it('filter by every field of theirs', async () => {
    const company = await makeCompany(app.kernel, 'Filter Kites');
    const harness = new Harness(app.url, company);
    const decided = await waiting(harness, { slug: 'decided', role: 'maker' });
    await harness.decide(decided.gate, { decision: 'APPROVE' });
    const open = await waiting(harness, { slug: 'open' });
    const gates = async (filter: object) =>
      (
        await harness.data(company.ceoSession, 'query ($f: GateFilter) { gates(filter: $f) { totalCount nodes { id } } }', { f: filter })
      ).gates.nodes.map(({ id }: any) => id);
    expect(await gates({})).toEqual([open.gate.id, decided.gate.id]);
    expect(await gates({ status: ['APPROVED', 'REJECTED'] })).toEqual([decided.gate.id]);
    expect(await gates({ tool: ['os.set_context'] })).toEqual([open.gate.id, decided.gate.id]);
    expect(await gates({ tool: ['os.get_context'] })).toEqual([]);
    expect(await gates({ task: ['open'] })).toEqual([open.gate.id]);
    expect(await gates({ run: decided.runId })).toEqual([decided.gate.id]);
    for (const run of ['no-id', '']) expect(await gates({ run })).toEqual([]);
    expect(await gates({ openedAfter: '2000-01-01T00:00:00Z' })).toHaveLength(2);
    expect(await gates({ openedBefore: '2000-01-01T00:00:00Z' })).toEqual([]);
    const runs = async (filter: object) =>
      (await harness.data(company.ceoSession, 'query ($f: RunFilter) { runs(filter: $f) { nodes { id } } }', { f: filter })).runs.nodes.map(
        ({ id }: any) => id,
      );
    expect(await runs({})).toEqual([open.runId, decided.runId]);
    expect(await runs({ status: ['WAITING'] })).toEqual([open.runId]);
    expect(await runs({ task: ['decided', MISSING] })).toEqual([decided.runId]);
    expect(await runs({ member: company.member.id })).toEqual([decided.runId]);
    for (const none of ['no-id', '']) expect([await runs({ member: none }), await runs({ execution: none })]).toEqual([[], []]);
    expect(await runs({ stalled: true })).toEqual([]);
    expect(await runs({ stalled: false })).toEqual([open.runId, decided.runId]);
    expect(await runs({ createdAfter: '2000-01-01T00:00:00Z', createdBefore: '2001-01-01T00:00:00Z' })).toEqual([]);
    const { execution } = (
      await harness.data(company.ceoSession, 'query ($id: ID!) { run(id: $id) { execution { id } } }', { id: open.runId })
    ).run;
    expect(await runs({ execution: execution.id })).toEqual([open.runId]);
  });

  it('page through the calls of a run, oldest first', async () => {
    const run = await harness.run(TOOLS);
    for (let n = 1; n <= 3; n++) await harness.call(run.token, `r-${n}`, 'os.get_context', { key: 'k' });
    const page = async (after?: string) =>
      (
        await ask(
          'query ($id: ID!, $after: String) { run(id: $id) { toolCalls(first: 2, after: $after) { nodes { toolCallId } pageInfo { hasNextPage endCursor } } } }',
          { id: run.runId, after },
        )
      ).run.toolCalls;
    const first = await page();
    expect(first).toMatchObject({ nodes: [{ toolCallId: 'r-1' }, { toolCallId: 'r-2' }], pageInfo: { hasNextPage: true } });
    expect(await page(first.pageInfo.endCursor)).toMatchObject({ nodes: [{ toolCallId: 'r-3' }], pageInfo: { hasNextPage: false } });
    expect(await codeOf(company.ceoSession, `{ run(id: "${run.runId}") { toolCalls(first: 201) { nodes { id } } } }`)).toBe(
      'invalid_arguments',
    );
  });
});

describe('what another enterprise has', () => {
  it('is answered as what is not there', async () => {
    const theirs = new Harness(app.url, other);
    const foreign = await waiting(theirs, { slug: 'foreign' });
    const query =
      'query ($gate: ID!, $run: ID!, $task: ID!) { gate(id: $gate) { id } run(id: $run) { id } task(id: $task) { id } execution(id: $run) { id } }';
    const nothing = { gate: null, run: null, task: null, execution: null };
    expect(await ask(query, { gate: foreign.gate.id, run: foreign.runId, task: 'foreign' })).toEqual(nothing);
    expect(await ask(query, { gate: MISSING, run: MISSING, task: 'missing' })).toEqual(nothing);
    expect(await ask(query, { gate: 'no id', run: '', task: '%' })).toEqual(nothing);
    expect(await ask('query ($f: RunFilter) { runs(filter: $f) { nodes { id } } }', { f: { task: ['foreign'] } })).toEqual({
      runs: { nodes: [] },
    });
    const found = await theirs.data(other.ceoSession, query, { gate: foreign.gate.id, run: foreign.runId.toUpperCase(), task: 'foreign' });
    expect(found).toMatchObject({ gate: { id: foreign.gate.id }, run: { id: foreign.runId } });
  });
});

describe('eventCursor', () => {
  it('is read before what stands beside it, wherever it stands', async () => {
    const company: Company = await makeCompany(app.kernel, 'Cursor Kites');
    const harness = new Harness(app.url, company);
    const db = app.kernel.db.of(company.enterpriseId);
    const original = db.prisma.gate.findMany.bind(db.prisma.gate);
    const before = (await harness.data(company.ceoSession, '{ eventCursor }')).eventCursor;
    Object.assign(db.prisma.gate, {
      findMany: async (args: never) => {
        await waiting(harness); // an event comes between the first read of the response and this one
        return original(args);
      },
    });
    const { openGates, eventCursor } = await harness.data(
      company.ceoSession,
      '{ openGates { nodes { id } } ...late } fragment late on Query { eventCursor }',
    );
    Object.assign(db.prisma.gate, { findMany: original });
    expect(openGates.nodes).toHaveLength(1);
    expect(eventCursor).toBe(before);
  });
});
