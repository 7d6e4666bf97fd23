import type { Queryable } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

// Pending runs are grouped first: many gates and many pending runs meet by task and by member, not each with each.
const PENDING = `pending AS MATERIALIZED (
     SELECT "taskId", "memberId", count(*)::int AS "runs" FROM "Run" WHERE "enterpriseId" = $1 AND "status" = 'PENDING' GROUP BY 1, 2
   )`;
const COUNT = `coalesce((SELECT sum(p."runs") FROM pending p WHERE p."taskId" = r."taskId" OR p."memberId" = r."memberId"), 0)::int`;

const selectCounts = statement<{ gateId: string; count: number }, [enterpriseId: string, gateIds: string[]]>(
  'held_up_counts',
  `WITH ${PENDING}
   SELECT g."id" AS "gateId", ${COUNT} AS "count" FROM "Gate" g JOIN "Run" r ON r."id" = g."runId"
   WHERE g."enterpriseId" = $1 AND g."status" = 'WAITING' AND g."id" = ANY($2::uuid[])`,
);

const selectRuns = statement<{ gateId: string; runId: string }, [enterpriseId: string, gateIds: string[], most: number]>(
  'held_up_runs',
  `SELECT g."id" AS "gateId", p."id" AS "runId" FROM "Gate" g JOIN "Run" r ON r."id" = g."runId"
   CROSS JOIN LATERAL (
     SELECT w."id" FROM "Run" w WHERE w."enterpriseId" = $1 AND w."status" = 'PENDING' AND (w."taskId" = r."taskId" OR w."memberId" = r."memberId")
     ORDER BY w."id" LIMIT $3
   ) p
   WHERE g."enterpriseId" = $1 AND g."status" = 'WAITING' AND g."id" = ANY($2::uuid[]) ORDER BY g."id", p."id"`,
);

const selectByCost = statement<
  { gateId: string; count: number },
  [enterpriseId: string, afterCount: number | null, afterId: string | null, most: number]
>(
  'gates_by_cost_of_delay',
  `WITH ${PENDING}, waiting AS (
     SELECT g."id", ${COUNT} AS "count" FROM "Gate" g JOIN "Run" r ON r."id" = g."runId" WHERE g."enterpriseId" = $1 AND g."status" = 'WAITING'
   )
   SELECT "id" AS "gateId", "count" FROM waiting
   WHERE $2::int IS NULL OR "count" < $2::int OR ("count" = $2::int AND "id" > $3::uuid)
   ORDER BY "count" DESC, "id" LIMIT $4`,
);

/** How many pending runs wait for the member or the task of each waiting gate's run. Gates that hold nothing up may be missing. */
export async function runsHeldUpCounts(db: Queryable, enterpriseId: string, gateIds: string[]): Promise<Map<string, number>> {
  const rows = await db.query(selectCounts(enterpriseId, gateIds));
  return new Map(rows.map(({ gateId, count }) => [gateId, count]));
}

/** The ids of those runs, oldest first, at most `most` a gate. */
export async function runsHeldUp(db: Queryable, enterpriseId: string, gateIds: string[], most: number): Promise<Map<string, string[]>> {
  const runs = new Map<string, string[]>();
  for (const { gateId, runId } of await db.query(selectRuns(enterpriseId, gateIds, most))) {
    runs.set(gateId, [...(runs.get(gateId) ?? []), runId]);
  }
  return runs;
}

/** Waiting gates, those that hold up most runs first, then the oldest; behind the gate of this count and id. */
export const gatesByCostOfDelay = (db: Queryable, enterpriseId: string, after: { count: number; id: string } | undefined, most: number) =>
  db.query(selectByCost(enterpriseId, after?.count ?? null, after?.id ?? null, most));
