import { afterAll, expect, it } from 'vitest';
import { ProcessBus } from '../../src/events/bus.ts';
import { Feeds } from '../../src/events/feed.ts';
import { testDatabase } from '../support/database.ts';
import { announce, log, makeEnterprise, numbers, range, startProcess, subscribe, take } from './process.ts';

const database = await testDatabase();
const one = await startProcess(database.url, new ProcessBus());
afterAll(async () => {
  await one.close();
  await database.drop();
});

it('past the most that a process holds the readers that hold the most end first, with their cursors', async () => {
  const feeds = new Feeds({ db: one.db, bus: one.bus, timing: { eventPatience: 30_000, eventPoll: 3_600_000 }, log, most: 1_000_000 });
  const enterpriseId = await makeEnterprise(one.db);
  await announce(one.db, enterpriseId, 1);
  let [first, second, third] = [400_000, 300_000, 200_000];
  const open = (buffered: () => number) => subscribe(feeds, enterpriseId, { after: '0', buffered });
  const streams = [await open(() => third), await open(() => first), await open(() => second)] as const;
  for (const stream of streams) expect(numbers(await take(stream, 1))).toEqual([1]);
  first = 500_001;
  const error = { code: 'slow_consumer', details: { cursor: '1' } };
  expect(await streams[1].ended).toMatchObject(error);
  expect(feeds.open.streams).toBe(2);
  [second, third] = [600_000, 700_000];
  expect(await streams[0].ended).toMatchObject(error);
  await announce(one.db, enterpriseId, 3);
  expect(numbers(await take(streams[2], 3))).toEqual(range(2, 4));
  feeds.close();
});

it('counts what is queued for them', async () => {
  const feeds = new Feeds({ db: one.db, bus: one.bus, timing: { eventPatience: 30_000, eventPoll: 3_600_000 }, log, most: 20_000 });
  const enterpriseId = await makeEnterprise(one.db);
  const slow = await subscribe(feeds, enterpriseId);
  const quick = await subscribe(feeds, enterpriseId);
  const read = take(quick, 200);
  await announce(one.db, enterpriseId, 200, true);
  expect(numbers(await read)).toEqual(range(1, 200));
  expect(await slow.ended).toMatchObject({ code: 'slow_consumer', details: { cursor: '0' } });
  expect(feeds.open.streams).toBe(1);
  feeds.close();
});
