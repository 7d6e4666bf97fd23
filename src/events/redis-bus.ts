import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import type { EventRow } from '../db/event-row.ts';
import type { Timing } from '../kernel/kernel.ts';
import { type Bus, Listeners, type OnEvents } from './bus.ts';

const PREFIX = 'gatehouse:events:';

/** Whoever listens looks in the table after a silence of twice as long: a ping is sent as often, and the next finds it unanswered. */
const BEAT = 500;

const nothing = () => {};

/** Soon after a short loss, once a second in a long one. */
const retryDelay = (times: number) => Math.min(25 * 2 ** Math.min(times, 6), 1_000);

/**
 * The bus of many processes: Redis pub/sub over one connection, whatever the number of subscribers (RESP3 lets a connection
 * that subscribes publish and ping too). A channel is held only while this process listens to its enterprise.
 */
export class RedisBus implements Bus {
  readonly #redis: Redis;
  readonly #log: Logger;
  readonly #listeners = new Listeners();
  readonly #doubts = new Set<() => void>();
  readonly #pings: NodeJS.Timeout;
  /** Marks messages of this process: their events were handed over when they were published. */
  readonly #own = v7();
  #up = false;
  /** The last ping has no answer yet. */
  #silent = false;
  #closed = false;
  /** An outage is told once, however often connecting fails in it. */
  #told = false;

  /** Connects in the background: it starts, and rings in its own process, with Redis away. */
  constructor({ url, timing, log }: { url: string; timing: Pick<Timing, 'redisPing'>; log: Logger }) {
    this.#log = log;
    this.#redis = new Redis(url, {
      protocol: 3,
      enableOfflineQueue: false,
      autoResubscribe: false, // it would not tell when the channels are held again
      autoResendUnfulfilledCommands: false,
      retryStrategy: retryDelay,
      connectTimeout: timing.redisPing,
      socketTimeout: timing.redisPing, // a half-open connection leaves a ping, or the handshake, without an answer
      disconnectTimeout: 250,
    });
    this.#redis.on('error', (error: Error) => this.#lost(error.message));
    this.#redis.on('close', () => this.#lost('the connection closed'));
    this.#redis.on('ready', () => void this.#resume());
    this.#redis.on('message', (channel: string, message: string) => this.#receive(channel, message));
    this.#pings = setInterval(() => this.#beat(), Math.min(BEAT, timing.redisPing));
  }

  publish(events: EventRow[]) {
    const enterpriseId = events[0]?.enterpriseId;
    if (!enterpriseId) return;
    this.#listeners.tell(enterpriseId, events);
    // Dropped while Redis is away: nothing piles up, and the other processes read the table.
    if (this.#up) this.#redis.publish(PREFIX + enterpriseId, `${this.#own} ${JSON.stringify(events)}`).catch(nothing);
  }

  listen(enterpriseId: string, onEvents: OnEvents) {
    const channel = PREFIX + enterpriseId;
    const subscribe = async () => {
      if (this.#held && (await this.#subscribe([channel]))) this.#listeners.tell(enterpriseId, []);
    };
    return this.#listeners.add(
      enterpriseId,
      onEvents,
      () => void subscribe(),
      () => this.#held && this.#redis.unsubscribe(channel).catch(nothing),
    );
  }

  status() {
    return this.#up ? 'up' : 'down';
  }

  onDoubt(then: () => void) {
    const doubt = () => then();
    this.#doubts.add(doubt);
    return () => void this.#doubts.delete(doubt);
  }

  async close() {
    if (this.#closed) return;
    this.#closed = true;
    this.#up = false;
    clearInterval(this.#pings);
    const connected = !['reconnecting', 'end'].includes(this.#redis.status);
    // Not events.once: that rejects when the connection that is given up tells an error first.
    const ended = connected && new Promise((resolve) => void this.#redis.once('end', resolve));
    this.#redis.disconnect();
    await ended;
  }

  get #held() {
    return this.#redis.status === 'ready';
  }

  /** Whether Redis took the subscription. A connection on which it refuses is of no use: it is made anew. */
  async #subscribe(channels: string[]): Promise<boolean> {
    try {
      await this.#redis.subscribe(...channels);
      return true;
    } catch (error) {
      this.#lost((error as Error).message);
      if (this.#held && !this.#closed) this.#redis.disconnect(true);
      return false;
    }
  }

  /** What was published while the connection was away is gone: once the channels are held again, everybody looks in the table. */
  async #resume() {
    const channels = this.#listeners.enterprises().map((id) => PREFIX + id);
    if (channels.length > 0 && !(await this.#subscribe(channels))) return;
    if (this.#closed || !this.#held) return;
    this.#up = true;
    this.#told = false;
    this.#log.info('Redis is connected');
    this.#doubt();
  }

  #doubt() {
    for (const doubt of [...this.#doubts]) doubt();
  }

  #beat() {
    if (this.#silent || !this.#up) this.#doubt();
    if (!this.#held) return;
    this.#silent = true;
    this.#redis.ping().then(() => {
      this.#silent = false;
    }, nothing);
  }

  #lost(why: string) {
    this.#up = false;
    if (this.#told || this.#closed) return;
    this.#told = true;
    this.#log.warn(`Redis is away (${why}): events of other processes arrive by polling until it is back`);
  }

  #receive(channel: string, message: string) {
    if (message.startsWith(this.#own)) return;
    try {
      const rows = JSON.parse(message.slice(message.indexOf(' ') + 1)) as EventRow[];
      const events = rows.map((row) => ({ ...row, at: new Date(row.at) }));
      this.#listeners.tell(channel.slice(PREFIX.length), events);
    } catch (error) {
      this.#log.warn({ channel, error: (error as Error).message }, 'Redis carried a message that is none of ours');
    }
  }
}
