import { afterAll, beforeAll, expect, it } from 'vitest';
import { ProcessBus } from '../../src/events/bus.ts';
import { pruneEvents } from '../../src/events/prune.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { announce, makeEnterprise, numbers, type Process, range, startProcess, subscribe, take } from './process.ts';

const DAY = 24 * 60 * 60_000;

let database: TestDatabase;
let one: Process<ProcessBus>;

beforeAll(async () => {
  database = await testDatabase();
  one = await startProcess(database.url, new ProcessBus());
});
afterAll(async () => {
  await one.close();
  await database.drop();
});

const inDays = (days: number) => new Date(Date.now() + days * DAY);

async function kept(enterpriseId: string): Promise<number[]> {
  const rows = await one.db.prisma.event.findMany({ where: { enterpriseId }, orderBy: { number: 'asc' }, select: { number: true } });
  return rows.map(({ number }) => Number(number));
}

/** Makes the events up to a number eight days older than they are. */
const age = (enterpriseId: string, upTo: number) =>
  one.db.prisma.event.updateMany({ where: { enterpriseId, number: { lte: upTo } }, data: { at: inDays(-8) } });

it('deletes what is both old and not among the newest', async () => {
  const [busy, quiet] = [await makeEnterprise(one.db), await makeEnterprise(one.db)];
  await announce(one.db, busy, 20, true);
  await announce(one.db, quiet, 3, true);
  await age(busy, 12);
  await age(quiet, 3);
  expect(await pruneEvents(one.db, new Date())).toBe(0); // a million rows are kept however old
  expect(await pruneEvents(one.db, new Date(), { rows: 15 })).toBe(5);
  expect(await kept(busy)).toEqual(range(6, 20));
  expect(await pruneEvents(one.db, new Date(), { rows: 4 })).toBe(7); // those after 12 are young
  expect(await kept(busy)).toEqual(range(13, 20));
  expect(await kept(quiet)).toEqual([1, 2, 3]);
  expect(await pruneEvents(one.db, inDays(7.01), { rows: 0, batch: 3 })).toBe(11);
  expect(await kept(busy)).toEqual([]);
  expect(await pruneEvents(one.db, inDays(7.01), { rows: 0 })).toBe(0);
});

it('leaves no hole where clocks disagreed', async () => {
  const enterpriseId = await makeEnterprise(one.db);
  await announce(one.db, enterpriseId, 6, true);
  await age(enterpriseId, 5);
  await one.db.prisma.event.updateMany({ where: { enterpriseId, number: 3 }, data: { at: new Date() } });
  expect(await pruneEvents(one.db, new Date(), { rows: 0 })).toBe(2);
  expect(await kept(enterpriseId)).toEqual([3, 4, 5, 6]);
});

it('makes older cursors expire, and tells the oldest that still serves', async () => {
  const enterpriseId = await makeEnterprise(one.db);
  await announce(one.db, enterpriseId, 10, true);
  const reading = await subscribe(one.feeds, enterpriseId, { after: '1', maxEvents: 4 });
  expect(numbers(await take(reading, 2))).toEqual([2, 3]);
  await age(enterpriseId, 6);
  expect(await pruneEvents(one.db, new Date(), { rows: 0 })).toBe(6);

  const expired = { code: 'cursor_expired', details: { oldest: '6' } };
  const late = one.feeds.subscribe({ enterpriseId, after: '5', wants: () => true });
  await expect(late.opened).rejects.toMatchObject(expired);
  await expect(late.next()).rejects.toMatchObject(expired);
  await expect(reading.next()).rejects.toMatchObject(expired);

  const good = await subscribe(one.feeds, enterpriseId, { after: '6' });
  expect(numbers(await take(good, 4))).toEqual([7, 8, 9, 10]);
  await good.return();
});

it('serves only the newest cursor when all is gone', async () => {
  const enterpriseId = await makeEnterprise(one.db);
  await announce(one.db, enterpriseId, 3, true);
  await pruneEvents(one.db, inDays(8), { rows: 0 });
  await expect(one.feeds.subscribe({ enterpriseId, after: '2', wants: () => true }).opened).rejects.toMatchObject({
    details: { oldest: '3' },
  });
  const stream = await subscribe(one.feeds, enterpriseId, { after: '3' });
  await announce(one.db, enterpriseId, 1);
  expect(numbers(await take(stream, 1))).toEqual([4]);
  await stream.return();
});
