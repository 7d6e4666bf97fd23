import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, type Tx } from '../../src/db/database.ts';
import type { EventRow } from '../../src/db/event-row.ts';
import { testDatabase } from '../support/database.ts';

const insertRole = (id: string, enterpriseId: string, slug: string) => ({
  text: 'INSERT INTO "Role" ("id", "enterpriseId", "slug", "name") VALUES ($1, $2, $3, $3)',
  values: [id, enterpriseId, slug],
});

describe.each(['postgres', 'embedded'] as const)('a transaction on the %s home', (home) => {
  let db: Database;
  let drop = async () => {};
  const enterpriseId = v7();
  const stored: EventRow[] = [];

  beforeAll(async () => {
    const made = home === 'postgres' ? await testDatabase() : undefined;
    drop = made?.drop ?? drop;
    db = await openDatabase(made ? { url: made.url } : {});
    db.onEvents = (events) => stored.push(...events);
    await db.prisma.enterprise.create({ data: { id: enterpriseId, name: 'Test Kites', eventCounter: { create: {} } } });
  });
  afterAll(async () => {
    await db.close();
    await drop();
  });

  const roles = (slug: string) => db.prisma.role.count({ where: { enterpriseId, slug } });
  /** Two rows in one nested write, which Prisma sends as a transaction of its own. */
  const nested = (tx: Tx, slug: string, id = v7()) =>
    tx.prisma.role.create({ data: { id, enterpriseId, slug, name: slug, holders: { create: { member: { create: member(slug) } } } } });
  const member = (name: string) => ({
    id: v7(),
    name,
    email: `${name}-${v7()}@kites.example`,
    enterprise: { connect: { id: enterpriseId } },
  });

  it('undoes SQL and nested Prisma writes together, having seen them', async () => {
    const failed = db.transaction(async (tx) => {
      await nested(tx, 'undone');
      await tx.query(insertRole(v7(), enterpriseId, 'undone-too'));
      expect(await tx.prisma.role.count({ where: { enterpriseId, slug: { startsWith: 'undone' } } })).toBe(2);
      throw new Error('boom');
    });
    await expect(failed).rejects.toThrow('boom');
    expect([await roles('undone'), await roles('undone-too')]).toEqual([0, 0]);
  });

  it('runs its hooks after the commit, and not after a rollback', async () => {
    const ran: string[] = [];
    await db.transaction(async (tx) => {
      tx.afterCommit(() => ran.push('committed'));
      await tx.query(insertRole(v7(), enterpriseId, 'hooked'));
      expect(ran).toEqual([]);
    });
    await db.transaction(async (tx) => tx.afterCommit(() => ran.push('never')) ?? Promise.reject(new Error('no'))).catch(() => {});
    expect([ran, await roles('hooked')]).toEqual([['committed'], 1]);
  });

  it('rejects when a statement failed and the error was swallowed', async () => {
    const swallowed = db.transaction(async (tx) => {
      await tx.query(insertRole(v7(), enterpriseId, 'swallowed'));
      await tx.query({ text: 'SELECT 1/0' }).catch(() => {});
    });
    await expect(swallowed).rejects.toThrow('rolled back');
    expect(await roles('swallowed')).toBe(0);
  });

  it('goes on after a savepoint that failed, and after a nested Prisma write that failed', async () => {
    const id = v7();
    await db.transaction(async (tx) => {
      await nested(tx, 'kept', id);
      await expect(tx.savepoint((inner) => nested(inner, 'kept-twin', id))).rejects.toMatchObject({ code: 'P2002' });
      await expect(nested(tx, 'kept-twin', id)).rejects.toMatchObject({ code: 'P2002' });
      await tx.query(insertRole(v7(), enterpriseId, 'after'));
    });
    expect([await roles('kept'), await roles('kept-twin'), await roles('after')]).toEqual([1, 0, 1]);
  });

  it('keeps parallel nested writes apart: one that fails fails alone', async () => {
    const id = v7();
    const settled = await db.transaction((tx) =>
      Promise.allSettled([nested(tx, 'parallel-1', id), nested(tx, 'parallel-2', id), nested(tx, 'parallel-3')]),
    );
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([await roles('parallel-1'), await roles('parallel-2'), await roles('parallel-3')]).toEqual([1, 0, 1]);
  });

  it('refuses findUnique, which may run in another transaction', async () => {
    await expect(db.transaction((tx) => tx.prisma.role.findUnique({ where: { id: v7() } }))).rejects.toThrow('use findFirst');
  });

  it('refuses a query of code that outlived it', async () => {
    let late: Tx | undefined;
    await db.transaction(async (tx) => {
      late = tx;
      await tx.query({ text: 'SELECT 1' });
    });
    await expect(late!.query({ text: 'SELECT 1' })).rejects.toThrow('has ended');
  });

  it('shows others nothing of itself before the commit', async () => {
    const before = await db.prisma.role.count();
    let odd = 0;
    const writes = Array.from({ length: 20 }, (_, index) =>
      db
        .transaction(async (tx) => {
          await nested(tx, `pair-${index}-a`);
          await tx.query(insertRole(v7(), enterpriseId, `pair-${index}-b`));
          if (index % 4 === 0) throw new Error('back');
        })
        .catch((error) => expect(error.message).toBe('back')),
    );
    const reads = Array.from({ length: 60 }, async () => {
      if (((await db.prisma.role.count()) - before) % 2 !== 0) odd++;
    });
    await Promise.all([...writes, ...reads]);
    expect([(await db.prisma.role.count()) - before, odd]).toEqual([30, 0]);
  });

  it('numbers its events without gaps in the order of the commits, its last statement going out with COMMIT', async () => {
    stored.length = 0;
    const first = Number((await db.prisma.eventCounter.findFirstOrThrow({ where: { enterpriseId } })).last);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        db
          .transaction(async (tx) => {
            tx.emit({ enterpriseId, topic: 'RUN', kind: `first-${index}` });
            tx.emit({ enterpriseId, topic: 'GATE', kind: `second-${index}` });
            const text = index === 3 ? 'SELECT 1/0 AS n' : 'SELECT 1 AS n';
            return tx.last({ text });
          })
          .catch((error) => expect(error.message).toContain('division by zero')),
      ),
    );
    const numbers = stored.map(({ number }) => number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 18 }, (_, index) => first + 1 + index));
    expect(await db.prisma.event.count({ where: { enterpriseId, number: { gt: first } } })).toBe(18);
  });

  it('stores times in UTC and JSON as given', async () => {
    const id = v7();
    const createdAt = new Date('2026-03-29T01:30:00.123Z');
    await db.prisma.contextEntry.create({ data: { enterpriseId, key: id, value: { b: [null, 'é😀'] }, updatedAt: createdAt } });
    const text = `SELECT "value", "updatedAt", to_char("updatedAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS "utc" FROM "ContextEntry" WHERE "key" = $1`;
    const [row] = await db.query<any>({ text, values: [id] });
    expect(row).toEqual({ value: { b: [null, 'é😀'] }, updatedAt: createdAt, utc: '2026-03-29 01:30:00.123' });
  });

  if (home === 'postgres') {
    it('is undone with its connection, and the pool goes on', async () => {
      const lost = db.transaction(async (tx) => {
        await tx.query(insertRole(v7(), enterpriseId, 'lost'));
        const [{ pid }] = (await tx.query<any>({ text: 'SELECT pg_backend_pid() AS pid' })) as [{ pid: number }];
        await db.query({ text: 'SELECT pg_terminate_backend($1)', values: [pid] });
        await tx.query(insertRole(v7(), enterpriseId, 'lost-too'));
      });
      await expect(lost).rejects.toThrow();
      expect(await roles('lost')).toBe(0);
    });

    it('runs again after a deadlock', async () => {
      const [a, b] = [v7(), v7()];
      for (const id of [a, b]) await db.query(insertRole(id, enterpriseId, id));
      const lock = (id: string) => ({ text: 'SELECT 1 FROM "Role" WHERE "id" = $1 FOR UPDATE', values: [id] });
      let tries = 0;
      let arrived = 0;
      let open = () => {};
      const both = new Promise<void>((resolve) => {
        open = resolve;
      });
      const cross = (one: string, other: string) =>
        db.transaction(async (tx) => {
          tries++;
          await tx.query(lock(one));
          if (++arrived >= 2) open();
          await both;
          await tx.query(lock(other));
          return one;
        });
      expect(await Promise.all([cross(a, b), cross(b, a)])).toEqual([a, b]);
      expect([3, 4]).toContain(tries); // where both have waited for as long, Postgres may end both
    });
  }
});
