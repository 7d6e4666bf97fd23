import { afterAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { Turns } from '../../src/db/turns.ts';
import { testDatabase } from '../support/database.ts';
import { deferred } from '../support/deferred.ts';

it('lets so many of one key work at once, in the order of their coming, and another key beside them', async () => {
  const turns = new Turns(2, 60_000);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (key: string, name: string) =>
    turns.take(key, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const all = [work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('a', 'a4'), work('b', 'b1')];
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  ends.get('a2')!();
  await all[1];
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  ends.get('a1')!();
  await all[0];
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  for (const end of ends.values()) end();
  await Promise.all(all);
});

it('hands the turn on when work fails, and whoever waits too long is told that the database is busy', async () => {
  const turns = new Turns(1, 20);
  const hold = deferred();
  const held = turns.take('a', () => hold.promise);
  await expect(turns.take('a', async () => 1)).rejects.toMatchObject({ name: 'DatabaseTrouble', kind: 'busy' });
  hold.resolve();
  await held;
  await expect(turns.take('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.take('a', async () => 2)).toBe(2);
});

const database = await testDatabase();
afterAll(database.drop);

/** Resolves once so many sessions of the pool sleep. */
async function sleeping(db: Database, count: number) {
  const text = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep%' AND state = 'active'`;
  while ((await db.query<{ n: number }>({ text }))[0]!.n < count);
}

it('one enterprise that asks for more than its half leaves the other half to the others, whatever it asks by', async () => {
  const db = await openDatabase({ url: database.url, poolSize: 4 });
  const [greedy, other] = [db.of('greedy'), db.of('other')];
  const sleep = { text: 'SELECT pg_sleep(1)::text' };
  const asked = [
    ...Array.from({ length: 4 }, () => greedy.query(sleep)),
    ...Array.from({ length: 4 }, () => greedy.transaction((tx) => tx.query(sleep))),
    ...Array.from({ length: 4 }, () => greedy.prisma.$queryRawUnsafe(sleep.text)),
  ];
  const ends = Promise.allSettled(asked);
  await sleeping(db, 2);
  const [{ n }] = (await other.query({
    text: `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep%' AND state = 'active'`,
  })) as [{ n: number }];
  await Promise.all([other.prisma.enterprise.count(), other.transaction((tx) => tx.query({ text: 'SELECT 1' }))]);
  expect(n).toBe(2);
  const settled = await ends;
  expect(settled.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
  for (const end of settled) if (end.status === 'rejected') expect(end.reason).toMatchObject({ name: 'DatabaseTrouble', kind: 'busy' });
  await db.close();
});
