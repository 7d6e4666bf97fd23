import type { Queryable } from '../db/database.ts';
import { statement } from '../db/statement.ts';

/** Which events are kept: the newest `rows` of an enterprise, and whatever is younger than `milliseconds`. */
export interface Kept {
  milliseconds: number;
  rows: number;
  /** Rows of one delete. */
  batch: number;
}

const KEPT: Kept = { milliseconds: 7 * 24 * 60 * 60_000, rows: 1_000_000, batch: 5_000 };

/** One probe of the oldest row of each enterprise that has more rows than are kept anyway. */
const selectDue = statement<{ enterpriseId: string; upTo: number }, [rows: number, before: Date]>(
  'select_prunable',
  `SELECT c."enterpriseId", (c."last" - $1::bigint)::float8 AS "upTo" FROM "EventCounter" c
   CROSS JOIN LATERAL (
     SELECT e."number", e."at" FROM "Event" e WHERE e."enterpriseId" = c."enterpriseId" ORDER BY e."number" LIMIT 1
   ) oldest
   WHERE c."last" > $1::bigint AND oldest."number" <= c."last" - $1::bigint AND oldest."at" < $2`,
);

/** Deletes from the oldest up to the first row to keep, so that what is left has no hole. */
const deleteOldest = statement<{ deleted: number }, [enterpriseId: string, upTo: number, before: Date, batch: number]>(
  'delete_oldest_events',
  `WITH batch AS (
     SELECT e."number", e."at" FROM "Event" e WHERE e."enterpriseId" = $1 AND e."number" <= $2::bigint ORDER BY e."number" LIMIT $4
   ), keep AS (
     SELECT min(batch."number") AS "first" FROM batch WHERE batch."at" >= $3
   ), gone AS (
     DELETE FROM "Event" e USING batch, keep
     WHERE e."enterpriseId" = $1 AND e."number" = batch."number" AND (keep."first" IS NULL OR batch."number" < keep."first")
     RETURNING 1
   )
   SELECT count(*)::int AS "deleted" FROM gone`,
);

/**
 * Deletes old events: those both older than 7 days and not among the newest 1,000,000 of their enterprise.
 * Answers how many. Several processes may do it at once.
 */
export async function pruneEvents(db: Queryable, now: Date, kept: Partial<Kept> = {}): Promise<number> {
  const { milliseconds, rows, batch } = { ...KEPT, ...kept };
  const before = new Date(now.getTime() - milliseconds);
  let total = 0;
  for (const { enterpriseId, upTo } of await db.query(selectDue(rows, before))) {
    let deleted = batch;
    while (deleted === batch) {
      [{ deleted }] = (await db.query(deleteOldest(enterpriseId, upTo, before, batch))) as [{ deleted: number }];
      total += deleted;
    }
  }
  return total;
}
