import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { statement } from '../../src/db/statement.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { startEmbeddedPostgres } from '../support/embedded-postgres.ts';
import { Harness } from '../support/harness.ts';
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { runService, startService } from '../support/service.ts';

const server = await startEmbeddedPostgres();
afterAll(() => server.stop());

async function admin(...statements: string[]) {
  const client = new pg.Client(server.url);
  await client.connect();
  try {
    for (const text of statements) await client.query(text);
  } finally {
    await client.end();
  }
}

const urlOf = (base: string, change: (url: URL) => void) => {
  const url = new URL(base);
  change(url);
  return url.href;
};

/** Starts and claims runs, calls, gates and decisions, 40 at once; answers what went wrong. */
async function work(url: string) {
  const app = await testApp({ config: { databaseUrl: url, logLevel: 'silent' } });
  const company = await makeCompany(app.kernel);
  const harness = new Harness(app.url, company);
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => harness.run({ tools: ['os.set_context', 'os.get_context'], gates: [{ tool: 'os.set_context' }] })),
  );
  const reads = Array.from({ length: 40 }, (_, n) => harness.call(runs[n % 4]!.token, `read-${n}`, 'os.get_context', { key: 'k' }));
  const lists = Array.from({ length: 20 }, () =>
    harness.data(company.ceoSession, '{ openGates { totalCount } runs { nodes { id task { slug } } } }'),
  );
  const calls = await Promise.all(reads);
  await Promise.all(lists);
  const gates = await Promise.all(runs.map(({ token }, n) => harness.call(token, 'set', 'os.set_context', { key: `k-${n}`, value: n })));
  const decided = await Promise.all(gates.map(({ gate }) => harness.decide(gate!, { decision: 'APPROVE' })));
  expect(new Set(calls.map(({ status }) => status))).toEqual(new Set(['SUCCEEDED']));
  expect(decided.map(({ status }) => status)).toEqual(['APPROVED', 'APPROVED', 'APPROVED', 'APPROVED']);
  const entries = await app.kernel.db.prisma.contextEntry.findMany({
    where: { enterpriseId: company.enterpriseId },
    orderBy: { key: 'asc' },
  });
  expect(entries.map(({ key, value }) => [key, value])).toEqual([0, 1, 2, 3].map((n) => [`k-${n}`, n]));
  await app.close();
}

const named = (base: string, database: string) => urlOf(base, (url) => Object.assign(url, { pathname: `/${database}` }));

beforeAll(async () => {
  await admin('CREATE DATABASE migrated');
  await (await openDatabase({ url: named(server.url, 'migrated') })).close();
}, 120_000);

describe('a role with two connections', () => {
  it('is enough: what wants more waits', { timeout: 60_000 }, async () => {
    await admin(
      'CREATE DATABASE two TEMPLATE migrated',
      'CREATE ROLE two LOGIN CONNECTION LIMIT 2 IN ROLE pg_read_all_data, pg_write_all_data',
    );
    await work(urlOf(named(server.url, 'two'), (url) => Object.assign(url, { username: 'two' })));
  });
});

describe('a prepared statement whose table has changed', () => {
  const star = statement<{ one: number; two?: number }>('star', 'SELECT *, pg_sleep(0.05)::text FROM star');

  it('is prepared anew, on each connection, alone and in a transaction', async () => {
    await admin('CREATE DATABASE star TEMPLATE migrated');
    const db = await openDatabase({ url: named(server.url, 'star'), poolSize: 4 });
    try {
      await db.query({ text: 'CREATE TABLE star AS SELECT 1 AS one' });
      const everywhere = (work: () => Promise<unknown>) => Promise.all(Array.from({ length: 4 }, work));
      await everywhere(() => db.query(star()));
      await db.query({ text: 'ALTER TABLE star ADD two int DEFAULT 2' });
      expect(await everywhere(() => db.query(star()))).toEqual(Array(4).fill([{ one: 1, two: 2, pg_sleep: '' }]));
      await db.query({ text: 'ALTER TABLE star ADD three int DEFAULT 3' });
      const inTransactions = await everywhere(() => db.transaction((tx) => tx.query(star())));
      expect(inTransactions).toEqual(Array(4).fill([{ one: 1, two: 2, three: 3, pg_sleep: '' }]));
    } finally {
      await db.close();
    }
  });
});

describe.skipIf(!hasPgBouncer())('PgBouncer', () => {
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>> | undefined;
  const start = async (settings: Record<string, string> = {}) => {
    await bouncer?.stop();
    bouncer = await startPgBouncer(server.url, settings);
    return bouncer.url;
  };
  afterAll(() => bouncer?.stop());
  const pooled = (url: string, database: string) => urlOf(named(url, database), (changed) => changed.searchParams.set('pgbouncer', 'true'));

  it.each([
    ['by default', {}],
    ['told to ignore start-up parameters', { ignore_startup_parameters: 'options,extra_float_digits' }],
    ['told so, by transaction', { ignore_startup_parameters: 'options', pool_mode: 'transaction' }],
  ])('%s, unannounced, ends the start with one line', { timeout: 60_000 }, async (_, settings) => {
    const url = await start(settings as Record<string, string>);
    const { code, stderr } = await runService({ DATABASE_URL: url, PORT: '0' });
    expect([code, stderr]).toEqual([
      1,
      `Gatehouse cannot start: The database of DATABASE_URL (${new URL(url).host}/postgres) cannot be used: it stands behind a pooler that keeps no settings of a session: add ?pgbouncer=true to DATABASE_URL (&pgbouncer=true behind a ?), or name the server itself\n`,
    ]);
  });

  it.each(['transaction', 'session'])(
    'works by %s, where the server is in another time zone, when the URL says so',
    { timeout: 120_000 },
    async (mode) => {
      await admin(`CREATE DATABASE by_${mode} TEMPLATE migrated`, `ALTER DATABASE by_${mode} SET timezone TO 'America/New_York'`);
      const url = pooled(await start({ pool_mode: mode, default_pool_size: mode === 'transaction' ? '2' : '12' }), `by_${mode}`);
      await work(url);
      const service = await startService({ DATABASE_URL: url, PORT: '0', REDIS_URL: '' });
      expect((await fetch(`${service.url}/ready`)).status).toBe(200);
      expect((await service.stop()).code).toBe(0);
    },
  );

  it('gives each statement the settings of our sessions', async () => {
    const url = pooled(await start({ pool_mode: 'transaction' }), 'by_transaction');
    const db = await openDatabase({ url });
    const settings = {
      text: `SELECT current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
        current_setting('idle_in_transaction_session_timeout') AS idle`,
    };
    const ours = [{ zone: 'UTC', statement: '15s', lock: '4s', idle: '3s' }];
    expect([
      await db.query(settings),
      await db.transaction((tx) => tx.query(settings)),
      await db.prisma.$queryRawUnsafe(settings.text),
    ]).toEqual([ours, ours, ours]);
    await db.close();
  });
});
