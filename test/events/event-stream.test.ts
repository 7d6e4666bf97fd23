import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProcessBus } from '../../src/events/bus.ts';
import { currentCursor } from '../../src/events/cursor.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { announce, makeEnterprise, numbers, type Process, range, startProcess, subscribe, take } from './process.ts';

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

describe('a stream', () => {
  it('begins with what comes next', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    await announce(one.db, enterpriseId, 3);
    const stream = await subscribe(one.feeds, enterpriseId);
    await announce(one.db, enterpriseId, 2);
    const [first, second] = await take(stream, 2);
    expect(first).toEqual({
      enterpriseId,
      number: 4,
      at: expect.any(Date),
      topic: 'RUN',
      kind: 'K1',
      runId: null,
      gateId: null,
      callId: null,
    });
    expect(second!.number).toBe(5);
    expect(stream.lastCursor).toBe('5');
    await stream.return();
  });

  it('resumes after a cursor, then goes on live', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    await announce(one.db, enterpriseId, 5);
    const stream = await subscribe(one.feeds, enterpriseId, { after: '2' });
    expect(stream.lastCursor).toBe('2');
    expect(numbers(await take(stream, 3))).toEqual([3, 4, 5]);
    const next = stream.next();
    await announce(one.db, enterpriseId, 1);
    expect((await next).value?.number).toBe(6);
    await stream.return();
  });

  it('begins at 0 in an enterprise without events', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    expect(await currentCursor(one.db, enterpriseId)).toBe('0');
    const stream = await subscribe(one.feeds, enterpriseId, { after: '0' });
    await announce(one.db, enterpriseId, 2);
    expect(numbers(await take(stream, 2))).toEqual([1, 2]);
    expect(await currentCursor(one.db, enterpriseId)).toBe('2');
    await stream.return();
  });

  it('leaves out what the subscriber does not want, and counts only what it delivered', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    await announce(one.db, enterpriseId, 4, true);
    const stream = await subscribe(one.feeds, enterpriseId, { after: '0', wants: ({ kind }) => kind === 'K2' });
    await announce(one.db, enterpriseId, 4, true);
    expect(numbers(await take(stream, 2))).toEqual([2, 6]);
    expect(stream.lastCursor).toBe('6');
    await stream.return();
  });

  it('reads a backlog of many pages, and a burst larger than its queue, at the pace of its reader', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    await announce(one.db, enterpriseId, 1_300, true);
    const behind = await subscribe(one.feeds, enterpriseId, { after: '0' });
    const live = await subscribe(one.feeds, enterpriseId);
    await announce(one.db, enterpriseId, 1_700, true);
    expect(numbers(await take(behind, 3_000))).toEqual(range(1, 3_000));
    expect(numbers(await take(live, 1_700))).toEqual(range(1_301, 3_000));
    await Promise.all([behind.return(), live.return()]);
  });

  it('hands several waiting pulls their events in order', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    const stream = await subscribe(one.feeds, enterpriseId);
    const pulls = [stream.next(), stream.next(), stream.next()];
    await announce(one.db, enterpriseId, 3);
    expect((await Promise.all(pulls)).map(({ value }) => value?.number)).toEqual([1, 2, 3]);
    await stream.return();
  });
});

describe('a cursor', () => {
  it.each(['', 'x', '-1', '1.5', '01', ' 1', '1e3', '99999999999999999999', '9007199254740993', 'Infinity', '-5', 'x-01', 'X-1', 'x--1'])(
    '%j is refused',
    async (after) => {
      const enterpriseId = await makeEnterprise(one.db);
      const stream = one.feeds.subscribe({ enterpriseId, after, wants: () => true });
      const message = `${JSON.stringify(after)} is no event cursor: send one that this service gave, such as "42"`;
      const error = { code: 'invalid_arguments', message, details: { issues: [{ path: 'after', message }] } };
      await expect(stream.opened).rejects.toMatchObject(error);
      await expect(stream.next()).rejects.toMatchObject(error);
      expect(await stream.next()).toEqual({ done: true, value: undefined });
      expect(one.feeds.open).toEqual({ feeds: 0, streams: 0 });
    },
  );

  it('of the future is of before a restore: expired', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    await announce(one.db, enterpriseId, 2);
    const stream = one.feeds.subscribe({ enterpriseId, after: '3', wants: () => true });
    await expect(stream.opened).rejects.toMatchObject({
      code: 'cursor_expired',
      message: 'The cursor 3 is later than the last event, 2: the database was restored since: load anew, then subscribe after 0 or later.',
      details: { oldest: '0' },
    });
  });
});

describe('the end of a stream', () => {
  it('comes alone to a reader that is too slow, with the cursor to resume from', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    const slow = await subscribe(one.feeds, enterpriseId, { maxEvents: 5 });
    const good = await subscribe(one.feeds, enterpriseId, { maxEvents: 5 });
    const read = take(good, 20);
    await announce(one.db, enterpriseId, 2);
    expect(numbers(await take(slow, 2))).toEqual([1, 2]);
    await announce(one.db, enterpriseId, 18);
    const error = { code: 'slow_consumer', details: { cursor: '2' } };
    expect(await slow.ended).toMatchObject(error);
    expect(numbers(await read)).toEqual(range(1, 20));
    await expect(slow.next()).rejects.toMatchObject(error);
    expect(await slow.next()).toEqual({ done: true, value: undefined });
    const resumed = await subscribe(one.feeds, enterpriseId, { after: '2' });
    expect(numbers(await take(resumed, 18))).toEqual(range(3, 20));
    await Promise.all([good.return(), resumed.return()]);
  });

  it('comes at the size of the queue too, exactly', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    const probe = await subscribe(one.feeds, enterpriseId);
    await announce(one.db, enterpriseId, 1);
    const bytes = JSON.stringify((await take(probe, 1))[0]).length;
    const fits = await subscribe(one.feeds, enterpriseId, { maxBytes: 3 * bytes });
    const small = await subscribe(one.feeds, enterpriseId, { maxBytes: 3 * bytes - 1 });
    await announce(one.db, enterpriseId, 3);
    expect(await small.ended).toMatchObject({ code: 'slow_consumer', details: { cursor: '1' } });
    expect(numbers(await take(fits, 3))).toEqual([2, 3, 4]);
    await Promise.all([probe.return(), fits.return()]);
  });

  it('from outside lets what is queued go first, unless it is an error', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    const soft = await subscribe(one.feeds, enterpriseId);
    const hard = await subscribe(one.feeds, enterpriseId);
    const waiting = await subscribe(one.feeds, enterpriseId, { wants: () => false });
    const pulled = expect(waiting.next()).rejects.toThrow('over');
    await announce(one.db, enterpriseId, 2);
    soft.end();
    hard.end(new Error('over'));
    waiting.end(new Error('over'));
    await announce(one.db, enterpriseId, 1);
    expect(numbers(await take(soft, 2))).toEqual([1, 2]);
    expect(await soft.next()).toEqual({ done: true, value: undefined });
    await expect(hard.next()).rejects.toThrow('over');
    await pulled;
    expect(one.feeds.open).toEqual({ feeds: 0, streams: 0 });
  });

  it('is the subscriber’s own when its filter fails', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    const broken = await subscribe(one.feeds, enterpriseId, {
      wants: () => {
        throw new Error('a broken filter');
      },
    });
    const good = await subscribe(one.feeds, enterpriseId);
    await announce(one.db, enterpriseId, 1);
    await expect(broken.next()).rejects.toThrow('a broken filter');
    expect(numbers(await take(good, 1))).toEqual([1]);
    await good.return();
  });

  it('leaves nothing behind, also when it comes while subscribing is pending', async () => {
    const enterpriseId = await makeEnterprise(one.db);
    for (let round = 0; round < 300; round++) {
      const stream = one.feeds.subscribe({ enterpriseId, after: round % 2 ? '0' : null, wants: () => true });
      const pull = stream.next();
      if (round % 3) await stream.opened;
      await stream.return();
      expect(await pull).toEqual({ done: true, value: undefined });
      expect(await stream.next()).toEqual({ done: true, value: undefined });
    }
    expect(one.feeds.open).toEqual({ feeds: 0, streams: 0 });
    expect(one.bus.listening).toBe(0);
  });
});
