import { afterAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { Patience } from '../../src/events/patience.ts';
import { testDatabase } from '../support/database.ts';
import { Wire } from '../support/wire.ts';
import { type Scene, scene } from './scene.ts';
import { RawSocket, serverSentEvents } from './transports.ts';

const database = await testDatabase();
const wire = await Wire.before(database.url);
const home = { home: 'embedded', config: { databaseUrl: wire.through(database.url), logLevel: 'silent' } } as const;
/** One service that waits long for its database, and one that soon gives up. */
const patient = await scene({ ...home, timing: { eventPatience: 60_000 } });
const hasty = await scene({ ...home, timing: { eventPatience: 100 } });
const db = await openDatabase({ url: database.url, poolSize: 2 });
afterAll(async () => {
  await Promise.all([patient.server.close(), hasty.server.close()]);
  await db.close();
  await wire.close();
  await database.drop();
});

const EVENTS = 'subscription ($after: String) { runEvents(after: $after) { cursor kind run { id } } }';

async function announce({ company: { enterpriseId } }: Scene, runId: string, kinds: string[]) {
  await db.transaction(async (tx) => {
    for (const kind of kinds) tx.emit({ enterpriseId, topic: 'RUN', kind, runId });
  });
}

const cursorOf = async ({ harness, company }: Scene) => (await harness.data(company.ceoSession, '{ eventCursor }')).eventCursor as string;

/** A service on which a run is watched by a socket and by server-sent events, from here on. */
async function watched(on: Scene) {
  const { runId } = await on.harness.run({ tools: ['os.get_context'] });
  const after = await cursorOf(on);
  const socket = await RawSocket.acknowledged(on.url, on.company.ceoSession);
  socket.subscribe('1', EVENTS, { after });
  const events = serverSentEvents(await sse(on, after));
  await expect.poll(() => on.feeds.open.streams, { interval: 10 }).toBe(2);
  const next = async () => [JSON.parse((await events.next()).value!.data), (await socket.next()).payload];
  return { runId, after, socket, events, next };
}

const sse = ({ url, company }: Scene, after: string) =>
  fetch(`${url}/graphql?${new URLSearchParams({ query: EVENTS, variables: JSON.stringify({ after }) })}`, {
    headers: { authorization: `Bearer ${company.ceoSession}`, accept: 'text/event-stream' },
  });

/** Runs cannot be read until the answered function is called. */
async function hideRuns() {
  await db.query({ text: 'ALTER TABLE "Run" RENAME TO "Hidden"' });
  return () => db.query({ text: 'ALTER TABLE "Hidden" RENAME TO "Run"' });
}

const event = (cursor: number, kind: string, runId: string) => ({
  data: { runEvents: { cursor: String(cursor), kind, run: { id: runId } } },
});
const both = <T>(value: T) => [value, value];

describe('an event that cannot be read', () => {
  it('is told once it can be, and those behind it after it', async () => {
    const { runId, after, socket, events, next } = await watched(patient);
    await announce(patient, runId, ['QUEUED']);
    expect(await next()).toEqual(both(event(Number(after) + 1, 'QUEUED', runId)));
    const waits = vi.spyOn(Patience.prototype, 'wait');
    const show = await hideRuns();
    await announce(patient, runId, ['CLAIMED', 'WAITING']);
    await expect.poll(() => waits.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(4);
    await show();
    await announce(patient, runId, ['FINISHED']);
    for (const [n, kind] of ['CLAIMED', 'WAITING', 'FINISHED'].entries()) {
      expect(await next()).toEqual(both(event(Number(after) + 2 + n, kind, runId)));
    }
    await Promise.all([socket.close(), events.return(undefined)]);
  });

  it('ends the stream when that goes on, behind the last one that was told', async () => {
    const { runId, after, socket, events, next } = await watched(hasty);
    await announce(hasty, runId, ['QUEUED']);
    await next();
    const cursor = String(Number(after) + 1);
    const show = await hideRuns();
    await announce(hasty, runId, ['FINISHED']);
    expect(await socket.closed).toEqual({ code: 1013, reason: cursor });
    const message = `Events cannot be read at present: subscribe again after ${cursor}.`;
    const { errors } = JSON.parse((await events.next()).value!.data);
    expect(errors).toMatchObject([{ message, extensions: { code: 'service_unavailable', details: { cursor } } }]);
    expect((await events.next()).value).toEqual({ event: 'complete', data: '' });
    await show();
    const again = serverSentEvents(await sse(hasty, cursor));
    expect(JSON.parse((await again.next()).value!.data)).toEqual(event(Number(after) + 2, 'FINISHED', runId));
    await again.return(undefined);
  });
});

describe('with the database away', () => {
  it('a socket that opens, and one on which a stream begins, close so that clients try again', async () => {
    const open = await RawSocket.acknowledged(hasty.url, hasty.company.ceoSession);
    wire.cut();
    const late = await RawSocket.open(hasty.url);
    late.send({ type: 'connection_init', payload: { authorization: hasty.company.ceoSession } });
    expect(await late.closed).toEqual({ code: 1013, reason: 'Try again later' });
    open.subscribe('1', '{ viewer { kind } }');
    expect(await open.next()).toMatchObject({ id: '1', type: 'error' });
    open.subscribe('2', EVENTS);
    expect(await open.closed).toEqual({ code: 1013, reason: 'Try again later' });
    expect(open.received.length).toBe(2);
    wire.heal();
  });

  it('streams that are open go on behind what they were told', async () => {
    const { runId, after, socket, events, next } = await watched(patient);
    wire.cut();
    await announce(patient, runId, ['QUEUED', 'CLAIMED']);
    wire.heal();
    for (const [n, kind] of ['QUEUED', 'CLAIMED'].entries()) expect(await next()).toEqual(both(event(Number(after) + 1 + n, kind, runId)));
    await Promise.all([socket.close(), events.return(undefined)]);
  });
});
