import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { ProcessBus } from '../../src/events/bus.ts';
import { currentCursor, eventBounds } from '../../src/events/cursor.ts';
import { renewEpoch, settleEpoch } from '../../src/events/epoch.ts';
import { testDatabase } from '../support/database.ts';
import { announce, makeEnterprise, numbers, range, SilentBus, startProcess, subscribe, take } from './process.ts';

const database = await testDatabase();
const one = await startProcess(database.url, new ProcessBus());
afterAll(async () => {
  await one.close();
  await database.drop();
});

/** A copy of the database as it is now, as a restored backup is one. */
async function restored() {
  const name = `${new URL(database.url).pathname.slice(1)}_copy`;
  const admin = new pg.Client(database.url);
  await admin.connect();
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await admin.end();
  const url = new URL(database.url);
  url.pathname = '/postgres';
  const server = new pg.Client(url.href);
  await server.connect();
  await server.query(`CREATE DATABASE "${name}" TEMPLATE "${new URL(database.url).pathname.slice(1)}"`);
  const copy = new URL(database.url);
  copy.pathname = `/${name}`;
  return {
    url: copy.href,
    async drop() {
      await server.query(`DROP DATABASE "${name}" WITH (FORCE)`);
      await server.end();
    },
  };
}

describe('a cursor', () => {
  it('is a plain number in the first epoch, and expires with it', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    await announce(one.db, enterpriseId, 3);
    const before = await currentCursor(one.db, enterpriseId);
    expect(before).toBe('3');
    await renewEpoch(one.db);
    const { epoch } = await eventBounds(one.db, enterpriseId);
    expect(epoch).toMatch(/^[0-9a-f]{8}$/);
    const error = {
      code: 'cursor_expired',
      message: `The cursor 2 is from before the database was restored: load anew, then subscribe after ${epoch}-0 or later.`,
      details: { oldest: `${epoch}-0` },
    };
    await expect(one.feeds.subscribe({ enterpriseId, after: '2', wants: () => true }).opened).rejects.toMatchObject(error);
    const stream = await subscribe(one.feeds, enterpriseId, { after: `${epoch}-1` });
    expect(numbers(await take(stream, 2))).toEqual([2, 3]);
    expect(stream.lastCursor).toBe(`${epoch}-3`);
    expect(await currentCursor(one.db, enterpriseId)).toBe(`${epoch}-3`);
    await stream.return();
  });
});

describe('a new epoch', () => {
  it('begins where the database is a copy, once, and not where it stayed', async () => {
    expect(await settleEpoch(one.db, undefined)).toBe(false);
    expect(await settleEpoch(one.db, undefined)).toBe(false);
    const { epoch } = await eventBounds(one.db, '01900000-0000-7000-8000-000000000000');
    const copy = await restored();
    const db = await openDatabase({ url: copy.url, poolSize: 2 });
    expect((await Promise.all([settleEpoch(db, undefined), settleEpoch(db, undefined)])).sort()).toEqual([false, true]);
    expect((await eventBounds(db, '01900000-0000-7000-8000-000000000000')).epoch).not.toBe(epoch);
    await db.close();
    await copy.drop();
  });

  it('is found by any role', async () => {
    const functions = ['pg_control_system()', 'pg_current_wal_lsn()', 'pg_walfile_name(pg_lsn)'];
    const anyone = functions.map((name) => `has_function_privilege('public', '${name}', 'EXECUTE')`).join(' AND ');
    expect(await one.db.query({ text: `SELECT ${anyone} AS told`, values: [] })).toEqual([{ told: true }]);
    expect(
      await one.db.query({
        text: `SELECT system_identifier IS NOT NULL AND left(pg_walfile_name(pg_current_wal_lsn()), 8) = '00000001' AS told FROM pg_control_system()`,
        values: [],
      }),
    ).toEqual([{ told: true }]);
  });

  it('begins where the folder of the embedded database was put back', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'gatehouse-epoch-'));
    const [folder, backup] = [path.join(dataDir, 'database'), path.join(dataDir, 'backup')];
    const settled = () => settleEpoch(one.db, folder);
    mkdirSync(folder);
    await settled();
    expect(await settled()).toBe(false);
    cpSync(folder, backup, { recursive: true });
    rmSync(folder, { recursive: true });
    cpSync(backup, folder, { recursive: true });
    expect([await settled(), await settled()]).toEqual([true, false]);
    rmSync(dataDir, { recursive: true });
  });

  it('begins when the database goes back under a process that runs: streams end, and numbers told before are not taken for others', async () => {
    const two = await startProcess(database.url, new SilentBus(), 20);
    const enterpriseId = await makeEnterprise(two.db);
    await announce(two.db, enterpriseId, 5);
    const stream = await subscribe(two.feeds, enterpriseId, { after: (await currentCursor(two.db, enterpriseId)).replace(/5$/, '0') });
    expect(numbers(await take(stream, 5))).toEqual(range(1, 5));
    const cursor = stream.lastCursor!;
    await two.db.prisma.event.deleteMany({ where: { enterpriseId, number: { gt: 2 } } });
    await two.db.prisma.eventCounter.update({ where: { enterpriseId }, data: { last: 2 } });
    await expect(stream.next()).rejects.toMatchObject({ code: 'cursor_expired' });
    await announce(two.db, enterpriseId, 4);
    await expect(two.feeds.subscribe({ enterpriseId, after: cursor, wants: () => true }).opened).rejects.toMatchObject({
      code: 'cursor_expired',
    });
    await two.close();
  });
});
