import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Queryable } from '../../src/db/database.ts';
import type { EventRow } from '../../src/db/event-row.ts';
import { ProcessBus } from '../../src/events/bus.ts';
import { Feeds } from '../../src/events/feed.ts';
import { pruneEvents } from '../../src/events/prune.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { announce, log, makeEnterprise, numbers, type Process, range, SilentBus, startProcess, subscribe, take } from './process.ts';

let database: TestDatabase;
let one: Process<ProcessBus>;

beforeAll(async () => {
  database = await testDatabase();
  one = await startProcess(database.url, new ProcessBus());
});
afterAll(async () => {
  await one.close();
  await database.drop();
});

function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { give, given };
}

describe('the feed', () => {
  it('orders what rings in disorder, twice or not at all', async () => {
    const silent = await startProcess(database.url, new SilentBus());
    const enterpriseId = await makeEnterprise(silent.db);
    const rung: EventRow[] = [];
    silent.db.onEvents = (events) => rung.push(...events);
    const stream = await subscribe(silent.feeds, enterpriseId);
    await announce(silent.db, enterpriseId, 9);
    const ring = (...wanted: number[]) => silent.bus.ring(wanted.map((number) => rung[number - 1]!));
    ring(2);
    ring(1);
    ring(1, 2);
    expect(numbers(await take(stream, 9))).toEqual(range(1, 9));
    ring(9, 4);
    await announce(silent.db, enterpriseId, 1);
    ring(10);
    expect(numbers(await take(stream, 1))).toEqual([10]);
    await silent.close();
  });

  it('is not led astray by a bell of another database or enterprise', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    const other = await makeEnterprise(one.db);
    const stream = await subscribe(one.feeds, enterpriseId);
    await announce(one.db, enterpriseId, 1);
    const [event] = await take(stream, 1);
    one.bus.publish([{ ...event!, number: 4_000 }]);
    one.bus.publish([event!, { ...event!, number: 2, enterpriseId: other }]);
    await announce(one.db, enterpriseId, 2);
    const next = await take(stream, 2);
    expect(next.map(({ number, kind }) => [number, kind])).toEqual([
      [2, 'K1'],
      [3, 'K2'],
    ]);
    expect(next.map((row) => row.enterpriseId)).toEqual([enterpriseId, enterpriseId]);
    await stream.return();
  });

  it('reads what rang while it was starting', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    const [asked, answered] = [signal(), signal()];
    const db: Queryable = {
      async query(query) {
        const rows = await one.db.query(query);
        if (query.name !== 'event_bounds_in_epoch') return rows;
        asked.give();
        await answered.given;
        return rows;
      },
    };
    const feeds = new Feeds({ db, bus: one.bus, timing: { eventPatience: 30_000, eventPoll: 3_600_000 }, log });
    const stream = feeds.subscribe({ enterpriseId, after: '0', wants: () => true });
    await asked.given;
    await announce(one.db, enterpriseId, 2);
    answered.give();
    expect(numbers(await take(stream, 2))).toEqual([1, 2]);
    feeds.close();
  });

  it('finds by polling what never rang', async () => {
    const silent = await startProcess(database.url, new SilentBus(), 20);
    const [first, second] = [await makeEnterprise(silent.db), await makeEnterprise(silent.db)];
    const streams = [await subscribe(silent.feeds, first), await subscribe(silent.feeds, second)];
    await announce(silent.db, second, 2);
    expect(numbers(await take(streams[1]!, 2))).toEqual([1, 2]);
    await announce(silent.db, first, 700, true);
    expect(numbers(await take(streams[0]!, 700))).toEqual(range(1, 700));
    await silent.close();
  });

  it('neither misses nor repeats under many writers, whenever a subscriber joins', async () => {
    const tenants = await Promise.all([1, 2].map(() => makeEnterprise(one.db)));
    const total = 400;
    const readers: Promise<void>[] = [];
    async function read(enterpriseId: string, after: string | null) {
      const stream = await subscribe(one.feeds, enterpriseId, { after });
      const from = Number(stream.lastCursor) + 1;
      const events = await take(stream, total - from + 1);
      expect(numbers(events)).toEqual(range(from, total));
      expect(new Set(events.map((event) => event.enterpriseId))).toEqual(new Set(events.length > 0 ? [enterpriseId] : []));
      await stream.return();
    }
    const writers = tenants.flatMap((enterpriseId) =>
      range(1, 4).map(async () => {
        for (let count = 0; count < total / 4; count++) {
          await announce(one.db, enterpriseId, 1);
          if (count % 10 === 0) readers.push(read(enterpriseId, count % 20 ? null : String(count)));
        }
      }),
    );
    await Promise.all(writers);
    await Promise.all(readers);
    expect(readers.length).toBe(80);
    expect(one.feeds.open).toEqual({ feeds: 0, streams: 0 });
  });

  it('works on the embedded database too, also for a subscriber that comes during a transaction', async () => {
    const embedded = await startProcess(null, new ProcessBus(), 20);
    const enterpriseId = await makeEnterprise(embedded.db);
    await announce(embedded.db, enterpriseId, 600, true);
    const behind = await subscribe(embedded.feeds, enterpriseId, { after: '1' });
    const during = await embedded.db.transaction(async (tx) => {
      tx.emit({ enterpriseId, topic: 'RUN', kind: 'K601' });
      return embedded.feeds.subscribe({ enterpriseId, after: '600', wants: () => true });
    });
    expect(numbers(await take(during, 1))).toEqual([601]);
    expect(numbers(await take(behind, 600))).toEqual(range(2, 601));
    expect(await pruneEvents(embedded.db, new Date(Date.now() + 8 * 24 * 60 * 60_000), { rows: 1 })).toBe(600);
    await Promise.all([during.return(), behind.return()]);
    await embedded.close();
  });
});
