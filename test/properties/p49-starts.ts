import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openEmbedded } from '../../src/db/embedded.ts';
import { knownMigrations, migrate } from '../../src/db/migrations.ts';
import { onPGlite } from '../../src/db/pool.ts';
import { graphqlData } from '../support/graphql-client.ts';
import { beginService, type Service, startService } from '../support/service.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { makeDatabase } from './harness/stage.ts';
import { passing, range } from './harness/wait.ts';

export const name = 'P49';
export const claim = 'a first start or an upgrade that is cut off at any point is gone on from by the next start';
export const sizes = { small: 1, full: 50 };

const KNOWN = knownMigrations();
/** What an old database holds: its schema, and rows that somebody was told are stored. */
const OLD = KNOWN.slice(0, 2);
const STORED = 100;
const STORE = `INSERT INTO "Enterprise" ("id", "name") VALUES ('00000000-0000-7000-8000-000000000001', 'Thornbury Mills');
  INSERT INTO "Team" ("id", "enterpriseId", "slug", "name", "charter")
  SELECT gen_random_uuid(), '00000000-0000-7000-8000-000000000001', 'team-' || n, 'Team ' || n, '' FROM generate_series(1, ${STORED}) n`;
const COUNT = `SELECT count(*)::int AS "stored" FROM "Team" WHERE "enterpriseId" = '00000000-0000-7000-8000-000000000001'`;
const FINISHED = `SELECT "migration_name" AS "name" FROM "_prisma_migrations" WHERE "finished_at" IS NOT NULL ORDER BY 1`;

/** Records that a service can be started on, as often as wanted. */
interface Home {
  settings: Record<string, string>;
  /** What contradicts the property once a service that was started on it is ready. */
  verify(service: Service, cutOff: string, findings: Findings): Promise<void>;
  remove(): Promise<void>;
}

/** Each kind of start that is cut off, and how to make its home. */
const KINDS: Record<string, (folder: string) => Promise<Home>> = {
  'first start on Postgres': (folder) => onPostgres(folder, false),
  'upgrade on Postgres': (folder) => onPostgres(folder, true),
  'first start in a folder': async (folder) => inFolder(folder, undefined),
  'upgrade in a folder': async (folder) => inFolder(folder, await oldFolder()),
};

/** `size` times each kind of start, each cut off at another point, by SIGINT and SIGKILL in turn. */
export async function run(asked: Asked): Promise<Result> {
  const findings = new Findings();
  const random = new Random(asked.seed);
  const kinds = Object.keys(KINDS);
  const chosen = asked.size > 1 ? kinds : [...kinds.slice(0, 2), random.pick(kinds.slice(2))];
  let cut = 0;
  try {
    for (const kind of chosen) cut += await cutOff(kind, asked.size, random, findings);
  } finally {
    if (prepared) rmSync(prepared, { recursive: true, force: true });
    prepared = undefined;
  }
  const found = `${asked.size} points of ${chosen.join(', ')}: ${cut} cut off before they were ready, each next start ready, ${STORED} rows of old ones there`;
  return findings.result(name, asked, 'next start ready, 0 acknowledged writes gone', found);
}

/** Starts once to the end, to know how long that takes, and then cuts off one start at each point of that time. */
async function cutOff(kind: string, points: number, random: Random, findings: Findings): Promise<number> {
  let whole = points > 1 ? await onHome(kind, async (home) => (await started(home, kind, '', findings)).took) : 2_000;
  let cut = 0;
  for (const index of range(points)) {
    const after = Math.round((whole * (index + random.below(1_000) / 1_000)) / points);
    const signal = index % 2 === 0 ? 'SIGINT' : 'SIGKILL';
    await onHome(kind, async (home) => {
      const { child, said, ended } = beginService(home.settings);
      await passing(after);
      const wasReady = said.stdout.includes('is ready');
      if (!wasReady) cut++;
      child.kill(signal);
      const end = await ended;
      const fits = end.signal === signal || (signal === 'SIGINT' && end.code === 0);
      findings.check(fits && end.stderr === '', `${kind}: the end of a start that got ${signal}`, [after, end]);
      const next = await started(home, kind, said.stdout, findings);
      whole = (whole + next.took) / 2; // on a machine that others use it changes
    });
  }
  return cut;
}

async function onHome<T>(kind: string, work: (home: Home) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-starts-'));
  const home = await KINDS[kind]!(path.join(folder, 'data'));
  try {
    return await work(home);
  } finally {
    await home.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a service to the end, and verifies what it finds. */
async function started(home: Home, kind: string, cutOff: string, findings: Findings): Promise<{ took: number }> {
  const begun = performance.now();
  const service = await startService(home.settings).catch((error: Error) => error);
  const took = performance.now() - begun;
  findings.check(!(service instanceof Error), `${kind}: the next start`, String(service));
  if (service instanceof Error) return { took };
  const ready = await fetch(`${service.url}/ready`);
  findings.same([ready.status, await ready.json()], [200, { database: 'up', bus: 'up' }], `${kind}: /ready after the next start`);
  await home.verify(service, cutOff, findings);
  findings.same((await service.stop()).code, 0, `${kind}: the end of the next start`);
  return { took };
}

async function onPostgres(folder: string, old: boolean): Promise<Home> {
  const database = await makeDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  if (old) await migrate(client, OLD);
  if (old) await client.query(STORE);
  return {
    settings: { DATABASE_URL: database.url, DATA_DIR: folder, PORT: '0' },
    async verify(_service, _cutOff, findings) {
      const names = (await client.query(FINISHED)).rows.map((row) => row.name);
      findings.same(
        names,
        KNOWN.map((migration) => migration.name),
        'migrations on Postgres',
      );
      if (old) findings.same((await client.query(COUNT)).rows, [{ stored: STORED }], 'rows on Postgres');
    },
    async remove() {
      await client.end();
      await database.drop();
    },
  };
}

let prepared: string | undefined;

/** A data folder of an old version, to be copied. */
async function oldFolder(): Promise<string> {
  if (prepared) return prepared;
  prepared = mkdtempSync(path.join(tmpdir(), 'gatehouse-old-'));
  await inEmbedded(prepared, async (client) => {
    await migrate(client, OLD);
    await client.query(STORE);
  });
  return prepared;
}

async function inEmbedded<T>(folder: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const database = await openEmbedded(path.join(folder, 'database'));
  const client: pg.PoolClient = await onPGlite(database).connect();
  try {
    return await work(client);
  } finally {
    client.release();
    await database.close();
  }
}

/** An old one holds a company of somebody's: then no sample is made. A new one tells credentials that work. */
function inFolder(folder: string, old: string | undefined): Home {
  if (old) cpSync(old, folder, { recursive: true });
  const file = path.join(folder, 'credentials.json');
  return {
    settings: { DATA_DIR: folder, PORT: '0' },
    async verify(service, cutOff, findings) {
      if (old) return void findings.same(existsSync(file), false, 'credentials beside a company of somebody’s');
      const told = cutOff.match(/ceoSession +(\S+)/)?.[1];
      const written = JSON.parse(readFileSync(file, 'utf8')).ceoSession as string;
      for (const secret of new Set([told ?? written, written])) {
        const viewer = await graphqlData(service.url, secret, '{ viewer { person { name } } }').catch(String);
        findings.same(viewer, { viewer: { person: { name: 'Odette Larkspur' } } }, 'credentials that were told');
      }
    },
    async remove() {
      if (!old) return;
      const rows = await inEmbedded(folder, async (client) => (await client.query(COUNT)).rows);
      if (rows[0]?.stored !== STORED) throw new Error(`Of ${STORED} rows ${JSON.stringify(rows)} are left`);
    },
  };
}
