import { AsyncLocalStorage } from 'node:async_hooks';
import type { Writable } from 'node:stream';
import type pg from 'pg';
import type { Prisma } from './database.ts';
import { type EventRow, eventStatement, type NewEvent } from './event-row.ts';
import { LendingPool } from './lending-pool.ts';
import { isRepeatable, isStale } from './trouble.ts';

/** What the SQL of a domain function runs on: a transaction, or the pool for a single statement. */
export interface Queryable {
  query<Row>(query: pg.QueryConfig & { readonly row?: Row }): Promise<Row[]>;
}

/** One open transaction, or a savepoint in it. */
export interface Tx extends Queryable {
  /** Prisma, its queries being part of this transaction (`findFirst`, never `findUnique`). */
  readonly prisma: Prisma;
  /** Sends statements in one write, to be executed one after another, and answers the rows of each. */
  together(...queries: pg.QueryConfig[]): Promise<unknown[][]>;
  /** A statement that nobody waits for: it goes out in one write with the announced events and COMMIT, ahead of them. */
  atCommit(query: pg.QueryConfig): void;
  /**
   * The last statement of the transaction: it goes out in one write with the announced events and COMMIT.
   * In a savepoint it is an ordinary query.
   */
  last<Row>(query: pg.QueryConfig & { readonly row?: Row }): Promise<Row[]>;
  /** Announces a change: its event row is written, numbered and published with the commit. */
  emit(event: NewEvent): void;
  /** Runs once the transaction has committed. Must not throw. */
  afterCommit(then: () => void): void;
  /** Runs `work` in a savepoint: when it rejects, its own effects are undone and the transaction goes on. */
  savepoint<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** The transaction that a query of Prisma's belongs to: nothing else can be handed through Prisma to its adapter. */
const scopes = new AsyncLocalStorage<Scope>();
let joined = 0;

/** While an AsyncLocalStorage is in use Node 20 charges every promise of the process for it: it is, only for as long as Prisma works. */
async function join<T>(scope: Scope, query: () => Promise<T>): Promise<T> {
  joined++;
  try {
    return await scopes.run(scope, query);
  } finally {
    if (--joined === 0) scopes.disable();
  }
}

/**
 * Prisma collects the `findUnique` calls of one tick, whoever made them, and sends them in the async context of the
 * first: two transactions would read through one of the two. `findFirst` is never collected.
 */
function joinedPrisma(prisma: Prisma, scope: Scope): Prisma {
  const inScope = ({ operation, args, query }: { operation: string; args: unknown; query: (args: unknown) => Promise<unknown> }) => {
    if (operation.startsWith('findUnique')) throw new Error('findUnique inside a transaction may run in another one: use findFirst');
    return join(scope, async () => await query(args));
  };
  return prisma.$extends({ query: { $allOperations: inScope as never } }) as unknown as Prisma;
}

/** What a transaction needs of its database. */
export interface Transacting {
  pool: JoiningPool;
  prisma: Prisma;
  /** The text that begins a transaction for which so many milliseconds were waited already. */
  begin: (waited: number) => string;
  /** The clock that stamps the events. */
  now: () => Date;
}

class Scope implements Tx {
  ended = false;
  turn: Promise<unknown> = Promise.resolve();
  readonly events: NewEvent[] = [];
  readonly hooks: (() => void)[] = [];
  readonly closing: pg.QueryConfig[] = [];
  closed: Promise<unknown> = Promise.resolve();
  commit: Promise<pg.QueryResult> | undefined;
  stored: Promise<EventRow[]> = Promise.resolve([]);

  #prisma: Prisma | undefined;

  constructor(
    readonly client: pg.PoolClient,
    readonly database: Transacting,
    readonly outer?: Scope,
  ) {}

  get prisma(): Prisma {
    this.#prisma ??= joinedPrisma(this.database.prisma, this);
    return this.#prisma;
  }

  async query<Row>(query: pg.QueryConfig): Promise<Row[]> {
    return (await this.send(query)).rows as Row[];
  }

  /** Sends in turn: whoever holds the turn (a savepoint of Prisma's, say) has the connection to itself. */
  async send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.ended) throw new Error('This transaction has ended');
    const free = await this.take();
    try {
      return await this.client.query(query);
    } finally {
      free();
    }
  }

  async together(...queries: pg.QueryConfig[]): Promise<unknown[][]> {
    if (this.ended) throw new Error('This transaction has ended');
    const free = await this.take();
    const socket = socketOf(this.client);
    try {
      socket.cork();
      const sent = queries.map((query) => this.client.query(query));
      socket.uncork();
      await Promise.allSettled(sent); // whatever fails, none is under way any more when the turn is given up
      return (await Promise.all(sent)).map(({ rows }) => rows);
    } finally {
      free();
    }
  }

  async take(): Promise<() => void> {
    const before = this.turn;
    let free!: () => void;
    this.turn = new Promise<void>((resolve) => {
      free = resolve;
    });
    await before;
    return free;
  }

  async last<Row>(query: pg.QueryConfig): Promise<Row[]> {
    if (this.outer) return this.query(query);
    await this.end();
    const socket = socketOf(this.client);
    socket.cork();
    const answer = this.client.query(query);
    this.sendCommit();
    socket.uncork();
    return (await answer).rows as Row[];
  }

  atCommit(query: pg.QueryConfig) {
    this.closing.push(query);
  }

  emit(event: NewEvent) {
    this.events.push(event);
  }

  afterCommit(then: () => void) {
    this.hooks.push(then);
  }

  /** Nothing new joins; what is already queued goes first. */
  async end() {
    this.ended = true;
    await this.turn;
  }

  sendCommit() {
    const socket = socketOf(this.client);
    socket.cork();
    this.closed = Promise.all(this.closing.map((query) => this.client.query(query)));
    this.closed.catch(() => {}); // awaited by whoever began the transaction
    if (this.events.length > 0) {
      this.stored = this.client.query(eventStatement(this.events, this.database.now())).then(({ rows }) => rows as EventRow[]);
      this.stored.catch(() => {}); // a failure dooms the COMMIT behind it, which is what reports it
    }
    this.commit = this.client.query('COMMIT');
    this.commit.catch(() => {}); // awaited by whoever began the transaction
    socket.uncork();
  }

  async savepoint<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const free = await this.take();
    const inner = new Scope(this.client, this.database, this);
    const name = savepointName();
    try {
      await this.client.query(`SAVEPOINT ${name}`);
    } catch (error) {
      free();
      throw error; // there is nothing to go back to
    }
    try {
      const result = await work(inner);
      await inner.end();
      await this.client.query(`RELEASE SAVEPOINT ${name}`);
      this.closing.push(...inner.closing);
      this.events.push(...inner.events);
      this.hooks.push(...inner.hooks);
      return result;
    } catch (error) {
      await inner.end();
      await this.client.query(`ROLLBACK TO SAVEPOINT ${name}; RELEASE SAVEPOINT ${name}`);
      throw error;
    } finally {
      free();
    }
  }
}

/** The socket of a client, to send several statements in one write. `pg` has no public way to it. */
export const socketOf = (client: pg.PoolClient) => (client as unknown as { connection: { stream: Writable } }).connection.stream;

const savepointName = () => `s${crypto.randomUUID().replaceAll('-', '')}`;

/** The pool that Prisma and our SQL share: inside a transaction, Prisma's queries run in that transaction. */
export class JoiningPool extends LendingPool {
  // Prisma uses the promise forms of pg's overloads.
  override async query(...args: unknown[]): Promise<never> {
    const [config, values] = args as [string | pg.QueryConfig, unknown[] | undefined];
    const query = typeof config === 'string' ? { text: config, values } : config;
    return (scopes.getStore() ?? this).send(query) as never;
  }

  override async connect(): Promise<never> {
    const scope = scopes.getStore();
    return (scope ? new PrismaSavepoint(scope.client, await scope.take()) : await this.borrow()) as never;
  }
}

/** What Prisma gets for its own BEGIN … COMMIT (nested writes, `$transaction`) inside ours: a savepoint. */
class PrismaSavepoint {
  readonly #name = savepointName();

  constructor(
    readonly client: pg.PoolClient,
    readonly release: () => void,
  ) {}

  query(query: string | pg.QueryConfig, values?: unknown[]) {
    const text = typeof query === 'string' ? query : query.text;
    if (text === 'BEGIN') return this.client.query(`SAVEPOINT ${this.#name}`);
    if (text === 'COMMIT') return this.client.query(`RELEASE SAVEPOINT ${this.#name}`);
    if (text === 'ROLLBACK') return this.client.query(`ROLLBACK TO SAVEPOINT ${this.#name}; RELEASE SAVEPOINT ${this.#name}`);
    return this.client.query(query as string, values);
  }

  on() {}
  removeListener() {}
}

/**
 * Runs `work` in one transaction: commits when it resolves, rolls back when it rejects. After a deadlock it runs again, and where
 * a statement must be prepared anew, so `work` has no effects outside the database. Answers what `work` answered and the events
 * that were stored. `asked`: when it was asked for, by `performance.now()`: what was waited since is waited less for locks.
 * A transaction begun inside another is one of its own, and on PGlite waits for that one in vain: use `savepoint`.
 */
export async function transact<T>(
  database: Transacting,
  work: (tx: Tx) => Promise<T>,
  asked = performance.now(),
): Promise<{ result: T; events: EventRow[] }> {
  const { pool } = database;
  for (let tries = 1; ; tries++) {
    try {
      return await pool.lend((client, onError) => once(database, { client, onError }, work, asked));
    } catch (error) {
      const most = isRepeatable(error) ? 3 : isStale(error) ? pool.size : 0;
      if (tries > most) throw error;
    }
  }
}

interface Lent {
  client: pg.PoolClient;
  onError: (error: Error) => void;
}

async function once<T>(database: Transacting, { client, onError }: Lent, work: (tx: Tx) => Promise<T>, asked: number) {
  const scope = new Scope(client, database);
  try {
    // Not awaited: it goes out in one write with the first statement. If it failed, what follows would be no transaction.
    const socket = socketOf(client);
    socket.cork();
    client.query(database.begin(performance.now() - asked)).catch((error) => socket.destroy(error));
    process.nextTick(() => socket.uncork());
    const result = await work(scope);
    if (!scope.commit) {
      await scope.end();
      scope.sendCommit();
    }
    // Postgres answers the COMMIT of a failed transaction with ROLLBACK and no error.
    const [events, commit] = await Promise.all([scope.stored, scope.commit!, scope.closed]);
    if (commit.command !== 'COMMIT')
      throw new Error('The transaction was rolled back: a statement in it failed and the error was swallowed');
    if (scope.hooks.length > 0) queueMicrotask(() => scope.hooks.forEach((hook) => void hook()));
    return { result, events };
  } catch (error) {
    await scope.end();
    await (scope.commit ?? client.query('ROLLBACK')).catch(onError);
    throw error;
  }
}
