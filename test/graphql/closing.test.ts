import { Agent, get, request } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { scene } from './scene.ts';
import { RawSocket, serverSentEvents } from './transports.ts';

/** Holds back the answers to `{ runs { … } }` until they are let go; `came` when so many such operations have come. */
function holding({ kernel, company }: Awaited<ReturnType<typeof scene>>, operations: number) {
  let waiting = operations;
  const { run } = kernel.db.of(company.enterpriseId).prisma;
  const original = run.findMany.bind(run);
  let letGo!: () => void;
  let come!: () => void;
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const came = new Promise<void>((resolve) => {
    come = resolve;
  });
  Object.assign(run, {
    findMany: async (args: never) => {
      if (--waiting === 0) come();
      await gone;
      return original(args);
    },
  });
  return { came, letGo };
}

const RUNS = JSON.stringify({ query: '{ runs { nodes { id } } }' });

it('lets requests and calls under way end, completes streams, says goodbye to sockets, and takes nothing new', async () => {
  const one = await scene();
  const { server, url, company } = one;
  const { came, letGo } = holding(one, 2);
  const headers = { authorization: `Bearer ${company.ceoSession}`, 'content-type': 'application/json' };
  const idle = await RawSocket.acknowledged(url, company.ceoSession);
  const busy = await RawSocket.acknowledged(url, company.ceoSession);
  busy.subscribe('1', '{ runs { nodes { id } } }');
  busy.subscribe('2', 'subscription { runEvents { kind } }');
  const stream = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...headers, accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { runEvents { kind } }' }),
  });
  const slow = fetch(`${url}/graphql`, { method: 'POST', headers, body: RUNS });
  await came;
  const closed = server.close();
  expect((await idle.closed).code).toBe(1001);
  const told = [];
  for await (const event of serverSentEvents(stream)) told.push(event.event);
  expect(told).toEqual(['complete']);
  const anew = new Promise((resolve, reject) => get(`${url}/health`, { agent: false }, resolve).on('error', reject));
  await expect(anew).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  letGo();
  expect(await (await slow).json()).toEqual({ data: { runs: { nodes: [] } } });
  expect((await busy.closed).code).toBe(1001);
  const answers = busy.received.map((text) => JSON.parse(text)).filter(({ id }) => id === '1');
  expect(answers).toEqual([
    { id: '1', type: 'next', payload: { data: { runs: { nodes: [] } } } },
    { id: '1', type: 'complete' },
  ]);
  await closed;
});

it('cuts off what does not end in time', async () => {
  const one = await scene({ timing: { drain: 100 } });
  const { came } = holding(one, 1);
  const socket = await RawSocket.acknowledged(one.url, one.company.ceoSession);
  socket.subscribe('1', '{ runs { nodes { id } } }');
  await came;
  await one.server.close();
  expect((await socket.closed).code).toBe(1006);
});

it('does not wait for connections that are kept alive', async () => {
  const { server, url } = await scene({ timing: { drain: 3_600_000 } });
  const agent = new Agent({ keepAlive: true });
  await new Promise((resolve, reject) => {
    request(`${url}/health`, { agent }, (response) => response.resume().once('end', resolve))
      .once('error', reject)
      .end();
  });
  await server.close();
  agent.destroy();
});

it('closes what is half sent at once, while requests under way are answered', async () => {
  const one = await scene({ timing: { drain: 3_600_000 } });
  const { server, url, company } = one;
  const { came, letGo } = holding(one, 1);
  const { hostname, port } = new URL(url);
  const head = `POST /graphql HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${company.ceoSession}\r\nContent-Type: application/json\r\n`;
  const parts = [
    '',
    'GET /health HTTP/1.1\r\nHo',
    `${head}Content-Length: ${RUNS.length}\r\n\r\n{`,
    `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
  ];
  const ends = parts.map(
    (sent) =>
      new Promise<string>((resolve) => {
        let received = '';
        const socket = connect(Number(port), hostname, () => socket.write(sent));
        socket.on('data', (text) => {
          received += text;
        });
        socket.on('error', () => {}); // which is the end of it as well
        socket.once('close', () => resolve(received));
      }),
  );
  const slow = fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${company.ceoSession}`, 'content-type': 'application/json' },
    body: RUNS,
  });
  await came;
  const closed = server.close();
  expect(await Promise.all(ends)).toEqual(['', '', '', '']);
  letGo();
  expect(await (await slow).json()).toEqual({ data: { runs: { nodes: [] } } });
  await closed;
});

it('does not wait for a socket that says no goodbye', async () => {
  const { server, url, company } = await scene({ timing: { drain: 3_600_000 } });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const opened = new Promise((resolve) => socket.once('data', resolve));
  socket.write(
    `GET /graphql HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${company.ceoSession}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
  );
  await opened;
  await server.close(); // the test's own time-out, and no hour, is what it may take
  socket.destroy();
});
