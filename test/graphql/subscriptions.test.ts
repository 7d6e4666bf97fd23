import { afterAll, describe, expect, it } from 'vitest';
import { makeCompany, makeToken } from '../support/company.ts';
import { type Claimed, Harness } from '../support/harness.ts';
import { subscribe } from '../support/subscriber.ts';
import { scene } from './scene.ts';
import { RawSocket, serverSentEvents } from './transports.ts';

const { kernel, server, url, company, harness, feeds, live } = await scene();
afterAll(() => server.close());

const TOOLS = { tools: ['os.set_context', 'os.get_context'], gates: [{ tool: 'os.set_context' }] };
const GATES = 'subscription ($after: String) { gateEvents(after: $after) { cursor at kind gate { id status run { id } } } }';
const RUNS =
  'subscription ($runId: ID, $after: String) { runEvents(runId: $runId, after: $after) { cursor kind run { id status } gate { id status } toolCall { toolCallId status } } }';

const cursor = async (h = harness) => (await h.data(h.company.ceoSession, '{ eventCursor }')).eventCursor as string;

async function waiting(h = harness): Promise<Claimed & { gate: { id: string; payloadHash: string } }> {
  const run = await h.run(TOOLS);
  const call = await h.call(run.token, 'c-1', 'os.set_context', { key: 'k', value: 1 });
  return { ...run, gate: call.gate! };
}

const revoke = (secretOf: { enterpriseId: string }, name: string) =>
  kernel.db.prisma.token.updateMany({ where: { enterpriseId: secretOf.enterpriseId, name }, data: { revokedAt: kernel.now() } });

const nobody = () => expect.poll(() => [feeds.open.streams, live.open.streams, live.open.sockets], { interval: 10 }).toEqual([0, 0, 0]);

const sse = (token: string, query: string, variables: Record<string, unknown> = {}, signal?: AbortSignal) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query, variables }),
    ...(signal && { signal }),
  });

describe('gateEvents', () => {
  it('tell what happened to gates, each as it is now, in the order of their cursors', async () => {
    const portal = await subscribe(url, company.ceoSession, GATES, { after: await cursor() });
    const run = await waiting();
    const opened = await portal.until(() => true);
    expect(opened.gateEvents).toMatchObject({ kind: 'OPENED', gate: { id: run.gate.id, status: 'WAITING', run: { id: run.runId } } });
    await harness.decide(run.gate, { decision: 'APPROVE', editedPayload: { key: 'k', value: 2 } });
    const edited = await portal.until(() => true);
    const decided = await portal.until(() => true);
    expect([edited.gateEvents.kind, decided.gateEvents.kind]).toEqual(['EDITED', 'DECIDED']);
    expect(edited.gateEvents.gate.status).toBe('APPROVED');
    const cursors = [opened, edited, decided].map(({ gateEvents }) => Number(gateEvents.cursor));
    expect(cursors).toEqual([...cursors].sort((a, b) => a - b));
    expect(new Set(cursors).size).toBe(3);
    await portal.close();
    const later = await subscribe(url, company.ceoSession, GATES, { after: opened.gateEvents.cursor });
    expect((await later.until(() => true)).gateEvents.cursor).toBe(edited.gateEvents.cursor);
    expect((await later.until(() => true)).gateEvents.cursor).toBe(decided.gateEvents.cursor);
    await later.close();
  });

  it('are those of the caller’s enterprise alone, and of a run token those of its run', async () => {
    const others = await makeCompany(kernel, 'Other Kites');
    const own = await harness.run(TOOLS);
    const [theirs, run] = [
      await subscribe(url, others.ceoSession, GATES, { after: '0' }),
      await subscribe(url, own.token, GATES, { after: await cursor() }),
    ];
    const stranger = await waiting();
    const { gate } = await harness.call(own.token, 'c', 'os.set_context', { key: 'k', value: 1 });
    expect((await run.until(() => true)).gateEvents.gate.id).toBe(gate!.id);
    const foreign = await waiting(new Harness(url, others));
    expect((await theirs.until(() => true)).gateEvents.gate.id).toBe(foreign.gate.id);
    expect(JSON.stringify([...run.received, ...theirs.received])).not.toContain(stranger.gate.id);
    await Promise.all([run.close(), theirs.close()]);
  });
});

describe('runEvents', () => {
  it('let a harness wait for the decision of its gate', async () => {
    const run = await harness.run(TOOLS);
    const after = await cursor();
    const call = await harness.call(run.token, 'c-1', 'os.set_context', { key: 'k', value: 1 });
    const waits = await subscribe(url, run.token, RUNS, { runId: run.runId, after });
    await harness.decide(call.gate!, { decision: 'APPROVE' });
    const { runEvents } = await waits.until(({ runEvents: { kind } }) => kind === 'DECIDED');
    expect(runEvents).toMatchObject({
      run: { id: run.runId, status: 'RUNNING' },
      gate: { id: call.gate!.id, status: 'APPROVED' },
      toolCall: { toolCallId: 'c-1', status: 'SUCCEEDED' },
    });
    await waits.close();
  });

  it('of one run are those of no other', async () => {
    const [one, two] = [await harness.run(TOOLS), await harness.run(TOOLS)];
    const watch = await subscribe(url, company.ceoSession, RUNS, { runId: two.runId.toUpperCase() });
    await harness.drive('failRun', one.token, { runId: one.runId, code: 'x', reason: 'x' });
    await harness.drive('failRun', two.token, { runId: two.runId, code: 'x', reason: 'x' });
    expect((await watch.until(() => true)).runEvents).toMatchObject({ kind: 'FAILED', run: { id: two.runId } });
    await watch.close();
  });

  it.each([
    [
      'another run, of a run token',
      'not_allowed',
      async () => ({ token: (await harness.run(TOOLS)).token, runId: (await harness.run(TOOLS)).runId }),
    ],
    ['a run that is not there', 'not_found', async () => ({ token: company.ceoSession, runId: '01900000-0000-7000-8000-000000000000' })],
    ['what is no id', 'not_found', async () => ({ token: company.ceoSession, runId: 'x' })],
    [
      'a run, without the scope',
      'scope_missing',
      async () => ({ token: company.workerToken, runId: '01900000-0000-7000-8000-000000000000' }),
    ],
  ])('of %s are refused: %s', async (_, code, ask) => {
    const { token, runId } = await ask();
    const socket = await RawSocket.acknowledged(url, token);
    socket.subscribe('1', RUNS, { runId });
    expect(await socket.next()).toMatchObject({ id: '1', type: 'error', payload: [{ extensions: { code } }] });
    await socket.close();
    expect(socket.received.length).toBe(2);
  });
});

describe('a cursor', () => {
  it.each([
    ['x', 'invalid_arguments'],
    ['-1', 'invalid_arguments'],
  ])('%s is refused', async (after, code) => {
    const stream = await subscribe(url, company.ceoSession, GATES, { after });
    expect(await stream.next()).toMatchObject({ errors: [{ extensions: { code, details: { issues: [{ path: 'after' }] } } }] });
    await expect(stream.next()).rejects.toThrow('The stream is complete');
    await stream.close();
  });

  it('whose events were pruned is told so: one next with errors, then complete, over WebSocket and SSE', async () => {
    const old = await makeCompany(kernel, 'Old Kites');
    const h = new Harness(url, old);
    await waiting(h);
    await kernel.db.prisma.event.deleteMany({ where: { enterpriseId: old.enterpriseId, number: { lte: 2 } } });
    const stream = await subscribe(url, old.ceoSession, GATES, { after: '1' });
    const { extensions } = (await stream.next()).errors![0]!;
    expect(extensions).toEqual({ code: 'cursor_expired', details: { oldest: '2' } });
    await expect(stream.next()).rejects.toThrow('The stream is complete');
    await stream.close();
    const told = [];
    for await (const event of serverSentEvents(await sse(old.ceoSession, GATES, { after: '1' }))) told.push(event);
    expect(told.map(({ event }) => event)).toEqual(['next', 'complete']);
    expect(JSON.parse(told[0]!.data).errors[0].extensions).toEqual(extensions);
  });
});

describe('a credential that ends', () => {
  const leaver = async (name: string) => {
    const { prisma } = kernel.db;
    const token = await makeToken(kernel, company, ['gates:read', 'runs:read']);
    await prisma.token.updateMany({ where: { enterpriseId: company.enterpriseId, name: 'gates:read runs:read' }, data: { name } });
    return token;
  };

  it('tells each stream of its socket so, completes it, and closes the socket', async () => {
    const socket = await RawSocket.acknowledged(url, await leaver('leaver-1'));
    socket.subscribe('g', GATES);
    socket.subscribe('r', RUNS);
    await expect.poll(() => live.open.streams, { interval: 10 }).toBe(2);
    await revoke(company, 'leaver-1');
    expect((await socket.closed).code).toBe(4403);
    const said = socket.received.slice(1).map((text) => JSON.parse(text));
    for (const id of ['g', 'r']) {
      expect(said.filter((message) => message.id === id)).toEqual([
        { id, type: 'next', payload: { data: null, errors: [expect.objectContaining({ extensions: { code: 'unauthenticated' } })] } },
        { id, type: 'complete' },
      ]);
    }
    await nobody();
  });

  it('closes a socket with nothing on it', async () => {
    const socket = await RawSocket.acknowledged(url, await leaver('leaver-2'));
    await revoke(company, 'leaver-2');
    expect(await socket.closed).toEqual({ code: 4403, reason: 'Forbidden' });
  });

  it('ends an SSE response', async () => {
    const response = await sse(await leaver('leaver-3'), GATES);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await expect.poll(() => live.open.streams, { interval: 10 }).toBe(1);
    await revoke(company, 'leaver-3');
    const told = [];
    for await (const event of serverSentEvents(response)) told.push(event);
    expect(told.map(({ event }) => event)).toEqual(['next', 'complete']);
    expect(JSON.parse(told[0]!.data).errors[0].extensions.code).toBe('unauthenticated');
    await nobody();
  });
});

describe('SSE', () => {
  it('tells events by POST and by GET', async () => {
    const headers = { authorization: `Bearer ${company.ceoSession}`, accept: 'text/event-stream' };
    const after = await cursor();
    const run = await waiting();
    const search = new URLSearchParams({ query: GATES, variables: JSON.stringify({ after }) });
    for (const response of [await sse(company.ceoSession, GATES, { after }), await fetch(`${url}/graphql?${search}`, { headers })]) {
      const events = serverSentEvents(response);
      const { value } = await events.next();
      expect(JSON.parse(value!.data).data.gateEvents).toMatchObject({ kind: 'OPENED', gate: { id: run.gate.id } });
      await events.return(undefined);
    }
    await nobody();
  });

  it.each(['application/json', 'text/event-stream; charset=utf-16'])(
    'is what a subscription takes over HTTP, and not %s',
    async (accept) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${company.ceoSession}`, 'content-type': 'application/json', accept },
        body: JSON.stringify({ query: GATES }),
      });
      expect(response.status).toBe(406);
      await nobody();
    },
  );
});

describe('a client that goes away', () => {
  it('leaves nothing behind, however it goes', async () => {
    for (let n = 0; n < 20; n++) {
      const socket = await RawSocket.acknowledged(url, company.ceoSession);
      socket.subscribe('1', GATES);
      socket.subscribe('2', RUNS);
      if (n % 3 === 0) await expect.poll(() => live.open.streams, { interval: 5 }).toBeGreaterThan(0);
      if (n % 3 === 1) socket.send({ id: '1', type: 'complete' });
      if (n % 2 === 0) socket.terminate();
      else await socket.close();
    }
    for (let n = 0; n < 10; n++) {
      const leaving = new AbortController();
      const response = await sse(company.ceoSession, RUNS, {}, leaving.signal);
      if (n % 2 === 0) void response.text().catch(() => {});
      leaving.abort();
    }
    await nobody();
  });
});
