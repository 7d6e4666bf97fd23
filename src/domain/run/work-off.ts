import { statement } from '../../db/statement.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { oneByOne } from '../../kernel/one-by-one.ts';
import { tellMovesChanged } from '../move/tell-moves.ts';
import { failArchived, pauseQueued, promoteFitting, queuePaused, resumeOverspent } from './backlog.ts';

interface Behind {
  enterpriseId: string;
  toPause: boolean;
  toQueue: boolean;
  pending: boolean;
}

// Looked up one after another: as one list of all that waits anywhere it would be read whole.
const SOME = (runs: string) =>
  `CROSS JOIN LATERAL (SELECT (SELECT true FROM "Run" r WHERE ${runs} LIMIT 1) IS NOT NULL AS "some" OFFSET 0)`;

const enterprisesBehind = statement<Behind>(
  'enterprises_behind',
  `SELECT "enterpriseId", "toPause", "toQueue", "pending" FROM (
     SELECT e."id" AS "enterpriseId", NOT e."spendEnabled" AND queued."some" AS "toPause", e."spendEnabled" AND paused."some" AS "toQueue",
       NOT e."draining" AND pending."some" AS "pending"
     FROM "Enterprise" e
     ${SOME(`r."enterpriseId" = e."id" AND r."status" = 'QUEUED'`)} queued
     ${SOME(`r."enterpriseId" = e."id" AND r."status" = 'PAUSED' AND r."blockClass" = 'spend_off'`)} paused
     ${SOME(`r."enterpriseId" = e."id" AND r."status" = 'PENDING'`)} pending
   ) behind WHERE "toPause" OR "toQueue" OR "pending"`,
);

interface TaskOf {
  enterpriseId: string;
  taskId: string;
}

// As the index on the active runs of a task is written, not as the one on the queue of a company.
const ACTIVE = `r."status" IN ('QUEUED', 'RUNNING', 'WAITING')`;

const archivedWithRuns = statement<TaskOf>(
  'archived_tasks_with_waiting_runs',
  `SELECT t."enterpriseId", t."id" AS "taskId" FROM "Task" t
   ${SOME(`r."taskId" = t."id" AND r."status" = 'PENDING'`)} pending
   ${SOME(`r."taskId" = t."id" AND ${ACTIVE} AND r."status"::text = 'QUEUED'`)} queued
   ${SOME(`r."enterpriseId" = t."enterpriseId" AND r."taskId" = t."id" AND r."status" = 'PAUSED' AND r."blockClass" = 'spend_off'`)} paused
   WHERE t."archivedAt" IS NOT NULL AND (pending."some" OR queued."some" OR paused."some")`,
);

// From task to task, however many of its runs are paused.
const tasksWithinLimit = statement<TaskOf>(
  'tasks_with_overspent_runs_within_limit',
  `SELECT t."enterpriseId", t."id" AS "taskId" FROM "Enterprise" e
   CROSS JOIN LATERAL (
     WITH RECURSIVE paused AS (
       (SELECT r."taskId" FROM "Run" r WHERE r."enterpriseId" = e."id" AND r."blockClass" = 'spend_limit' AND r."status" = 'PAUSED'
        ORDER BY r."taskId" LIMIT 1)
       UNION ALL SELECT n."taskId" FROM paused CROSS JOIN LATERAL (
         SELECT r."taskId" FROM "Run" r WHERE r."enterpriseId" = e."id" AND r."blockClass" = 'spend_limit' AND r."status" = 'PAUSED'
           AND r."taskId" > paused."taskId" ORDER BY r."taskId" LIMIT 1) n
     ) SELECT "taskId" FROM paused
   ) p
   CROSS JOIN LATERAL (SELECT "enterpriseId", "id", "latestVersion" FROM "Task" WHERE "enterpriseId" = e."id" AND "id" = p."taskId" OFFSET 0) t
   CROSS JOIN LATERAL (SELECT "spendLimitCents" FROM "TaskVersion" WHERE "taskId" = t."id" AND "version" = t."latestVersion" OFFSET 0) v
   WHERE EXISTS (SELECT FROM "Run" r WHERE r."enterpriseId" = e."id" AND r."blockClass" = 'spend_limit' AND r."taskId" = t."id"
     AND r."status" = 'PAUSED' AND r."spentCents" <= coalesce(v."spendLimitCents", 2147483647))`,
);

const untoldTasks = statement<TaskOf>(
  'tasks_with_untold_moves',
  `SELECT "enterpriseId", "id" AS "taskId" FROM "Task" WHERE "movesUntoldAfter" IS NOT NULL LIMIT 200`,
);

/**
 * Works off what switches left over and what was passed over: pauses and queues runs by whether their enterprise spends, fails
 * those of archived tasks, lets those run on whose task allows more, queues pending ones that fit, and tells of moves that changed. An enterprise whose turn
 * fails or takes long holds up no other.
 */
export async function workOffBacklogs(kernel: Kernel): Promise<void> {
  const enterprises = oneByOne(kernel, 'work off backlogs');
  const passedOver = new Set(enterprises.passedOver());
  const each = <Row extends { enterpriseId: string }>(rows: Row[], work: (row: Row) => Promise<unknown>) => {
    const due = rows.filter(({ enterpriseId }) => !passedOver.has(enterpriseId));
    return enterprises.each(due, ({ enterpriseId }) => enterpriseId, work);
  };
  await each(await kernel.db.query(archivedWithRuns()), (task) => failArchived(kernel, task));
  await each(await kernel.db.query(tasksWithinLimit()), (task) => resumeOverspent(kernel, task));
  await each(await kernel.db.query(untoldTasks()), (task) => tellMovesChanged(kernel, task));
  await each(await kernel.db.query(enterprisesBehind()), async ({ enterpriseId, toPause, toQueue, pending }) => {
    if (toPause) await pauseQueued(kernel, enterpriseId);
    if (toQueue) await queuePaused(kernel, enterpriseId);
    if (pending) await promoteFitting(kernel, enterpriseId);
  });
}
