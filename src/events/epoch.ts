import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Queryable } from '../db/database.ts';
import { statement } from '../db/statement.ts';

/** A restore from a dump makes other oids, one into another server another identifier, and one to a point in time another timeline. */
const selectHome = statement<{ home: string }>(
  'event_home',
  `SELECT concat_ws('/', (SELECT "system_identifier" FROM pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()), 8),
     (SELECT "oid" FROM pg_database WHERE "datname" = current_database()), '"EventCounter"'::regclass::oid) AS "home"`,
);

const selectOids = statement<{ home: string }>(
  'event_home_oids',
  `SELECT concat_ws('/', (SELECT "oid" FROM pg_database WHERE "datname" = current_database()), '"EventCounter"'::regclass::oid) AS "home"`,
);

/** What a server that does not tell its identifier or its timeline answers. */
const NOT_TOLD = ['42501', '42883', '0A000'];

const settle = statement<{ changed: boolean }, [home: string, epoch: string]>(
  'settle_event_epoch',
  `WITH known AS (SELECT p."home" IS NOT NULL AND p."home" <> $1 AS "changed" FROM "EventEpoch" p FOR UPDATE)
   UPDATE "EventEpoch" p SET "home" = $1, "epoch" = CASE WHEN known."changed" THEN $2 ELSE p."epoch" END
   FROM known RETURNING known."changed"`,
);

const renew = statement<{ id: number }, [epoch: string, known: string | null]>(
  'renew_event_epoch',
  `UPDATE "EventEpoch" SET "epoch" = $1 WHERE "epoch" = coalesce($2, "epoch") RETURNING "id"`,
);

const newEpoch = () => randomBytes(4).toString('hex');

/**
 * Begins a new epoch if the database does not lie where it lay, which is so after most ways to restore a backup; every
 * cursor from before is then `cursor_expired`. `folder`: of the embedded database. Answers whether it did.
 */
export async function settleEpoch(db: Queryable, folder: string | undefined): Promise<boolean> {
  const [settled] = await db.query(settle(folder === undefined ? await homeOf(db) : homeIn(folder), newEpoch()));
  return settled!.changed;
}

/** Begins a new epoch, for a restore that cannot be seen; `known`: only if this is still the epoch. */
export async function renewEpoch(db: Queryable, known: string | null = null): Promise<void> {
  await db.query(renew(newEpoch(), known));
}

async function homeOf(db: Queryable): Promise<string> {
  try {
    const [row] = await db.query(selectHome());
    return row!.home;
  } catch (error) {
    if (!NOT_TOLD.includes((error as { code?: string }).code ?? '')) throw error;
    const [row] = await db.query(selectOids());
    return row!.home;
  }
}

/** A folder that was put back is another one. */
function homeIn(folder: string): string {
  const { ino, birthtimeMs } = statSync(folder);
  return `${ino}/${Math.round(birthtimeMs)}`;
}
