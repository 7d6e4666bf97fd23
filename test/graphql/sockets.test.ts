import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { graphqlData } from '../support/graphql-client.ts';
import { RawSocket } from './transports.ts';

const HOUR = 3_600_000;
// Nothing looks at credentials beside the operations themselves.
const app = await testApp({ timing: { credentialCheck: HOUR } });
const company = await makeCompany(app.kernel);
const token = company.ceoSession;
const init = (authorization?: unknown) => ({ type: 'connection_init', ...(authorization !== undefined && { payload: { authorization } }) });
const viewer = { id: 'v', type: 'subscribe', payload: { query: '{ viewer { kind } }' } };

/** Sends messages on a new socket, and answers how it closed and everything that was said before. */
async function closing(messages: unknown[], protocol?: string | string[]) {
  const socket = await RawSocket.open(app.url, protocol);
  for (const message of messages) socket.send(message);
  const { code } = await socket.closed;
  return { code, said: socket.received.map((text) => JSON.parse(text).type) };
}

describe('a connection', () => {
  it.each([
    ['without a credential', [init()], 4403],
    ['with null for one', [init(null)], 4403],
    ['with an unknown one', [init('Bearer ghs_unknown')], 4403],
    ['with one that is no text', [init({ token })], 4403],
    ['that subscribes before it is acknowledged', [viewer], 4401],
    ['that initialises twice', [init(token), init(token)], 4429],
    ['that sends no JSON', ['hello'], 4400],
    ['that sends a batch', [[viewer, viewer]], 4400],
    ['that sends a message of no type', [{ id: '1' }], 4400],
    ['that sends an unknown message', [{ type: 'start' }], 4400],
    ['that subscribes to nothing', [init(token), { id: '1', type: 'subscribe', payload: {} }], 4400],
    ['that sends a frame that is no UTF-8', [Buffer.from([0xc3, 0x28])], 4400],
  ])('%s is closed before it is told anything', async (_, messages, code) => {
    const closed = await closing(messages);
    expect(closed.code).toBe(code);
    expect(closed.said.filter((type) => type !== 'connection_ack')).toEqual([]);
  });

  it.each([
    ['without a subprotocol', []],
    ['of another subprotocol', ['graphql-ws']],
  ])('%s is closed with 4406', async (_, protocol) => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, protocol);
    const code = await new Promise((resolve) => {
      socket.on('error', () => resolve('refused in the handshake'));
      socket.once('close', resolve);
    });
    expect([4406, 'refused in the handshake']).toContain(code);
  });

  it('that never initialises is closed with 4408', async () => {
    expect(await closing([])).toEqual({ code: 4408, said: [] });
  });

  it('that repeats the id of an open operation is closed with 4409', async () => {
    const socket = await RawSocket.acknowledged(app.url, token);
    socket.subscribe('1', 'subscription { runEvents { kind } }');
    socket.subscribe('1', '{ viewer { kind } }');
    expect((await socket.closed).code).toBe(4409);
  });

  it('is acknowledged with the credential with or without Bearer', async () => {
    for (const authorization of [token, `Bearer ${token}`]) {
      const socket = await RawSocket.open(app.url);
      socket.send(init(authorization));
      expect(await socket.next()).toEqual({ type: 'connection_ack' });
      await socket.close();
    }
  });

  it('elsewhere finds nothing', async () => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/elsewhere`, 'graphql-transport-ws');
    const said = await new Promise<string>((resolve) => {
      socket.once('error', (error) => resolve(error.message));
    });
    expect(said).toBe('Unexpected server response: 404');
  });
});

describe('an operation', () => {
  it('is answered, and completes', async () => {
    const socket = await RawSocket.acknowledged(app.url, token);
    socket.send(viewer);
    expect(await socket.next()).toEqual({ id: 'v', type: 'next', payload: { data: { viewer: { kind: 'SESSION' } } } });
    expect(await socket.next()).toEqual({ id: 'v', type: 'complete' });
    socket.send({ type: 'ping', payload: { n: 1 } });
    expect(await socket.next()).toEqual({ type: 'pong', payload: { n: 1 } });
    await socket.close();
  });

  it('may call tools and change things', async () => {
    const socket = await RawSocket.acknowledged(app.url, token);
    socket.subscribe('1', '{ osListOpenGates { runId } }');
    expect((await socket.next()).payload).toEqual({ data: { osListOpenGates: [] } });
    await socket.next();
    socket.subscribe('2', 'mutation ($input: SaveTaskInput!) { saveTask(input: $input) { task { slug } errors { code } } }', {
      input: { slug: 'by-socket', name: 'N', goal: 'G', tools: [] },
    });
    expect((await socket.next()).payload).toEqual({ data: { saveTask: { task: { slug: 'by-socket' }, errors: [] } } });
    await socket.close();
  });

  it('that no operation of its document is, is refused', async () => {
    const socket = await RawSocket.acknowledged(app.url, token);
    socket.send({ id: '1', type: 'subscribe', payload: { query: 'query a { viewer { kind } }', operationName: 'b' } });
    expect(await socket.next()).toMatchObject({ id: '1', type: 'error', payload: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    await socket.close();
  });

  it('on a credential that has ended is refused, and the socket closes', async () => {
    const socket = await RawSocket.acknowledged(app.url, company.personSession);
    await app.kernel.db.prisma.token.updateMany({ where: { personId: company.person.id }, data: { revokedAt: new Date() } });
    socket.send(viewer);
    expect(await socket.next()).toMatchObject({ id: 'v', type: 'error', payload: [{ extensions: { code: 'unauthenticated' } }] });
    expect(await socket.closed).toEqual({ code: 4403, reason: 'Forbidden' });
  });
});

describe('frames', () => {
  it('of more than 1 MiB close the socket with 1009', async () => {
    const socket = await RawSocket.acknowledged(app.url, token);
    socket.send(JSON.stringify({ ...viewer, payload: { query: `{ viewer { kind } } # ${'x'.repeat(1_048_576)}` } }));
    expect((await socket.closed).code).toBe(1009);
  });

  it('of noise harm nobody', async () => {
    const { hostname, port } = new URL(app.url);
    const handshake = `GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`;
    for (const noise of [
      Buffer.alloc(1_000, 0xff),
      Buffer.from([0x83, 0x80]),
      Buffer.from([0x81, 0x05, 1, 2, 3]),
      Buffer.from([0xc1, 0x80, 0, 0, 0, 0]),
    ]) {
      const socket = connect(Number(port), hostname);
      socket.write(handshake);
      await new Promise((resolve) => socket.once('data', resolve));
      socket.write(noise);
      socket.write(noise);
      for await (const _ of socket); // until the service has closed it
    }
    expect(await graphqlData(app.url, token, '{ viewer { kind } }')).toEqual({ viewer: { kind: 'SESSION' } });
  });
});
