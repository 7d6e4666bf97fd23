import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { graphqlData } from '../support/graphql-client.ts';
import { fillDisk, hasNamespaces, onSmallDisk } from '../support/namespaces.ts';
import { runOperator, runService, startService } from '../support/service.ts';
import { subscribe } from '../support/subscriber.ts';

let folder: string;
let settings: Record<string, string>;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-start-'));
  settings = { DATA_DIR: path.join(folder, 'data'), PORT: '0' };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inData = (file: string) => path.join(settings.DATA_DIR!, file);
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

describe('the embedded default', { timeout: 240_000 }, () => {
  test('first start, second start, a second process, kill -9, the operator beside it and after it', async () => {
    const first = await startService(settings);
    const credentials = JSON.parse(readFileSync(inData('credentials.json'), 'utf8'));
    expect(first.stdout()).toBe(
      [
        `A sample company was made. Its credentials, also in ${inData('credentials.json')}:`,
        `  ceoSession   ${credentials.ceoSession}`,
        `  apiToken     ${credentials.apiToken}`,
        `  workerToken  ${credentials.workerToken}`,
        '',
        `Gatehouse is ready: ${first.url}`,
        '',
      ].join('\n'),
    );
    expect(first.stderr()).toBe('');
    expect([modeOf(settings.DATA_DIR!), modeOf(inData('credentials.json')), modeOf(inData('admin.sock'))]).toEqual(['700', '600', '600']);
    const viewer = (secret: string, url = first.url) =>
      graphqlData(url, secret, '{ viewer { kind scopes enterprise { name } person { name } } }');
    expect(await viewer(credentials.ceoSession)).toEqual({
      viewer: { kind: 'SESSION', scopes: [], enterprise: { name: 'Larkspur Kites (sample)' }, person: { name: 'Odette Larkspur' } },
    });
    expect((await viewer(credentials.workerToken)).viewer.scopes).toEqual(['runs:work']);

    const second = await runService(settings);
    expect([second.code, second.stdout, second.stderr]).toEqual([
      1,
      '',
      `Gatehouse cannot start: The data folder ${settings.DATA_DIR} is in use by process ${first.pid} on ${hostname()}: stop that one, or set DATA_DIR to another folder.\n`,
    ]);

    const beside = await runOperator(['token', 'create', '--name', 'desk', '--scopes', 'runs:read'], settings);
    expect([beside.code, beside.stderr]).toEqual([0, '']);
    expect((await viewer(beside.stdout.split('\n')[1]!)).viewer.scopes).toEqual(['runs:read']);
    expect((await runOperator(['token', 'sell'], settings)).code).toBe(2);

    first.kill('SIGKILL');
    await first.ended;
    const third = await startService(settings);
    expect(third.stdout()).toBe(`Gatehouse is ready: ${third.url}\n`);
    expect((await viewer(credentials.apiToken, third.url)).viewer.person.name).toBe('Odette Larkspur');
    expect(await third.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(existsSync(inData('admin.sock'))).toBe(false);

    const alone = await runOperator(['credentials'], settings);
    const renewed = JSON.parse(readFileSync(inData('credentials.json'), 'utf8'));
    expect([alone.code, alone.stdout.split('\n').at(-2), renewed.ceoSession === credentials.ceoSession]).toEqual([
      0,
      `Written to ${inData('credentials.json')}`,
      false,
    ]);
  });
});

describe('what keeps it from starting is one line, with exit code 1', { timeout: 60_000 }, () => {
  const refused = async (more: Record<string, string>) => {
    const { code, stdout, stderr } = await runService({ ...settings, ...more });
    return [code, stdout, stderr];
  };

  test('bad settings, all at once, without their values', async () => {
    expect(await refused({ PORT: 'http', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://root:hush@db', RATE_LIMIT: '-1' })).toEqual([
      1,
      '',
      'Gatehouse cannot start: PORT must be a whole number from 0 to 65535; DATABASE_URL must be a URL that begins with postgres:// or postgresql://; ' +
        'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent; RATE_LIMIT must be a whole number from 0 to 999999999\n',
    ]);
  });

  test('a database that does not answer', async () => {
    const port = await freePort();
    expect(await refused({ DATABASE_URL: `postgres://gate:hush@127.0.0.1:${port}/x` })).toEqual([
      1,
      '',
      `Gatehouse cannot start: The database of DATABASE_URL (127.0.0.1:${port}/x) cannot be used: connect ECONNREFUSED 127.0.0.1:${port}\n`,
    ]);
  });

  test('a database that does not exist', async () => {
    const url = new URL(inject('postgresUrl'));
    url.pathname = '/gatehouse_no_such_database';
    expect(await refused({ DATABASE_URL: url.href })).toEqual([
      1,
      '',
      `Gatehouse cannot start: The database of DATABASE_URL (${url.host}/gatehouse_no_such_database) cannot be used: database "gatehouse_no_such_database" does not exist\n`,
    ]);
  });

  test.each([
    [
      'default_transaction_read_only = on',
      'cannot execute CREATE TABLE in a read-only transaction: the server accepts no writes: name one that does.',
    ],
    ['search_path = nowhere', 'no schema has been selected to create in: let the search_path of the service name a schema that is there.'],
  ])('a database in which nothing can be made: %s', async (setting, problem) => {
    const database = await testDatabase();
    await onDatabase(database.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await onDatabase(database.url, `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET ${setting}`);
    expect(await refused({ DATABASE_URL: database.url })).toEqual([
      1,
      '',
      `Gatehouse cannot start: The database cannot be made ready: ${problem}\n`,
    ]);
    await database.drop();
  });

  test('a port in use', async () => {
    const database = await testDatabase();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    expect(await refused({ DATABASE_URL: database.url, PORT: String(port) })).toEqual([
      1,
      '',
      `Gatehouse cannot start: 127.0.0.1:${port} is in use by another process: stop that one, or set PORT to another port.\n`,
    ]);
    taken.close();
    await database.drop();
  });

  test('a folder that cannot be', async () => {
    const [code, , stderr] = await refused({ DATA_DIR: '/dev/null/data' });
    expect([code, stderr]).toEqual([
      1,
      "Gatehouse cannot start: The folder of DATA_DIR (/dev/null/data) cannot be used: ENOTDIR: not a directory, mkdir '/dev/null/data'\n",
    ]);
  });
});

async function onDatabase(url: string, sql: string) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}

describe.skipIf(!hasNamespaces())('a full disk', { timeout: 240_000 }, () => {
  test('keeps a first start from beginning, with one line', async () => {
    mkdirSync(settings.DATA_DIR!);
    const { code, stdout, stderr } = await runService(settings, onSmallDisk(40, settings.DATA_DIR!));
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      `Gatehouse cannot start: The disk of ${settings.DATA_DIR} has 39 MiB free, and a new database needs 64 MiB.\n`,
    ]);
  });

  test('is told by /ready while the service runs', async () => {
    mkdirSync(settings.DATA_DIR!);
    const within = onSmallDisk(80, settings.DATA_DIR!);
    const service = await startService(settings, within);
    expect(await (await fetch(`${service.url}/ready`)).json()).toEqual({ database: 'up', bus: 'up' });
    fillDisk(service.pid, settings.DATA_DIR!);
    const ready = await fetch(`${service.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, { database: 'up', bus: 'up', reason: 'The disk of the database is full.' }]);
    expect((await service.stop()).code).toBe(0);
  });
});

describe('Postgres', () => {
  test('no sample company and no credentials until they are asked for; two services serve what seed makes', async () => {
    const database = await testDatabase();
    const there = { ...settings, DATABASE_URL: database.url };
    const [one, two] = await Promise.all([startService(there), startService(there)]);
    expect([one.stdout(), two.stdout()]).toEqual([`Gatehouse is ready: ${one.url}\n`, `Gatehouse is ready: ${two.url}\n`]);
    const file = path.join(folder, 'kept.json');
    const seeded = await runOperator(['--write', file], there, 'prisma/seed.ts');
    expect([seeded.code, seeded.stderr, modeOf(file)]).toEqual([0, '', '600']);
    const { ceoSession } = JSON.parse(readFileSync(file, 'utf8'));
    for (const { url } of [one, two]) {
      expect(await graphqlData(url, ceoSession, '{ viewer { person { name } } }')).toEqual({
        viewer: { person: { name: 'Odette Larkspur' } },
      });
    }
    expect([(await one.stop()).code, (await two.stop()).code]).toEqual([0, 0]);
    await database.drop();
  }, 120_000);
});

describe.skipIf(!inject('redisUrl'))('Redis', () => {
  test('what happens in one process is told by the other', async () => {
    const database = await testDatabase();
    const there = { ...settings, DATABASE_URL: database.url, REDIS_URL: inject('redisUrl')! };
    const [one, two] = await Promise.all([startService(there), startService(there)]);
    const seeded = await runOperator([], there, 'prisma/seed.ts');
    const [, ceoSession] = seeded.stdout.match(/ceoSession +(\S+)/)!;
    const { eventCursor } = await graphqlData(one.url, ceoSession!, '{ eventCursor }');
    const events = await subscribe(two.url, ceoSession!, 'subscription ($after: String) { runEvents(after: $after) { kind run { id } } }', {
      after: eventCursor,
    });
    const { startRun } = await graphqlData(one.url, ceoSession!, 'mutation { startRun(input: { task: "weekly-plan" }) { id } }');
    expect((await events.next()).data).toEqual({ runEvents: { kind: 'QUEUED', run: { id: startRun.id } } });
    await events.close();
    expect([(await one.stop()).code, (await two.stop()).code]).toEqual([0, 0]);
    await database.drop();
  }, 120_000);
});
