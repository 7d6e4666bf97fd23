import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { greetedSocket } from '../properties/harness/sockets.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { CutProxy } from '../support/cut-proxy.ts';
import { testDatabase } from '../support/database.ts';
import { graphql } from '../support/graphql-client.ts';
import { Harness } from '../support/harness.ts';
import { over } from './transports.ts';

const database = await testDatabase();
afterAll(database.drop);
const proxy = await CutProxy.before(database.url);
const app = await testApp({ config: { databaseUrl: proxy.url, logLevel: 'silent' } });
const company = await makeCompany(app.kernel);
const harness = new Harness(app.url, company);

const AWAY =
  'The database of the service cannot be used at the moment. Send the same again, under the same id: what was done already is not done twice.';
const BUSY =
  'Others kept the database of the service busy for too long. Send the same again, under the same id: what was done already is not done twice.';

const INVOKE = 'mutation ($input: InvokeToolInput!) { invokeTool(input: $input) { status error { code } } }';
const DECIDE = 'mutation ($input: DecideGateInput!) { decideGate(input: $input) { status } }';
const setting = (toolCallId: string) => ({ toolCallId, tool: 'os.set_context', arguments: { key: toolCallId, value: 1 } });

/** Does the work while the database is away. */
async function withoutDatabase<T>(work: () => Promise<T>): Promise<T> {
  await proxy.cut();
  try {
    return await work();
  } finally {
    await proxy.mend();
  }
}

describe('while the database is away', () => {
  it.each(['POST', 'GET', 'SSE'] as const)('an operation by %s is told so, and to send it again', async (transport) => {
    const answer = await withoutDatabase(() => over(transport, app.url, company.ceoSession, { query: '{ runs { nodes { id } } }' }));
    expect(answer.errors!.map(({ message, extensions }) => [message, extensions])).toEqual([[AWAY, { code: 'service_unavailable' }]]);
  });

  it('the answer has the status 200, and an operation on an open socket fails as by HTTP', async () => {
    const socket = await greetedSocket(app.url, company.ceoSession);
    const { status, error } = await withoutDatabase(async () => {
      const { status } = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${company.ceoSession}` },
        body: '{"query":"{ viewer { kind } }"}',
      });
      socket.send({ id: '1', type: 'subscribe', payload: { query: '{ viewer { kind } }' } });
      return { status, error: await socket.message(({ id }) => id === '1') };
    });
    expect(status).toBe(200);
    expect(error).toEqual({ id: '1', type: 'error', payload: [{ message: AWAY, extensions: { code: 'service_unavailable' } }] });
    socket.socket.terminate();
  });

  it('signing in answers 503', async () => {
    const response = await withoutDatabase(() =>
      fetch(`${app.url}/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: app.url },
        body: JSON.stringify({ token: company.ceoSession }),
      }),
    );
    expect([response.status, await response.json()]).toEqual([503, { error: { code: 'service_unavailable', message: AWAY } }]);
  });

  it('a call is no answer of the tool: nothing of it is kept, and the same id succeeds afterwards, once', async () => {
    const { token } = await harness.run({ tools: ['os.set_context'] });
    const answer = await withoutDatabase(() => graphql(app.url, token, INVOKE, { input: setting('outage') }));
    expect(answer).toEqual({ errors: [expect.objectContaining({ message: AWAY })] });
    expect(await app.kernel.db.prisma.toolCall.count({ where: { toolCallId: 'outage' } })).toBe(0);
    expect((await graphql(app.url, token, INVOKE, { input: setting('outage') })).data.invokeTool).toEqual({
      status: 'SUCCEEDED',
      error: null,
    });
  });

  it('a decision is told to be sent again, alone or among several, and its gate waits on', async () => {
    const { token } = await harness.run({ tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] });
    const { gate } = await harness.call(token, 'gated', 'os.set_context', { key: 'gated', value: 1 });
    const input = { gateId: gate!.id, payloadHash: gate!.payloadHash, decision: 'APPROVE' };
    const several = 'mutation ($input: [DecideGateInput!]!) { decideGates(input: $input) { gate { id } error { code message } } }';
    const [alone, among] = await withoutDatabase(() =>
      Promise.all([
        graphql(app.url, company.ceoSession, DECIDE, { input }),
        graphql(app.url, company.ceoSession, several, { input: [input] }),
      ]),
    );
    expect([alone.errors![0]!.extensions!.code, among.errors![0]!.extensions!.code]).toEqual([
      'service_unavailable',
      'service_unavailable',
    ]);
    expect((await harness.gate(gate!.id)).status).toBe('WAITING');
    expect((await graphql(app.url, company.ceoSession, DECIDE, { input })).data).toEqual({ decideGate: { status: 'APPROVED' } });
  });
});

describe('a lock that is held for long', () => {
  /** Holds the row of a run in a session of its own, which answers nobody. */
  async function held<T>(runId: string, work: () => Promise<T>): Promise<T> {
    const client = new pg.Client(database.url);
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM "Run" WHERE "id" = $1 FOR UPDATE', [runId]);
      return await work();
    } finally {
      await client.end();
    }
  }

  it('ends a call, and a decision among several, as service_busy; each succeeds afterwards', async () => {
    const { token, runId } = await harness.run({ tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] });
    const { gate } = await harness.call(token, 'held', 'os.set_context', { key: 'held', value: 1 });
    const input = { gateId: gate!.id, payloadHash: gate!.payloadHash, decision: 'APPROVE' };
    const several = `mutation ($input: [DecideGateInput!]!) { decideGates(input: $input) { gate { status } error { code message } } }`;
    const [call, decision] = await held(runId, () =>
      Promise.all([
        graphql(app.url, token, INVOKE, { input: setting('held') }),
        graphql(app.url, company.ceoSession, several, { input: [input] }),
      ]),
    );
    expect(call.errors!.map(({ message, extensions }) => [message, extensions])).toEqual([[BUSY, { code: 'service_busy' }]]);
    expect(decision.data).toEqual({ decideGates: [{ gate: null, error: { code: 'service_busy', message: BUSY } }] });
    expect((await graphql(app.url, company.ceoSession, several, { input: [input] })).data).toEqual({
      decideGates: [{ gate: { status: 'APPROVED' }, error: null }],
    });
    expect((await graphql(app.url, token, INVOKE, { input: setting('held') })).data.invokeTool).toEqual({
      status: 'SUCCEEDED',
      error: null,
    });
  });
});
