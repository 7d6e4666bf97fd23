import type { Queryable } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { TaskInputField } from '../task/input-fields.ts';

/** A task that can take a stopped run's work on: its own, or another one of the pipeline. */
export interface PipelineTask {
  slug: string;
  own: boolean;
  archivedAt: Date | null;
  inputFields: TaskInputField[];
}

// The two look-ups of earlier stages are written as their indexes are.
const selectTasks = statement<PipelineTask & { runId: string }, [enterpriseId: string, runIds: string[]]>(
  'pipeline_tasks',
  `WITH stopped AS (
     SELECT r."id", r."taskId", r."input"->>'repo' AS "repo", coalesce(r."input"->>'issue', r."input"->>'number') AS "issue",
       r."input"->>'pr' AS "pr"
     FROM "Run" r WHERE r."enterpriseId" = $1 AND r."id" = ANY ($2::uuid[])
   ), stages AS (
     SELECT s."id" AS "runId", s."taskId" FROM stopped s
     UNION
     SELECT s."id", n."id" FROM stopped s JOIN "Task" t ON t."id" = s."taskId"
     JOIN "TaskVersion" v ON v."taskId" = t."id" AND v."version" = t."latestVersion"
     CROSS JOIN LATERAL jsonb_array_elements(v."successors") AS next
     JOIN "Task" n ON n."enterpriseId" = $1 AND n."slug" = next->>'task'
     UNION
     SELECT s."id", e."taskId" FROM stopped s JOIN "Run" e ON e."enterpriseId" = $1
       AND left(e."input"->>'repo', 200) = left(s."repo", 200)
       AND left(coalesce(e."input"->>'issue', e."input"->>'number'), 40) = left(s."issue", 40)
       AND e."input"->>'repo' IS NOT NULL AND coalesce(e."input"->>'issue', e."input"->>'number') IS NOT NULL AND e."id" < s."id"
     UNION
     SELECT s."id", e."taskId" FROM stopped s JOIN "Run" e ON e."enterpriseId" = $1
       AND left(e."input"->>'repo', 200) = left(s."repo", 200) AND left(e."input"->>'pr', 40) = left(s."pr", 40)
       AND e."input"->>'repo' IS NOT NULL AND e."input"->>'pr' IS NOT NULL AND e."id" < s."id"
   )
   SELECT g."runId", t."slug", g."taskId" = s."taskId" AS "own", t."archivedAt", v."inputFields"
   FROM stages g JOIN stopped s ON s."id" = g."runId" JOIN "Task" t ON t."id" = g."taskId"
   JOIN "TaskVersion" v ON v."taskId" = t."id" AND v."version" = t."latestVersion" ORDER BY t."slug"`,
);

/**
 * For each run its own task, the successors that this names in its latest version, and the earlier stages: tasks of which some
 * earlier run worked the same issue or pull request.
 */
export async function pipelineTasks(db: Queryable, enterpriseId: string, runIds: string[]): Promise<Map<string, PipelineTask[]>> {
  const tasks = new Map<string, PipelineTask[]>(runIds.map((id) => [id, []]));
  if (runIds.length === 0) return tasks;
  for (const { runId, ...task } of await db.query(selectTasks(enterpriseId, runIds))) tasks.get(runId)!.push(task);
  return tasks;
}
