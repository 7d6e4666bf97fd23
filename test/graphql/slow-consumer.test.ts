import { afterAll, expect, it } from 'vitest';
import { subscribe } from '../support/subscriber.ts';
import { scene } from './scene.ts';
import { RawSocket, serverSentEvents } from './transports.ts';

const { kernel, server, url, company, harness, feeds } = await scene();
afterAll(() => server.close());

const run = await harness.run({ tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] });
const call = await harness.call(run.token, 'c', 'os.set_context', { key: 'k', value: 'x'.repeat(16_000) });

/** Each event carries half a megabyte, so that few fill what lies between the service and a client that does not read. */
const LARGE = `subscription { gateEvents { cursor gate { ${Array.from({ length: 29 }, (_, n) => `p${n}: payload`).join(' ')} } } }`;
const SMALL = 'subscription ($after: String) { gateEvents(after: $after) { cursor } }';

/** Announces events in transactions of a hundred, and answers the number of the last. */
async function announce(events: number) {
  const { enterpriseId } = company;
  for (let n = 0; n < events; n += 100) {
    await kernel.db.transaction(async (tx) => {
      for (let m = 0; m < 100; m++) tx.emit({ enterpriseId, topic: 'GATE', kind: 'OPENED', runId: run.runId, gateId: call.gate!.id });
    });
  }
  const { last } = (await kernel.db.prisma.eventCounter.findFirst({ where: { enterpriseId } }))!;
  return Number(last);
}

it('a socket that does not read is closed with 4413 and its last cursor, from which nothing is missing; others go on', async () => {
  const slow = await RawSocket.acknowledged(url, company.ceoSession);
  slow.subscribe('1', LARGE);
  const quick = await subscribe(url, company.ceoSession, SMALL);
  await expect.poll(() => feeds.open.streams, { interval: 10 }).toBe(2);
  slow.pause();
  const last = await announce(1_500);
  await quick.until(({ gateEvents: { cursor } }) => cursor === String(last));
  await expect.poll(() => feeds.open.streams, { interval: 10 }).toBe(1);
  slow.resume();
  const { code, reason } = await slow.closed;
  const got = slow.received.slice(1).map((text) => Number(JSON.parse(text).payload.data.gateEvents.cursor));
  const first = Number(quick.received[0]!.data!.gateEvents.cursor);
  expect(code).toBe(4413);
  expect(reason).toBe(String(got.at(-1) ?? first - 1));
  const again = await subscribe(url, company.ceoSession, SMALL, { after: reason });
  await again.until(({ gateEvents: { cursor } }) => cursor === String(last));
  const rest = again.received.map(({ data }) => Number(data!.gateEvents.cursor));
  expect([...got, ...rest]).toEqual(Array.from({ length: last - first + 1 }, (_, n) => first + n));
  await Promise.all([quick.close(), again.close()]);
});

it('an SSE client that does not read is told slow_consumer with its last cursor, then complete', async () => {
  const response = await fetch(`${url}/graphql?${new URLSearchParams({ query: LARGE })}`, {
    headers: { authorization: `Bearer ${company.ceoSession}`, accept: 'text/event-stream' },
  });
  await expect.poll(() => feeds.open.streams, { interval: 10 }).toBe(1);
  await announce(1_500);
  await expect.poll(() => feeds.open.streams, { interval: 10 }).toBe(0);
  const told = [];
  for await (const event of serverSentEvents(response)) told.push(event);
  expect(told.at(-1)!.event).toBe('complete');
  const { extensions } = JSON.parse(told.at(-2)!.data).errors[0];
  const cursor = JSON.parse(told.at(-3)!.data).data.gateEvents.cursor;
  expect(extensions).toEqual({ code: 'slow_consumer', details: { cursor } });
});
