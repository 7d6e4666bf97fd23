import { afterAll, describe, expect, it } from 'vitest';
import { makeClock } from '../support/clock.ts';
import { makeToken } from '../support/company.ts';
import { graphql } from '../support/graphql-client.ts';
import { scene } from './scene.ts';
import { over, RawSocket, TRANSPORTS } from './transports.ts';

const clock = makeClock();
const { kernel, server, url, company, harness, feeds } = await scene({ additions: { now: clock.now } }, 5);
afterAll(() => server.close());

const limited = { code: 'rate_limited', handling: 'HAND_BACK', details: { retryAfterSeconds: 10 } };

it.each(TRANSPORTS)('holds over %s', async (transport) => {
  const token = await makeToken(kernel, company, ['gates:read']);
  const send = () => over(transport, url, token, { query: '{ openGates { totalCount } }' });
  for (let n = 0; n < 5; n++) expect((await send()).errors).toBeUndefined();
  expect((await send()).errors!.map(({ extensions }) => extensions)).toEqual([limited]);
  clock.advance(10_000);
  expect((await send()).errors).toBeUndefined();
});

it('counts the operations of a socket, and lets it live on', async () => {
  const token = await makeToken(kernel, company, ['gates:read']);
  const socket = await RawSocket.acknowledged(url, token);
  for (let n = 0; n < 6; n++) {
    socket.subscribe(`${n}`, '{ viewer { kind } }');
    expect(await socket.next()).toMatchObject(n < 5 ? { type: 'next' } : { type: 'next', payload: { errors: [{ extensions: limited }] } });
    await socket.next();
  }
  await socket.close();
});

it('answers invokeTool as a call that was handed back, and stores nothing', async () => {
  const run = await harness.run({ tools: ['os.get_context'] });
  clock.advance(10_000);
  for (let n = 0; n < 5; n++) await harness.call(run.token, `c-${n}`, 'os.get_context', { key: 'k' });
  const call = await harness.call(run.token, 'c-5', 'os.get_context', { key: 'k' });
  expect(call).toMatchObject({ toolCallId: 'c-5', tool: 'os.get_context', arguments: { key: 'k' }, status: 'HANDED_BACK', error: limited });
  const mixed = await graphql(
    url,
    run.token,
    'mutation { invokeTool(input: { toolCallId: "x", tool: "os.get_context" }) { id } osSetContext(input: { key: "k" }) { key } }',
  );
  expect(mixed.errors!.map(({ extensions }) => extensions)).toEqual([limited]);
  clock.advance(10_000);
  expect((await harness.calls(run.runId)).map(({ toolCallId }) => toolCallId)).toEqual(['c-0', 'c-1', 'c-2', 'c-3', 'c-4']);
  expect((await harness.call(run.token, 'c-5', 'os.get_context', { key: 'k' })).status).toBe('SUCCEEDED');
});

describe('subscriptions', () => {
  const EVENTS = 'fragment Told on RunEvent { cursor } subscription { runEvents { ...Told } }';

  it('are counted apart from the rest, and more are allowed', async () => {
    const token = await makeToken(kernel, company, ['runs:read', 'gates:read']);
    const socket = await RawSocket.acknowledged(url, token);
    for (let n = 0; n < 20; n++) socket.subscribe(`${n}`, EVENTS);
    await expect.poll(() => feeds.open.streams, { interval: 10 }).toBe(20);
    expect((await graphql(url, token, '{ openGates { totalCount } }')).errors).toBeUndefined();
    socket.subscribe('late', EVENTS);
    const extensions = { code: 'rate_limited', details: { retryAfterSeconds: 10 } };
    expect(await socket.next()).toMatchObject({ id: 'late', type: 'error', payload: [{ extensions }] });
    await socket.close();
    expect(socket.received.length).toBe(2);
  });

  it('that are refused over SSE, like every request, say when to come back', async () => {
    const token = await makeToken(kernel, company, ['runs:read']);
    const ask = (query: string) =>
      fetch(`${url}/graphql?${new URLSearchParams({ query })}`, { headers: { authorization: token, accept: 'text/event-stream' } });
    for (let n = 0; n < 20; n++) await (await ask(EVENTS)).body!.cancel();
    const refused = await ask(EVENTS);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await refused.text()).toContain('"code":"rate_limited"');
    for (let n = 0; n < 5; n++) expect((await ask('{ viewer { kind } }')).headers.get('retry-after')).toBe(null);
    expect((await ask('{ viewer { kind } }')).headers.get('retry-after')).toBe('10');
  });
});
