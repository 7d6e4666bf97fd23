import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateByPrisma } from '../../scripts/schema-engine.ts';
import { knownMigrations, type Migration, migrate } from '../../src/db/migrations.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

const KNOWN = knownMigrations();
const NAMES = KNOWN.map(({ name }) => name);
let database: TestDatabase;
let made = 0;
const open: pg.Client[] = [];

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await Promise.all(open.map((client) => client.end().catch(() => {})));
  await database.drop();
});

/** A session that sees an empty schema of its own, or the one that is named. */
async function session(schema?: string): Promise<pg.Client & { schema: string }> {
  const name = schema ?? `schema_${made++}`;
  const client = new pg.Client({ connectionString: database.url, options: `-c search_path=${name}` });
  client.on('error', () => {}); // one that is ended from outside
  await client.connect();
  open.push(client);
  if (!schema) await client.query(`CREATE SCHEMA ${name}`);
  return Object.assign(client, { schema: name });
}

const rowsOf = async (client: pg.Client, sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows;

const recorded = (client: pg.Client) =>
  rowsOf(
    client,
    `SELECT "migration_name", "checksum", "finished_at" >= "started_at", "rolled_back_at", "applied_steps_count" FROM "_prisma_migrations" ORDER BY 1`,
  );

/** Everything that migrations make, as text. */
async function schemaOf(client: pg.Client & { schema: string }): Promise<string[]> {
  const rows: string[][] = [];
  for (const sql of CATALOGS) rows.push(...(await rowsOf(client, sql)));
  return rows.map((row) => row.join(' ').replaceAll(`${client.schema}.`, ''));
}

const CATALOGS = [
  `SELECT table_name, column_name, udt_name, is_nullable, column_default FROM information_schema.columns
   WHERE table_schema = current_schema() ORDER BY 1, 2`,
  'SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1',
  'SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = current_schema()::regnamespace ORDER BY 1',
  `SELECT typname, enumlabel FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid
   WHERE typnamespace = current_schema()::regnamespace ORDER BY typname, enumsortorder`,
];

describe('migrating', () => {
  it('records what Prisma would, which then finds nothing to do', async () => {
    const [ours, theirs] = [await session('public'), await testDatabase()];
    const byPrisma = new pg.Client(theirs.url);
    await byPrisma.connect();
    open.push(byPrisma);
    await byPrisma.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    expect(await migrateByPrisma(new PrismaPg({ connectionString: theirs.url }), KNOWN)).toEqual(NAMES);
    expect(await recorded(ours)).toEqual(await recorded(byPrisma));
    expect(await schemaOf(ours)).toEqual(await schemaOf(Object.assign(byPrisma, { schema: 'public' })));
    expect(await migrateByPrisma(new PrismaPg({ connectionString: database.url }), KNOWN)).toEqual([]);
    await byPrisma.end();
    await theirs.drop();
  });

  it('is done once by however many begin at once', async () => {
    const first = await session();
    const others = await Promise.all(Array.from({ length: 7 }, () => session(first.schema)));
    const applied = await Promise.all([first, ...others].map((client) => migrate(client)));
    expect(applied.flat().sort()).toEqual(NAMES);
    expect((await recorded(first)).map(([name]) => name)).toEqual(NAMES);
  });

  it('leaves nothing of a migration that fails, and goes on from there', async () => {
    const client = await session();
    const wrong: Migration = { name: '0002_more', sql: 'CREATE TABLE "More" (); CREATE TABLE "One" ();' };
    const one: Migration = { name: '0001_one', sql: 'CREATE TABLE "One" ();' };
    await expect(migrate(client, [one, wrong])).rejects.toThrow('relation "One" already exists');
    expect(await recorded(client)).toEqual([[one.name, expect.any(String), true, null, 1]]);
    expect(await migrate(client, [one, { ...wrong, sql: 'CREATE TABLE "More" ();' }])).toEqual([wrong.name]);
  });

  it('leaves nothing of a migration whose session dies under it', async () => {
    const [client, holder] = [await session(), await session()];
    await holder.query('BEGIN; SELECT pg_advisory_lock(4711)');
    const slow: Migration = { name: '0001_slow', sql: 'CREATE TABLE "Slow" (); SELECT pg_advisory_lock(4711);' };
    const ended = expect(migrate(client, [slow])).rejects.toThrow();
    await waits(holder);
    await holder.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()`,
    );
    await ended;
    await holder.query('ROLLBACK; SELECT pg_advisory_unlock(4711)');
    const next = await session(client.schema);
    expect(await schemaOf(next)).toEqual([]);
    expect(await migrate(next, [slow])).toEqual([slow.name]);
  });

  it('keeps what a migration says of older versions in its row', async () => {
    const client = await session();
    await migrate(client, [{ name: '0012_more', sql: '-- keeps 0011\nCREATE TABLE "More" ();' }]);
    expect(await rowsOf(client, 'SELECT "logs" FROM "_prisma_migrations"')).toEqual([['keeps 0011']]);
  });
});

/** Resolves once some session waits for an advisory lock. */
async function waits(client: pg.Client) {
  for (let tries = 0; tries < 10_000; tries++) {
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()`;
    if ((await client.query(waiting)).rowCount === 1) return;
  }
  throw new Error('Nobody waits');
}

describe('a migration that an older version left unfinished', () => {
  const statements = (sql: string) => sql.split(';').filter((text) => text.trim() !== '');
  const byOlder = KNOWN.slice(0, 4);
  const points = byOlder.flatMap(({ name, sql }, index) =>
    statements(sql)
      .map((_, done) => ({ name, index, done: done + 1 }))
      .filter(({ done }) => done % [25, 5, 1, 1][index]! === 0),
  );
  let whole: string[];

  beforeAll(async () => {
    const client = await session();
    await migrate(client);
    whole = await schemaOf(client);
  });

  it.each(points)('$name, cut off after $done statements, is finished', async ({ index, done }) => {
    const client = await session();
    await migrate(client, byOlder.slice(0, index));
    const cut = byOlder[index]!;
    if (index === 0) await migrate(client, []); // makes the table of records
    await client.query(
      `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "logs") VALUES ('cut', 'as it was', $1, 'half of it')`,
      [cut.name],
    );
    for (const statement of statements(cut.sql).slice(0, done)) await client.query(statement);
    expect(await migrate(client)).toEqual(NAMES.slice(index));
    expect(await schemaOf(client)).toEqual(whole);
    expect(await rowsOf(client, `SELECT "finished_at" IS NOT NULL, "logs" FROM "_prisma_migrations" WHERE "id" = 'cut'`)).toEqual([
      [true, null],
    ]);
    await client.query(`DROP SCHEMA ${client.schema} CASCADE`);
    await client.end();
  });
});

describe('every migration', () => {
  const words = (sql: string) => sql.replaceAll(/--.*$/gm, '').replaceAll(/'[^']*'/g, "''");

  it.each(KNOWN)('$name is one transaction', ({ sql }) => {
    expect(words(sql)).not.toMatch(/\b(BEGIN|START TRANSACTION|COMMIT|ROLLBACK|SAVEPOINT|CONCURRENTLY|VACUUM)\b/i);
  });

  // 0010 is the newest that the first version knows which reads the line.
  it.each(KNOWN.filter(({ name }) => name > '0011'))('$name says which version it keeps working', ({ sql }) => {
    expect(sql).toMatch(/^-- keeps \d{4}\n/);
  });
});
