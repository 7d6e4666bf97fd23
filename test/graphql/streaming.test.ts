import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { scene } from './scene.ts';
import { over, serverSentEvents, TRANSPORTS } from './transports.ts';

const { server, url, company, harness, feeds } = await scene();
afterAll(() => server.close());

const authorization = `Bearer ${company.ceoSession}`;
const EVENTS = 'subscription { runEvents { kind } }';

/** Speaks HTTP/1.0 to the service and keeps what it answers until there is a lot of it, as nginx does, unless it is told not to. */
async function bufferingProxy() {
  const proxy = createServer((asked, answer) => {
    const forwarded = request(`${url}${asked.url}`, { headers: { ...asked.headers, connection: 'close' } }, (response) => {
      const buffers = response.headers['x-accel-buffering'] !== 'no';
      answer.writeHead(response.statusCode!, response.headers);
      const kept: Buffer[] = [];
      response.on('data', (chunk: Buffer) => (buffers ? kept.push(chunk) : answer.write(chunk)));
      response.on('end', () => answer.end(Buffer.concat(kept)));
    });
    answer.on('close', () => forwarded.destroy());
    forwarded.on('error', () => answer.destroy());
    forwarded.end();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => proxy.close() };
}

it('comes through a proxy that buffers, each event at once', async () => {
  const { address, close } = await bufferingProxy();
  const leaving = new AbortController();
  const response = await fetch(`${address}/graphql?${new URLSearchParams({ query: EVENTS })}`, {
    headers: { authorization, accept: 'text/event-stream' },
    signal: leaving.signal,
  });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  await expect.poll(() => feeds.open.streams, { interval: 10 }).toBe(1);
  const events = serverSentEvents(response);
  await harness.run({ tools: ['os.get_context'] });
  for (const kind of ['QUEUED', 'CLAIMED']) {
    expect(await events.next()).toMatchObject({ value: { event: 'next', data: JSON.stringify({ data: { runEvents: { kind } } }) } });
  }
  leaving.abort();
  close();
});

it.each(TRANSPORTS)('an empty operationName is the same as none over %s', async (transport) => {
  const told = (query: string, operationName?: string) =>
    over(transport, url, company.ceoSession, { query, ...(operationName !== undefined && { operationName }) });
  expect(await told('query Who { viewer { kind } }', '')).toEqual({ data: { viewer: { kind: 'SESSION' } } });
  const several = 'query A { viewer { kind } } query B { viewer { kind } }';
  expect(await told(several, '')).toEqual(await told(several));
});
