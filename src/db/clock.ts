import { type Statement, statement } from './statement.ts';
import type { Queryable } from './transaction.ts';

/** How often the clock is set, in milliseconds. */
const EVERY = 10_000;

const readClock: Statement<{ at: number }, []> = statement(
  'read_clock',
  `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "at"`,
);

/** A clock that goes by the database's, which all its processes share, and never goes backwards. */
export class DatabaseClock {
  readonly #db: Queryable;
  /** What the database's clock shows, less the time since this process began: a clock of the machine that is set moves neither. */
  #offset = Number.NaN;
  #told = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** Sets it, and again and again until it is stopped. */
  async start(): Promise<void> {
    await this.set();
    this.#timer = setInterval(() => void this.set().catch(() => {}), EVERY); // the next round tries again
    this.#timer.unref();
  }

  stop() {
    clearInterval(this.#timer);
  }

  /**
   * Asks the database, whose answer was true at some moment between question and answer: an offset that lies within those bounds
   * stays, so that a slow answer spoils nothing.
   */
  async set(): Promise<void> {
    const asked = performance.now();
    const [{ at }] = (await this.#db.query(readClock())) as [{ at: number }];
    const [least, most] = [at - performance.now(), at - asked];
    this.#offset = Number.isNaN(this.#offset) ? (least + most) / 2 : Math.min(Math.max(this.#offset, least), most);
  }

  now = (): Date => {
    this.#told = Math.max(this.#told, Math.floor(this.#offset + performance.now()));
    return new Date(this.#told);
  };
}
