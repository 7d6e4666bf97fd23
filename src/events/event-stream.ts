import type { Queryable } from '../db/database.ts';
import type { EventRow } from '../db/event-row.ts';
import { checkPlace, eventBounds, notKept, parseCursor, printCursor, RESUMABLE } from './cursor.ts';
import { eventsAfter } from './event-table.ts';
import { isFailure, Patience } from './patience.ts';

/** What a subscriber asks for. */
export interface Subscription {
  enterpriseId: string;
  /** The cursor of the last event that the subscriber has; without it the stream begins with what comes next. */
  after?: string | null;
  wants: (event: EventRow) => boolean;
  /** How much may wait for a slow subscriber: events, and bytes of their JSON. */
  maxEvents?: number;
  maxBytes?: number;
  /** What the transport holds of what it was given for the subscriber, in bytes. */
  buffered?: () => number;
}

/** The feed as a stream sees it. `last`: the number up to which the feed has handed out everything. */
export interface Source {
  readonly last: number;
  /** How long a stream tries again what fails, in milliseconds. */
  readonly patience: number;
  /** Resolves when `last` is known; may be called again when it failed. */
  start(): Promise<void>;
  leave(stream: EventStream): void;
}

interface Waiting {
  event: EventRow;
  bytes: number;
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The events of one subscriber, in order, each once. Behind the feed it reads the table as it is pulled, and holds at most a
 * page; once it has caught up it is live: the feed pushes into its bounded queue. What the database does not give is tried
 * again; after `patience` the stream ends with `service_unavailable`.
 */
export class EventStream implements AsyncIterableIterator<EventRow> {
  /**
   * Resolves when the position is fixed: every later event will be delivered. Rejects with `invalid_arguments` or
   * `cursor_expired`, which pulling then throws too.
   */
  readonly opened: Promise<void>;
  /** Resolves when the stream ends, with the error if it ended by one; whoever stopped pulling learns it here. */
  readonly ended: Promise<Error | undefined>;
  readonly #db: Queryable;
  readonly #source: Source;
  readonly #asked: Required<Omit<Subscription, 'after'>>;
  readonly #patience: Patience;
  readonly #queue: Waiting[] = [];
  #bytes = 0;
  /** Every event up to this number has been queued, or is not wanted. */
  #seen = 0;
  #live = false;
  #epoch = '';
  #delivered: number | undefined;
  #end: { error?: Error } | undefined;
  #told!: (error: Error | undefined) => void;
  #wake = () => {};
  #turn: Promise<unknown> = Promise.resolve();

  constructor(db: Queryable, source: Source, { after, ...asked }: Subscription) {
    this.#db = db;
    this.#source = source;
    this.#asked = { maxEvents: 1_000, maxBytes: 8 * 1024 * 1024, buffered: () => 0, ...asked };
    this.#patience = new Patience(source.patience);
    this.ended = new Promise((resolve) => {
      this.#told = resolve;
    });
    this.opened = this.#open(after);
    this.opened.catch((error) => this.end(error));
  }

  /** The cursor to resume from: of the last event that was pulled, before that of the start; null until `opened`. */
  get lastCursor(): string | null {
    return this.#delivered === undefined ? null : this.cursorOf(this.#delivered);
  }

  /** The cursor of an event of this stream. */
  cursorOf(number: number): string {
    return printCursor({ epoch: this.#epoch, number });
  }

  /** What is held for the subscriber, here and in its transport, in bytes. */
  get held(): number {
    return this.#bytes + this.#asked.buffered();
  }

  /** Ends the stream from outside: with an error at once, without one after what is queued. */
  end(error?: Error) {
    if (this.#end) return;
    this.#end = error ? { error } : {};
    if (error) this.#drop();
    this.#live = false;
    this.#source.leave(this);
    this.#wake();
    this.#told(error);
  }

  /** The feed hands over an event of its enterprise; `bytes` of JSON. Never throws. */
  push(event: EventRow, bytes: number) {
    if (!this.#live || event.number <= this.#seen) return;
    if (event.number > this.#seen + 1) return this.fallBehind();
    try {
      this.#add({ event, bytes });
    } catch (error) {
      return this.end(error as Error); // `wants` is the subscriber's own
    }
    if (this.#queue.length > this.#asked.maxEvents || this.#bytes > this.#asked.maxBytes) this.overflow();
    this.#wake();
  }

  /** Ends the stream with `slow_consumer`: it holds more than is kept for it. */
  overflow() {
    this.#give('slow_consumer');
  }

  /**
   * Something that the subscriber waits for failed: resolves when it may be tried again, false when the stream has ended, as it
   * does when that has gone on for too long. What comes meanwhile is left in the table.
   */
  async again(): Promise<boolean> {
    if (this.#end) return false;
    this.fallBehind();
    const wait = this.#patience.wait();
    if (wait === undefined) this.#give('service_unavailable');
    else await this.#sleep(wait);
    return !this.#end;
  }

  /** The feed skips what many events are: the stream reads them from the table at its own pace. */
  fallBehind() {
    this.#live = false;
    this.#wake();
  }

  next(): Promise<IteratorResult<EventRow, undefined>> {
    const turn = this.#turn.then(() => this.#take());
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#drop();
    this.end();
    this.#end!.error = undefined;
    return DONE;
  }

  async throw(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async #open(after: string | null | undefined) {
    const asked = after == null ? undefined : parseCursor(after);
    const bounds = await this.#persist(async () => {
      await this.#source.start();
      return eventBounds(this.#db, this.#asked.enterpriseId);
    });
    if (!bounds || this.#end) return;
    if (asked) checkPlace(asked, bounds);
    const start = asked?.number ?? bounds.last;
    this.#epoch = bounds.epoch;
    this.#seen = start;
    this.#delivered = start;
    this.#live = this.#source.last <= start;
  }

  /** Reads until it succeeds; undefined when the stream has ended before. @throws what is no failure of the service */
  async #persist<T>(read: () => Promise<T>): Promise<T | undefined> {
    for (;;) {
      try {
        const done = await read();
        this.#patience.renew();
        return done;
      } catch (error) {
        if (!isFailure(error)) throw error;
        if (!(await this.again())) return undefined;
      }
    }
  }

  async #take(): Promise<IteratorResult<EventRow, undefined>> {
    await this.opened.catch(() => {});
    this.#patience.renew();
    for (;;) {
      const waiting = this.#queue.shift();
      if (waiting) return this.#deliver(waiting);
      if (this.#end) return this.#finish(this.#end);
      if (this.#live) await this.#sleep();
      else await this.#persist(() => this.#readPage()).catch((error) => this.end(error));
    }
  }

  #deliver({ event, bytes }: Waiting) {
    this.#bytes -= bytes;
    this.#delivered = event.number;
    return { done: false as const, value: event };
  }

  /** An error is thrown once; after it the stream is done. */
  #finish(end: { error?: Error }) {
    const { error } = end;
    end.error = undefined;
    if (error) throw error;
    return DONE;
  }

  #sleep(most?: number) {
    return new Promise<void>((resolve) => {
      const timer = most === undefined ? undefined : setTimeout(resolve, most);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Reads on from the table, and goes live when the feed has handed out nothing beyond what was read. */
  async #readPage() {
    const { enterpriseId, maxEvents } = this.#asked;
    const behind = this.#source.last > this.#seen;
    const rows = await eventsAfter(this.#db, enterpriseId, this.#seen, Math.ceil(maxEvents / 2));
    if (this.#end) return;
    const pruned = rows[0] ? rows[0].number > this.#seen + 1 : behind;
    if (pruned) throw notKept({ epoch: this.#epoch, number: this.#seen }, await eventBounds(this.#db, enterpriseId));
    for (const event of rows) this.#add({ event, bytes: JSON.stringify(event).length });
    this.#live = this.#source.last <= this.#seen;
  }

  #add(waiting: Waiting) {
    this.#seen = waiting.event.number;
    if (!this.#asked.wants(waiting.event)) return;
    this.#queue.push(waiting);
    this.#bytes += waiting.bytes;
  }

  #drop() {
    this.#queue.length = 0;
    this.#bytes = 0;
  }

  #give(code: keyof typeof RESUMABLE) {
    this.end(RESUMABLE[code](this.lastCursor));
  }
}
