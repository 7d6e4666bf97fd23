import pg from 'pg';
import { expect, it } from 'vitest';
import { knownMigrations } from '../../src/db/migrations.ts';
import { eventually } from '../properties/harness/wait.ts';
import { testDatabase } from '../support/database.ts';
import { startService } from '../support/service.ts';

const NEWEST = knownMigrations().at(-1)!.name;

const ready = async (url: string) => {
  const response = await fetch(`${url}/ready`);
  const { status } = response;
  return { status, ...((await response.json()) as { database: string }) };
};

it('a schema that the version does not know, or a database that takes no writes, is told with its reason and in one line of the log', async () => {
  const database = await testDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  const { url, stderr, stop } = await startService({ DATABASE_URL: database.url, PORT: '0', DATA_DIR: '/tmp' });
  const fine = { status: 200, database: 'up', bus: 'up' };
  expect(await ready(url)).toEqual(fine);

  const later = (logs: string | null) => client.query({ text: LATER, values: [logs] });
  await later(null);
  const unknown = 'The database has the migration 9999_later, which this version does not know: start one that does.';
  expect(await ready(url)).toEqual({ ...fine, status: 503, reason: unknown });
  expect(await ready(url)).toEqual({ ...fine, status: 503, reason: unknown });
  await later('keeps 9998');
  expect(await ready(url)).toEqual({ ...fine, status: 503, reason: unknown });
  await later(`keeps ${NEWEST.slice(0, 4)}`);
  expect(await ready(url)).toEqual(fine);

  await client.query('DELETE FROM "_prisma_migrations" WHERE "migration_name" = $1', [NEWEST]);
  const lacking = `The database lacks the migration ${NEWEST}: start a process of this version anew, which applies it.`;
  expect(await ready(url)).toEqual({ ...fine, status: 503, reason: lacking });
  await client.query(LATER.replaceAll('9999_later', NEWEST), [null]);
  expect(await ready(url)).toEqual(fine);

  await client.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET default_transaction_read_only = on`);
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  const readOnly = { ...fine, status: 503, reason: 'The database is read-only.' };
  // A connection that was just ended is "down" to whoever still uses it.
  const told = await eventually('new connections', async () => {
    const now = await ready(url);
    return now.database === 'up' && now;
  });
  expect(told).toEqual(readOnly);

  expect((await stop()).code).toBe(0);
  const lines = stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => /ready/i.test(msg));
  expect(lines.slice(0, 4).map(({ msg, reason }) => [msg, reason])).toEqual([
    ['Not ready', unknown],
    ['Ready again', undefined],
    ['Not ready', lacking],
    ['Ready again', undefined],
  ]);
  expect([lines.at(-1).msg, lines.at(-1).reason]).toEqual(['Not ready', readOnly.reason]);
  await client.end();
  await database.drop();
}, 120_000);

const LATER = `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "logs", "finished_at")
  VALUES ('9999_later', 'of its own', '9999_later', $1, now()) ON CONFLICT ("id") DO UPDATE SET "logs" = $1`;
