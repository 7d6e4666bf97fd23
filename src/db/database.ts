import type { PGlite } from '@electric-sql/pglite';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { openEmbedded } from './embedded.ts';
import type { EventRow } from './event-row.ts';
import { PrismaClient } from './generated/client.ts';
import { migrate } from './migrations.ts';
import { openError } from './open-error.ts';
import { onPGlite, onPostgres } from './pool.ts';
import { type JoiningPool, type Queryable, type Tx, transact } from './transaction.ts';

export type { Queryable, Tx } from './transaction.ts';

/** Where the records live: a Postgres, or the embedded default in a folder (in memory without one). */
export type DatabaseHome = { url: string; poolSize?: number } | { folder?: string };

/** The database of the service: one pool, shared by our SQL and by Prisma. */
export interface Database extends Queryable {
  /** For everything that is not hot. Inside a transaction it is `tx.prisma`: this one's queries are no part of it. */
  readonly prisma: Prisma;
  /** One transaction; see `transact`. Its events are handed to `onEvents` after the commit. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Called with the stored events of each committed transaction of this process. */
  onEvents: (events: EventRow[]) => void;
  close(): Promise<void>;
}

export type Prisma = PrismaClient;

/**
 * Opens the database, applies missing migrations and warms Prisma up.
 * `now` is the service's clock: it stamps the events.
 * @throws {OpenError} for what lies outside the program
 */
export async function openDatabase(home: DatabaseHome, now: () => Date = () => new Date()): Promise<Database> {
  const embedded = 'url' in home ? undefined : await openEmbedded(home.folder);
  const pool = embedded ? onPGlite(embedded) : onPostgres((home as { url: string }).url, (home as { poolSize?: number }).poolSize);
  pool.on('error', () => {}); // an idle connection that dies is replaced; the next query tells if that fails
  try {
    await applyMigrations(pool);
    const prisma = connectPrisma(pool);
    await prisma.enterprise.count(); // Prisma's first query costs 170 ms
    return databaseOn(pool, prisma, now, embedded);
  } catch (error) {
    await pool.end().catch(() => {});
    await embedded?.close().catch(() => {});
    throw openError(error);
  }
}

function databaseOn(pool: JoiningPool, prisma: PrismaClient, now: () => Date, embedded?: PGlite): Database {
  const database: Database = {
    prisma,
    onEvents: () => {},
    query: async (query) => ((await pool.query(query)) as pg.QueryResult).rows as never,
    async transaction(work) {
      const { result, events } = await transact({ pool, prisma, now }, work);
      if (events.length > 0) database.onEvents(events);
      return result;
    },
    async close() {
      await prisma.$disconnect();
      await pool.end();
      await embedded?.close();
    },
  };
  return database;
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

async function applyMigrations(pool: JoiningPool) {
  const client: pg.PoolClient = await pool.connect();
  try {
    await migrate(client);
  } finally {
    client.release();
  }
}
