import type { Logger } from 'pino';
import type { Queryable } from '../db/database.ts';
import type { EventRow } from '../db/event-row.ts';
import type { Timing } from '../kernel/kernel.ts';
import { checkBacklog, HELD } from './backlog.ts';
import type { Bus } from './bus.ts';
import { eventBounds, fromBefore, lastNumber } from './cursor.ts';
import { renewEpoch } from './epoch.ts';
import { EventStream, type Source, type Subscription } from './event-stream.ts';
import { enterprisesElsewhere, eventsAfter, PAGE } from './event-table.ts';

/** What the feeds stand on. */
export interface FeedsOptions {
  db: Queryable;
  bus: Bus;
  timing: Pick<Timing, 'eventPoll' | 'eventPatience'>;
  log: Logger;
  /** The most bytes that are held for all subscribers of the process. */
  most?: number;
}

/** How often it is looked at how much is held for all subscribers, in milliseconds. */
const BACKLOG = 250;

/** The live events of this process: one feed for each enterprise that has subscribers here, and none else. */
export class Feeds {
  readonly #options: FeedsOptions;
  readonly #feeds = new Map<string, Feed>();
  readonly #timers: NodeJS.Timeout[];
  readonly #stopListening: () => void;
  #polling = false;

  constructor(options: FeedsOptions) {
    this.#options = options;
    const backlog = () =>
      checkBacklog(
        [...this.#feeds.values()].flatMap(({ streams }) => [...streams]),
        options.most ?? HELD,
      );
    this.#timers = [setInterval(() => void this.#poll(), options.timing.eventPoll), setInterval(backlog, BACKLOG)];
    this.#stopListening = options.bus.onDoubt(() => void this.#poll());
  }

  /**
   * The events of one enterprise for one subscriber. `opened` of the answer says when its position is fixed.
   * Errors come from the stream: `invalid_arguments` and `cursor_expired` {oldest} for `after`, `slow_consumer` {cursor}.
   */
  subscribe(subscription: Subscription): EventStream {
    const { enterpriseId } = subscription;
    const feed = this.#feeds.get(enterpriseId) ?? new Feed(this.#options, enterpriseId, () => this.#feeds.delete(enterpriseId));
    this.#feeds.set(enterpriseId, feed);
    return feed.join(subscription);
  }

  /** How many feeds and streams are open. */
  get open() {
    const feeds = [...this.#feeds.values()];
    return { feeds: feeds.length, streams: feeds.reduce((sum, feed) => sum + feed.streams.size, 0) };
  }

  /** Ends every stream, after what is queued in it. */
  close() {
    for (const timer of this.#timers) clearInterval(timer);
    this.#stopListening();
    for (const feed of [...this.#feeds.values()]) feed.close();
  }

  /** Finds with one statement the feeds that no bell told of their events, and those whose events are not there any more. */
  async #poll() {
    if (this.#polling || this.#feeds.size === 0) return;
    this.#polling = true;
    try {
      const known = new Map([...this.#feeds].map(([id, feed]) => [id, feed.last]));
      for (const { enterpriseId, ahead } of await enterprisesElsewhere(this.#options.db, known)) {
        const feed = this.#feeds.get(enterpriseId);
        if (ahead) feed?.look();
        else await feed?.expire();
      }
    } catch (error) {
      this.#options.log.warn({ error: (error as Error).message }, 'Could not poll for events');
    } finally {
      this.#polling = false;
    }
  }
}

/** Hands the events of one enterprise, each once and in order, to the streams that are live. */
class Feed implements Source {
  last = 0;
  readonly #options: FeedsOptions;
  readonly #enterpriseId: string;
  readonly streams = new Set<EventStream>();
  /** Events that rang before those in front of them. */
  readonly #ahead = new Map<number, EventRow>();
  readonly #stopListening: () => void;
  readonly #gone: () => void;
  #epoch = '';
  #starting: Promise<void> | undefined;
  #ready = false;
  #looking = false;
  #again = false;

  constructor(options: FeedsOptions, enterpriseId: string, gone: () => void) {
    this.#options = options;
    this.#enterpriseId = enterpriseId;
    this.#gone = gone;
    this.#stopListening = options.bus.listen(enterpriseId, (events) => this.#ring(events));
  }

  get patience() {
    return this.#options.timing.eventPatience;
  }

  start(): Promise<void> {
    this.#starting ??= this.#start().catch((error) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  join(subscription: Subscription): EventStream {
    const stream = new EventStream(this.#options.db, this, subscription);
    this.streams.add(stream);
    return stream;
  }

  leave(stream: EventStream) {
    if (!this.streams.delete(stream) || this.streams.size > 0) return;
    this.#stopListening();
    this.#gone();
  }

  close() {
    for (const stream of [...this.streams]) stream.end();
  }

  /** Reads from the table what did not ring. Calls during a look make it look once more. */
  look() {
    this.#again = true;
    if (this.#ready && !this.#looking) void this.#catchUp();
  }

  /** The database was put back to an earlier state while this process ran: numbers that were told will stand for other events. */
  async expire() {
    const { db, log } = this.#options;
    log.error(
      { enterpriseId: this.#enterpriseId, last: this.last },
      'The database went back behind events that were told: their cursors expire',
    );
    await renewEpoch(db, this.#epoch);
    const bounds = await eventBounds(db, this.#enterpriseId);
    for (const stream of [...this.streams]) stream.end(fromBefore({ epoch: this.#epoch, number: this.last }, bounds));
  }

  async #start() {
    const { epoch, last } = await eventBounds(this.#options.db, this.#enterpriseId);
    this.last = last;
    this.#epoch = epoch;
    this.#ready = true;
    if (this.#again) this.look();
  }

  #ring(events: EventRow[]) {
    if (!this.#ready || events.length === 0 || events.length > PAGE) return this.look();
    for (const event of events) {
      if (event.enterpriseId === this.#enterpriseId && event.number > this.last) this.#ahead.set(event.number, event);
    }
    this.#drain();
    if (this.#ahead.size > 0) this.look();
  }

  #drain() {
    for (let event = this.#ahead.get(this.last + 1); event; event = this.#ahead.get(this.last + 1)) {
      this.#ahead.delete(event.number);
      this.#hand(event);
    }
  }

  #hand(event: EventRow) {
    this.last = event.number;
    const bytes = JSON.stringify(event).length;
    for (const stream of this.streams) stream.push(event, bytes);
  }

  async #catchUp() {
    this.#looking = true;
    try {
      while (this.#again && this.streams.size > 0) {
        this.#again = false;
        await this.#read();
      }
    } catch (error) {
      this.#options.log.warn({ error: (error as Error).message }, 'Could not read events; the next poll tries again');
    } finally {
      this.#looking = false;
    }
  }

  /** What rang before the read is in it: only what rings during the read can be left over. */
  async #read() {
    const { db } = this.#options;
    this.#ahead.clear();
    const rows = await eventsAfter(db, this.#enterpriseId, this.last);
    const next = rows.find((row) => row.number > this.last);
    if (rows.length === PAGE || (next && next.number > this.last + 1)) return this.#skip(await lastNumber(db, this.#enterpriseId));
    for (const row of rows) if (row.number > this.last) this.#hand(row);
    this.#drain();
    if (this.#ahead.size > 0) this.#again = true;
  }

  /** More than a page at once would overflow good readers: each reads them at its own pace. */
  #skip(last: number) {
    if (last > this.last) this.last = last;
    this.#ahead.clear();
    this.#again = true;
    for (const stream of this.streams) stream.fallBehind();
  }
}
