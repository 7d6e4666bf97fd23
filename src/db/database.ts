import { PrismaPg } from '@prisma/adapter-pg';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { DatabaseClock } from './clock.ts';
import { openEmbedded } from './embedded.ts';
import type { EventRow } from './event-row.ts';
import { PrismaClient } from './generated/client.ts';
import { migrate } from './migrations.ts';
import { openError } from './open-error.ts';
import { beginning, isPooled, onPGlite, onPostgres, PATIENCE, withoutHurry } from './pool.ts';
import { type JoiningPool, type Queryable, type Tx, transact } from './transaction.ts';
import { Turns } from './turns.ts';

export type { Queryable, Tx } from './transaction.ts';

/** Where the records live: a Postgres, or the embedded default in a folder (in memory without one). */
export type DatabaseHome = { url: string; poolSize?: number } | { folder?: string };

/** The database of the service: one pool, shared by our SQL and by Prisma. */
export interface Database extends Queryable {
  /** For everything that is not hot. Inside a transaction it is `tx.prisma`: this one's queries are no part of it. */
  readonly prisma: Prisma;
  /** One transaction; see `transact`. Its events are handed to `onEvents` after the commit. */
  transaction<T>(work: (tx: Tx) => Promise<T>, asked?: number): Promise<T>;
  /** The same database for what one enterprise asks of it: all that it asks at once uses half of the connections at most. */
  of(enterpriseId: string): Database;
  /** The database without a turn: for what must not wait behind others of its enterprise. */
  readonly whole: Database;
  /** The clock that all processes on this database share. */
  now: () => Date;
  /** Called with the stored events of each committed transaction of this process. */
  onEvents: (events: EventRow[]) => void;
  close(): Promise<void>;
}

export type Prisma = PrismaClient;

/**
 * Opens the database, applies missing migrations and warms Prisma up.
 * `now`: a clock in place of the database's own.
 * @throws {OpenError} for what lies outside the program
 */
export async function openDatabase(home: DatabaseHome, now?: () => Date): Promise<Database> {
  const embedded = 'url' in home ? undefined : await openEmbedded(home.folder);
  const pool = embedded ? onPGlite(embedded) : onPostgres((home as { url: string }).url, (home as { poolSize?: number }).poolSize);
  pool.on('error', () => {}); // an idle connection that dies is replaced; the next query tells if that fails
  try {
    await applyMigrations(pool, embedded ? undefined : (home as { url: string }).url);
    const prisma = connectPrisma(pool);
    await prisma.enterprise.count(); // Prisma's first query costs 170 ms
    const clock = await clockOf(pool, embedded ? () => new Date() : now);
    const pooled = 'url' in home && isPooled(home.url);
    return databaseOn({ pool, prisma, now: now ?? clock.now, begin: beginning(pooled) }, async () => {
      clock.stop();
      await prisma.$disconnect();
      await pool.end();
      await embedded?.close();
    });
  } catch (error) {
    await pool.end().catch(() => {});
    await embedded?.close().catch(() => {});
    throw openError(error);
  }
}

/** The embedded database runs in the one process that has it open: its clock is that one's. */
async function clockOf(pool: JoiningPool, given: (() => Date) | undefined): Promise<Pick<DatabaseClock, 'now' | 'stop'>> {
  if (given) return { now: given, stop: () => {} };
  const clock = new DatabaseClock({ query: async (query) => (await pool.send(query)).rows as never });
  await clock.start();
  return clock;
}

/** What one transaction stands on. */
type Parts = Parameters<typeof transact>[0];

function databaseOn(parts: Parts, close: () => Promise<void>): Database {
  const { pool, prisma, now } = parts;
  const turns = new Turns(Math.max(1, Math.floor(pool.size / 2)), PATIENCE);
  const shares = new LRUCache<string, Database>({ max: 1_000 });
  const database: Database = {
    ...{ prisma, now, close },
    get whole() {
      return database;
    },
    onEvents: () => {},
    query: async (query) => (await pool.send(query)).rows as never,
    async transaction(work, asked) {
      const { result, events } = await transact(parts, work, asked);
      if (events.length > 0) database.onEvents(events);
      return result;
    },
    of(enterpriseId) {
      const share = shares.get(enterpriseId) ?? shareOf(database, turns, enterpriseId);
      shares.set(enterpriseId, share);
      return share;
    },
  };
  return database;
}

/** `database`, each of whose uses waits for its turn among those of the enterprise. */
function shareOf(database: Database, turns: Turns, enterpriseId: string): Database {
  const inTurn = ({ operation, args, query }: { operation: string; args: unknown; query: (args: unknown) => Promise<unknown> }) => {
    // Those of one tick are collected into one statement.
    if (operation.startsWith('findUnique')) return query(args);
    return turns.take(enterpriseId, async () => await query(args));
  };
  return {
    ...database,
    prisma: database.prisma.$extends({ query: { $allOperations: inTurn as never } }) as unknown as Prisma,
    query: (query) => turns.take(enterpriseId, () => database.query(query)),
    transaction(work) {
      const asked = performance.now();
      return turns.take(enterpriseId, () => database.transaction(work, asked));
    },
  };
}

const names = new Map<string, string>();

/** Prisma's statements are prepared once a connection, as ours are. */
function statementName({ sql }: { sql: string }): string {
  const known = names.get(sql);
  if (known || names.size >= 1_000) return known ?? '';
  const name = `prisma_${names.size}`;
  names.set(sql, name);
  return name;
}

function connectPrisma(pool: JoiningPool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool as pg.Pool, { statementNameGenerator: statementName } as never) });
}

/** On a Postgres over a connection of its own: migrations may take their time. */
async function applyMigrations(pool: JoiningPool, url: string | undefined) {
  const own = url ? withoutHurry(url) : undefined;
  const client: pg.PoolClient = await (own ?? pool).borrow();
  try {
    await migrate(client);
  } finally {
    client.release();
    await own?.end();
  }
}
