import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RedisBus } from '../../src/events/redis-bus.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { hasRedisServer, RedisProcess } from '../support/redis-process.ts';
import { announce, makeEnterprise, numbers, type Process, range, redisBus, startProcess, subscribe, take } from './process.ts';

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 10 });

const up = (bus: RedisBus) => until(() => expect(bus.status()).toBe('up'));

describe.skipIf(!hasRedisServer())('Redis', () => {
  let redis: RedisProcess;
  let database: TestDatabase;
  let one: Process<RedisBus>;
  let two: Process<RedisBus>;

  beforeAll(async () => {
    redis = await RedisProcess.start();
    database = await testDatabase();
    one = await startProcess(database.url, redisBus(redis.url));
    two = await startProcess(database.url, redisBus(redis.url));
    await Promise.all([up(one.bus), up(two.bus)]);
  });
  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    await redis.stop();
    await database.drop();
  });

  /** Asks Redis itself. */
  async function ask<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    const client = new Redis(redis.url);
    try {
      return await work(client);
    } finally {
      client.disconnect();
    }
  }

  it('carries events to the other processes, over one connection for each', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    const here = await subscribe(one.feeds, enterpriseId);
    const there = await Promise.all(range(1, 20).map(() => subscribe(two.feeds, enterpriseId)));
    await until(async () => expect(await ask((client) => client.pubsub('NUMSUB', `gatehouse:events:${enterpriseId}`))).toContain(2));
    await announce(one.db, enterpriseId, 10);
    expect(numbers(await take(here, 10))).toEqual(range(1, 10));
    for (const stream of there) expect(numbers(await take(stream, 10))).toEqual(range(1, 10));
    const own = await ask(
      async (client) =>
        String(await client.call('CLIENT', 'LIST'))
          .trim()
          .split('\n').length,
    );
    expect(own - 1).toBe(2);
    await Promise.all([here, ...there].map((stream) => stream.return()));
  });

  it('closes at any point of its connecting', async () => {
    for (const turns of range(0, 60)) {
      const bus = redisBus(redis.url);
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      await bus.close();
      expect(bus.status()).toBe('down');
    }
  });

  it('keeps what came over it as it was stored', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    const streams = [await subscribe(one.feeds, enterpriseId), await subscribe(two.feeds, enterpriseId)];
    await announce(one.db, enterpriseId, 1);
    const [stored, carried] = await Promise.all(streams.map((stream) => take(stream, 1)));
    expect(carried).toEqual(stored);
    await Promise.all(streams.map((stream) => stream.return()));
  });

  it('holds no channel and no listener once the subscribers have left', async () => {
    const tenants = [await makeEnterprise(one.db), await makeEnterprise(one.db), await makeEnterprise(one.db)];
    await Promise.all(
      range(0, 299).map(async (round) => {
        const stream = one.feeds.subscribe({ enterpriseId: tenants[round % 3]!, wants: () => true });
        if (round % 3) await stream.opened;
        await stream.return();
      }),
    );
    expect(one.feeds.open).toEqual({ feeds: 0, streams: 0 });
    await until(async () => expect(await ask((client) => client.pubsub('CHANNELS', 'gatehouse:*'))).toEqual([]));
  });

  it('never crosses tenants, with fast and slow readers', async () => {
    const tenants = [await makeEnterprise(one.db), await makeEnterprise(one.db)];
    const streams = await Promise.all(
      [one, two].flatMap(({ feeds }) => tenants.flatMap((id) => [20, 1_000].map((maxEvents) => subscribe(feeds, id, { maxEvents })))),
    );
    const reads = streams.map((stream) => take(stream, 200).catch((error) => error.details.cursor as string));
    await Promise.all(tenants.flatMap((id) => [announce(one.db, id, 100), announce(two.db, id, 100)]));
    const seen = await Promise.all(reads);
    for (const [index, events] of seen.entries()) {
      if (typeof events === 'string') continue; // closed as too slow
      expect(numbers(events)).toEqual(range(1, 200));
      expect(new Set(events.map((event) => event.enterpriseId))).toEqual(new Set([tenants[Math.floor(index / 2) % 2]]));
    }
    expect(seen.filter((events) => typeof events !== 'string').length).toBeGreaterThanOrEqual(4);
    await Promise.all(streams.map((stream) => stream.return()));
  });

  it('loses and repeats nothing when it is killed under load and comes back', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    const streams = await Promise.all([one, two].flatMap(({ feeds }) => range(1, 10).map(() => subscribe(feeds, enterpriseId))));
    const reads = streams.map((stream) => take(stream, 90));
    await announce(one.db, enterpriseId, 15);
    await announce(two.db, enterpriseId, 15);
    await redis.stop();
    await until(() => expect([one.bus.status(), two.bus.status()]).toEqual(['down', 'down']));
    await announce(one.db, enterpriseId, 15);
    await announce(two.db, enterpriseId, 15);
    const late = await subscribe(two.feeds, enterpriseId, { after: '55' });
    await redis.start();
    await Promise.all([up(one.bus), up(two.bus)]);
    await announce(one.db, enterpriseId, 15);
    await announce(two.db, enterpriseId, 15);
    for (const events of await Promise.all(reads)) expect(numbers(events)).toEqual(range(1, 90));
    expect(numbers(await take(late, 35))).toEqual(range(56, 90));
    await Promise.all([...streams, late].map((stream) => stream.return()));
    await until(async () => expect(await ask((client) => client.pubsub('CHANNELS', 'gatehouse:*'))).toEqual([]));
  });

  it('catches up by itself when it is back, without a further event', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    const stream = await subscribe(two.feeds, enterpriseId);
    await redis.stop();
    await until(() => expect(two.bus.status()).toBe('down'));
    await announce(one.db, enterpriseId, 3);
    await redis.start();
    expect(numbers(await take(stream, 3))).toEqual([1, 2, 3]);
    await Promise.all([stream.return(), up(one.bus), up(two.bus)]);
  });

  it('is replaced when it is silent: half-open connections', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    const stream = await subscribe(two.feeds, enterpriseId);
    await announce(one.db, enterpriseId, 1);
    expect(numbers(await take(stream, 1))).toEqual([1]);
    redis.signal('SIGSTOP');
    await announce(one.db, enterpriseId, 2);
    await until(() => expect([one.bus.status(), two.bus.status()]).toEqual(['down', 'down']));
    await announce(one.db, enterpriseId, 2);
    redis.signal('SIGCONT');
    expect(numbers(await take(stream, 4))).toEqual(range(2, 5));
    await Promise.all([up(one.bus), up(two.bus)]);
    const next = take(stream, 1);
    await announce(one.db, enterpriseId, 1);
    expect(numbers(await next)).toEqual([6]);
    await stream.return();
    await until(async () => expect(await ask((client) => client.pubsub('CHANNELS', 'gatehouse:*'))).toEqual([]));
  });

  it('that does not answer is not waited for: the table is looked at, long before the connection is replaced', async () => {
    const [near, far] = await Promise.all([1, 2].map(() => startProcess(database.url, redisBus(redis.url, 3_600_000))));
    await Promise.all([up(near!.bus), up(far!.bus)]);
    const enterpriseId = await makeEnterprise(near!.db);
    const stream = await subscribe(far!.feeds, enterpriseId);
    redis.signal('SIGSTOP');
    try {
      for (const number of [1, 2]) {
        await announce(near!.db, enterpriseId, 1);
        expect(numbers(await take(stream, 1))).toEqual([number]);
      }
      expect(far!.bus.status()).toBe('up');
    } finally {
      redis.signal('SIGCONT');
    }
    await stream.return();
    await Promise.all([near!.close(), far!.close()]);
  });

  it('may be away when the service starts', async () => {
    const port = await freePort();
    const three = await startProcess(database.url, redisBus(`redis://127.0.0.1:${port}`), 20);
    const enterpriseId = await makeEnterprise(three.db);
    expect(three.bus.status()).toBe('down');
    const stream = await subscribe(three.feeds, enterpriseId);
    await announce(three.db, enterpriseId, 1);
    expect(numbers(await take(stream, 1))).toEqual([1]);
    await announce(one.db, enterpriseId, 1); // rings on another Redis: found by polling
    expect(numbers(await take(stream, 1))).toEqual([2]);
    const later = await RedisProcess.start(port);
    await up(three.bus);
    await three.close();
    await later.stop();
  });

  it('closes at once while it is away', async () => {
    const bus = redisBus(`redis://127.0.0.1:${await freePort()}`);
    await bus.close();
    await bus.close();
    expect(bus.status()).toBe('down');
    const late = redisBus(redis.url);
    await up(late);
    await late.close();
    expect(late.status()).toBe('down');
  });

  it('ignores messages that are none of ours', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    const stream = await subscribe(one.feeds, enterpriseId);
    const channel = `gatehouse:events:${enterpriseId}`;
    await until(async () => expect(await ask((client) => client.publish(channel, 'nonsense'))).toBe(1));
    await ask((client) => client.publish(channel, 'x {"number": 1}'));
    await ask((client) => client.publish(channel, 'x [null]'));
    await announce(two.db, enterpriseId, 1);
    expect(numbers(await take(stream, 1))).toEqual([1]);
    await stream.return();
  });
});
