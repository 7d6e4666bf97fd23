import pino from 'pino';
import { v7 } from 'uuid';
import { afterAll } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.ts';
import type { EventRow } from '../../src/db/event-row.ts';
import { type Bus, ProcessBus } from '../../src/events/bus.ts';
import type { EventStream, Subscription } from '../../src/events/event-stream.ts';
import { Feeds } from '../../src/events/feed.ts';
import { RedisBus } from '../../src/events/redis-bus.ts';
import { SHORT } from '../support/timing.ts';

export const log = pino({ level: 'silent' });

/** The events' part of one process of the service. */
export interface Process<B extends Bus = Bus> {
  db: Database;
  bus: B;
  feeds: Feeds;
  close(): Promise<void>;
}

/** A process on a Postgres, or on an embedded database in memory (`null`). `poll`: how often it looks without a bell, in milliseconds; so late that no test waits for it when left out. */
export async function startProcess<B extends Bus>(url: string | null, bus: B, poll = 3_600_000): Promise<Process<B>> {
  const db = await openDatabase(url === null ? {} : { url, poolSize: 6 });
  const feeds = new Feeds({ db, bus, timing: { eventPoll: poll, eventPatience: 30_000 }, log });
  db.onEvents = (events) => bus.publish(events);
  let closed: Promise<void> | undefined;
  async function end() {
    feeds.close();
    await bus.close();
    await db.close();
  }
  const close = () => (closed ??= end());
  afterAll(close);
  return { db, bus, feeds, close };
}

export const redisBus = (url: string, redisPing = SHORT.redisPing) => new RedisBus({ url, timing: { redisPing }, log });

/** A bus that loses what is published: only polling finds events, or a test that rings. */
export class SilentBus extends ProcessBus {
  override publish() {}

  ring(events: EventRow[]) {
    super.publish(events);
  }
}

export async function makeEnterprise(db: Database): Promise<string> {
  const id = v7();
  await db.prisma.enterprise.create({ data: { id, name: 'Example company' } });
  return id;
}

/** Commits events one after the other, each in its own transaction, or `together` in one. Their kinds are `K1`, `K2` … */
export async function announce(db: Database, enterpriseId: string, count: number, together = false) {
  const kinds = Array.from({ length: count }, (_, index) => `K${index + 1}`);
  const batches = together ? [kinds] : kinds.map((kind) => [kind]);
  for (const batch of batches) {
    await db.transaction(async (tx) => {
      for (const kind of batch) tx.emit({ enterpriseId, topic: 'RUN', kind });
    });
  }
}

/** Subscribes to everything and waits until the position is fixed. */
export async function subscribe(feeds: Feeds, enterpriseId: string, options: Partial<Subscription> = {}): Promise<EventStream> {
  const stream = feeds.subscribe({ enterpriseId, wants: () => true, ...options });
  await stream.opened;
  return stream;
}

/** Pulls `count` events. */
export async function take(stream: EventStream, count: number): Promise<EventRow[]> {
  const events: EventRow[] = [];
  while (events.length < count) {
    const { done, value } = await stream.next();
    if (done) throw new Error(`The stream ended after ${events.length} of ${count} events`);
    events.push(value);
  }
  return events;
}

export const numbers = (events: EventRow[]) => events.map((event) => event.number);

/** The whole numbers from `first` to `last`. */
export const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
