import pg from 'pg';
import { DatabaseTrouble, isStale } from './trouble.ts';

/** How long a pool that the server refused a connection does with those that it has, in milliseconds. */
const CONTENT = 5_000;
const NEXT_TRY = 100;

/** What a server says that has no connection left, and what the pool says when nothing came of a new one in time: a pooler waits. */
const TOO_MANY = '53300';
const LATE = 'Connection terminated due to connection timeout';

/** A pool that waits, instead of failing, while the server has fewer connections for it than it wants. */
export class LendingPool extends pg.Pool {
  /** How many connections it wants. */
  readonly size = this.options.max;

  /** Lends a connection to `work`; one that breaks (`onError` is told), or has statements that are stale, is not lent again. */
  async lend<T>(work: (client: pg.PoolClient, onError: (error: Error) => void) => Promise<T>): Promise<T> {
    const client = await this.borrow();
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError); // a connection that dies while idle inside us must not crash the process
    try {
      return await work(client, onError);
    } catch (error) {
      if (error instanceof DatabaseTrouble && (error.kind === 'away' || isStale(error))) broken ??= error;
      throw error;
    } finally {
      client.removeListener('error', onError);
      client.release(broken);
    }
  }

  /** One statement on any connection. */
  async send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.lend((client) => this.alone(client, query));
      } catch (error) {
        if (!isStale(error) || tries > this.size) throw error;
      }
    }
  }

  protected alone(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> {
    return client.query(query);
  }

  /**
   * A connection, to be released by whoever borrowed it.
   * @throws {DatabaseTrouble} busy: none was free in time; away: the server cannot be reached, or refuses us
   */
  async borrow(): Promise<pg.PoolClient> {
    const deadline = performance.now() + 2 * (this.options.connectionTimeoutMillis ?? 0);
    for (;;) {
      try {
        return await super.connect();
      } catch (error) {
        const { message, code } = error as Error & { code?: string };
        if (message === 'timeout exceeded when trying to connect') throw new DatabaseTrouble('busy', 'No connection was free in time');
        if (code !== TOO_MANY && !(message === LATE && this.totalCount > 0))
          throw new DatabaseTrouble('away', message || String(code), code);
        if (performance.now() > deadline) throw new DatabaseTrouble('busy', message, code);
        await this.#makeDo();
      }
    }
  }

  /** The server has no connection left for us: those that we have go from hand to hand for a while. */
  async #makeDo() {
    if (this.totalCount === 0) return new Promise<void>((resolve) => void setTimeout(resolve, NEXT_TRY));
    this.options.max = this.totalCount;
    setTimeout(() => {
      this.options.max = this.size;
    }, CONTENT).unref();
  }
}
