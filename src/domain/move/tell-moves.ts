import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { STANDS_ON_BLOCKERS, tellBlockerChanged } from '../blocker/stopped.ts';
import { AT_ONCE, inBatches } from '../run/backlog.ts';
import { type RunState, stateColumns } from '../run/run-row.ts';

/** The first run of the task that worked this issue or pull request; one is looked for for each of them, not for each stopped run. */
const FIRST = (
  same: string,
) => `(SELECT e."id" FROM (SELECT e."id", e."taskId" FROM "Run" e WHERE e."enterpriseId" = $1 AND ${same} OFFSET 0) e
     JOIN task ON task."id" = e."taskId" ORDER BY e."id" LIMIT 1)`;

const ISSUE = (run: string) => `coalesce(${run}."input"->>'issue', ${run}."input"->>'number')`;

// Written as the indexes on issues and pull requests are.
const selectStopped = statement<RunState, [enterpriseId: string, slug: string, after: string, most: number]>(
  'runs_on_blockers_with_task',
  `WITH task AS MATERIALIZED (SELECT "id" FROM "Task" WHERE "enterpriseId" = $1 AND "slug" = $2),
   stopped AS MATERIALIZED (
     SELECT r."id", r."taskId", left(r."input"->>'repo', 200) AS "repo", left(${ISSUE('r')}, 40) AS "issue", left(r."input"->>'pr', 40) AS "pr"
     FROM "Run" r WHERE r."enterpriseId" = $1 AND ${STANDS_ON_BLOCKERS}
   ),
   issues AS MATERIALIZED (
     SELECT i."repo", i."issue", ${FIRST(`left(e."input"->>'repo', 200) = i."repo" AND left(${ISSUE('e')}, 40) = i."issue"
       AND e."input"->>'repo' IS NOT NULL AND ${ISSUE('e')} IS NOT NULL`)} AS "first"
     FROM (SELECT DISTINCT "repo", "issue" FROM stopped WHERE "repo" IS NOT NULL AND "issue" IS NOT NULL) i
   ),
   requests AS MATERIALIZED (
     SELECT p."repo", p."pr", ${FIRST(`left(e."input"->>'repo', 200) = p."repo" AND left(e."input"->>'pr', 40) = p."pr"
       AND e."input"->>'repo' IS NOT NULL AND e."input"->>'pr' IS NOT NULL`)} AS "first"
     FROM (SELECT DISTINCT "repo", "pr" FROM stopped WHERE "repo" IS NOT NULL AND "pr" IS NOT NULL) p
   ),
   naming AS MATERIALIZED (
     SELECT t."id" FROM "Task" t JOIN "TaskVersion" v ON v."taskId" = t."id" AND v."version" = t."latestVersion"
     WHERE t."enterpriseId" = $1 AND v."successors" @> jsonb_build_array(jsonb_build_object('task', $2::text))
   )
   SELECT ${stateColumns('r')} FROM stopped s JOIN "Run" r ON r."id" = s."id"
   WHERE s."id" > $3 AND (s."taskId" IN (SELECT "id" FROM task) OR s."taskId" IN (SELECT "id" FROM naming)
     OR EXISTS (SELECT FROM issues i WHERE i."repo" = s."repo" AND i."issue" = s."issue" AND i."first" < s."id")
     OR EXISTS (SELECT FROM requests p WHERE p."repo" = s."repo" AND p."pr" = s."pr" AND p."first" < s."id"))
   ORDER BY s."id" LIMIT $4`,
);

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const tellAfter = statement<never, [enterpriseId: string, taskId: string, after: string | null]>(
  'tell_moves_after',
  `UPDATE "Task" SET "movesUntoldAfter" = $3 WHERE "enterpriseId" = $1 AND "id" = $2`,
);

/** A task can take other work on than before: every run on Blockers that has it in its pipeline has other moves, and is told of below. */
export async function noteMovesChanged(tx: Tx, { enterpriseId, id }: { enterpriseId: string; id: string }): Promise<void> {
  await tx.query(tellAfter(enterpriseId, id, FIRST_ID));
}

const lockUntold = statement<{ slug: string; movesUntoldAfter: string }, [enterpriseId: string, taskId: string]>(
  'lock_untold_moves',
  `SELECT "slug", "movesUntoldAfter" FROM "Task"
   WHERE "enterpriseId" = $1 AND "id" = $2 AND "movesUntoldAfter" IS NOT NULL FOR NO KEY UPDATE`,
);

/** Announces it for those runs, from the oldest on: as many as a request takes the time for, the rest by the sweep. */
export const tellMovesChanged = (kernel: Kernel, { enterpriseId, taskId }: { enterpriseId: string; taskId: string }) =>
  inBatches(kernel, async (tx) => {
    const [untold] = await tx.query(lockUntold(enterpriseId, taskId));
    if (!untold) return 0;
    const runs = await tx.query(selectStopped(enterpriseId, untold.slug, untold.movesUntoldAfter, AT_ONCE));
    for (const run of runs) tellBlockerChanged(tx, run);
    await tx.query(tellAfter(enterpriseId, taskId, runs.length < AT_ONCE ? null : runs.at(-1)!.id));
    return runs.length;
  });
