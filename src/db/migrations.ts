import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { v7 } from 'uuid';
import { mend } from './mend-migration.ts';

export const MIGRATIONS = path.resolve(import.meta.dirname, '../../prisma/migrations');

/** A folder of `prisma/migrations`. */
export interface Migration {
  name: string;
  sql: string;
}

/** The migrations that this version of the service knows, in their order. */
export function knownMigrations(folder = MIGRATIONS): Migration[] {
  return readdirSync(folder)
    .filter((name) => existsSync(path.join(folder, name, 'migration.sql')))
    .sort()
    .map((name) => ({ name, sql: readFileSync(path.join(folder, name, 'migration.sql'), 'utf8') }));
}

/** The lock that Prisma's own tools take: they and we wait for each other. It goes with its transaction, so it needs no session. */
const LOCK = 'SELECT pg_advisory_xact_lock(72707369)';
/** However long others migrate, it is waited for; a table that is in use holds up its readers no longer than this. */
const PATIENCE = `SET LOCAL lock_timeout = '10s'`;

/** As Prisma makes it. */
const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;

const ROWS = `SELECT "migration_name" AS "name", "finished_at" IS NOT NULL AS "finished" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`;
const RECORD = `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "logs", "finished_at", "applied_steps_count")
  VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`;
const FINISHED = `UPDATE "_prisma_migrations" SET "finished_at" = clock_timestamp(), "logs" = $2, "applied_steps_count" = 1
  WHERE "migration_name" = $1 AND "finished_at" IS NULL AND "rolled_back_at" IS NULL`;

/** What a migration says of older versions: its first line, `-- keeps 0012`. Kept in its row, where they can read it. */
const keeps = (sql: string) => sql.match(/^-- (keeps \d{4})\n/)?.[1] ?? null;

/**
 * Applies the migrations that the database lacks, each in one transaction with its row in `_prisma_migrations`: one that is
 * cut off leaves nothing. Any number of processes may do it at once. Answers the names of those that it applied.
 */
export async function migrate(client: pg.ClientBase, wanted: Migration[] = knownMigrations()): Promise<string[]> {
  const applied: string[] = [];
  for (;;) {
    if (await isWhole(client, wanted)) return applied;
    const name = await inTransaction(client, () => applyNext(client, wanted));
    if (name) applied.push(name);
  }
}

/** Without the lock, as nearly every start finds nothing to do. */
async function isWhole(client: pg.ClientBase, wanted: Migration[]) {
  const { rows } = await client.query(`SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS "there"`);
  if (!rows[0].there) return false;
  const finished = new Set((await client.query(ROWS)).rows.filter((row) => row.finished).map((row) => row.name));
  return wanted.every(({ name }) => finished.has(name));
}

/** One transaction: what it applies and that it was applied. */
async function applyNext(client: pg.ClientBase, wanted: Migration[]): Promise<string | undefined> {
  await client.query('SET LOCAL statement_timeout = 0');
  await client.query(LOCK);
  await client.query(PATIENCE);
  await client.query(TABLE);
  const rows = new Map<string, boolean>();
  for (const { name, finished } of (await client.query(ROWS)).rows) rows.set(name, finished || rows.get(name) === true);
  const next = wanted.find(({ name }) => !rows.get(name));
  if (!next) return undefined;
  if (rows.has(next.name)) {
    await mend(client, next.sql);
    await client.query(FINISHED, [next.name, keeps(next.sql)]);
    return next.name;
  }
  await client.query(next.sql);
  await client.query(RECORD, [v7(), createHash('sha256').update(next.sql).digest('hex'), next.name, keeps(next.sql)]);
  return next.name;
}

async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {}); // a connection that is gone has rolled back
    throw error;
  }
}
