import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { holdSwitches } from '../../db/switch-lock.ts';
import { after, type Kernel } from '../../kernel/kernel.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import { ISSUE_FIELDS, markIssue } from './issue-mark.ts';
import { PAUSED_BY, type RunState, stateColumns } from './run-row.ts';
import { lockingSchedule } from './run-statements.ts';
import { headsOfTask, memberIsFree, promotePending, type Slot, TASK_HAS_ROOM } from './schedule.ts';

/*
 * What a switch makes of many runs is done in batches, each in a transaction of its own: as many at once as the request that switched
 * takes the time for, the rest by the sweep. No batch is needed for the switch to hold: claimRun looks at the switches themselves.
 */

/** How many runs one transaction changes. */
export const AT_ONCE = 100;

/** How many batches are made one after another before others have their turn. */
const BATCHES = 20;

/** One batch: how many runs it changed. */
type Batch = (tx: Tx) => Promise<number>;

/** Makes batches, each in a transaction of its own, until one changes less than it could have, or enough have been made. */
export async function inBatches(kernel: Kernel, batch: Batch): Promise<void> {
  for (let made = 0; made < BATCHES; made++) if ((await kernel.db.transaction(batch)) < AT_ONCE) return;
}

const pauseSome = statement<RunState, [string, number, Date]>(
  'pause_queued_runs',
  `UPDATE "Run" SET "status" = 'PAUSED', "blockClass" = 'spend_off', "haltedAt" = $3 WHERE "id" IN (
     SELECT r."id" FROM "Run" r JOIN "Enterprise" e ON e."id" = r."enterpriseId" AND NOT e."spendEnabled"
     WHERE r."enterpriseId" = $1 AND r."status" = 'QUEUED' ORDER BY r."queuedAt", r."id" LIMIT $2 FOR NO KEY UPDATE OF r SKIP LOCKED
   ) RETURNING ${stateColumns()}`,
);

/** Spending is off: what is queued is paused, and keeps its slot and its place. */
export const pauseQueued = (kernel: Kernel, enterpriseId: string) =>
  inBatches(kernel, async (tx) => {
    await holdSwitches(tx, enterpriseId);
    const paused = await tx.query(pauseSome(enterpriseId, AT_ONCE, kernel.now()));
    for (const run of paused) told(tx, { ...run, status: 'QUEUED' }, run);
    return paused.length;
  });

// One that was paused by an earlier version has no place in the queue: it waits for one.
const queueSome = statement<RunState, [string, number]>(
  'queue_paused_runs',
  `UPDATE "Run" SET "status" = CASE WHEN "queuedAt" IS NULL THEN 'PENDING' ELSE 'QUEUED' END::"RunStatus", "blockClass" = NULL, "haltedAt" = NULL
   WHERE "id" IN (
     SELECT r."id" FROM "Run" r JOIN "Enterprise" e ON e."id" = r."enterpriseId" AND e."spendEnabled"
     WHERE r."enterpriseId" = $1 AND r."status" = 'PAUSED' AND r."blockClass" = 'spend_off' LIMIT $2 FOR NO KEY UPDATE OF r SKIP LOCKED
   ) RETURNING ${stateColumns()}`,
);

/** Spending is on: what was paused by it is queued where it was. */
export const queuePaused = (kernel: Kernel, enterpriseId: string) =>
  inBatches(kernel, async (tx) => {
    await holdSwitches(tx, enterpriseId);
    const queued = await tx.query(queueSome(enterpriseId, AT_ONCE));
    for (const run of queued) told(tx, { ...run, status: 'PAUSED' }, run);
    return queued.length;
  });

const failSome = statement<RunState & { issue: unknown; was: RunState['status'] }, [string, string, number, Date]>(
  'fail_runs_of_archived_task',
  `UPDATE "Run" r SET "status" = 'FAILED', "failureCode" = 'task_archived', "reason" = 'Its task was archived before it was claimed.',
     "blockClass" = NULL, "haltedAt" = NULL, "finishedAt" = $4
   FROM (
     SELECT w."id", w."status" FROM "Run" w JOIN "Task" t ON t."id" = w."taskId" AND t."archivedAt" IS NOT NULL
     WHERE w."enterpriseId" = $1 AND w."taskId" = $2
       AND (w."status" IN ('PENDING', 'QUEUED') OR w."status" = 'PAUSED' AND w."blockClass" = 'spend_off')
     LIMIT $3 FOR NO KEY UPDATE OF w SKIP LOCKED
   ) waited WHERE r."id" = waited."id" RETURNING ${stateColumns('r')}, ${ISSUE_FIELDS} AS "issue", waited."status" AS "was"`,
);

/** The task is archived: what waits for a worker fails. */
export const failArchived = (kernel: Kernel, { enterpriseId, taskId }: { enterpriseId: string; taskId: string }) =>
  inBatches(kernel, async (tx) => {
    const failed = await tx.query(failSome(enterpriseId, taskId, AT_ONCE, kernel.now()));
    for (const { issue, was, ...run } of failed) {
      told(tx, { ...run, status: was }, run);
      markIssue(tx, kernel.now(), run, issue, 'IDLE');
    }
    return failed.length;
  });

const overspent = statement<{ id: string }, [string, string, number]>(
  'overspent_runs_within_limit',
  `SELECT r."id" FROM "Task" t JOIN "TaskVersion" v ON v."taskId" = t."id" AND v."version" = t."latestVersion"
   JOIN "Run" r ON r."enterpriseId" = $1 AND r."blockClass" = 'spend_limit' AND r."taskId" = $2 AND r."status" = 'PAUSED'
     AND r."spentCents" <= coalesce(v."spendLimitCents", 2147483647)
   WHERE t."enterpriseId" = $1 AND t."id" = $2 ORDER BY r."id" LIMIT $3 FOR NO KEY UPDATE OF r SKIP LOCKED`,
);

// Of a run that was found paused, and locked, by the same transaction.
const goOn = statement<RunState, [string, string, Date]>(
  'overspent_run_goes_on',
  `UPDATE "Run" r SET "status" = CASE WHEN room."fits" THEN 'RUNNING' ELSE 'PENDING' END::"RunStatus",
     "leaseExpiresAt" = CASE WHEN room."fits" THEN $3::timestamptz END, "blockClass" = NULL, "reason" = NULL, "haltedAt" = NULL
   FROM (
     SELECT o."id", ${TASK_HAS_ROOM} AND ${memberIsFree('o."memberId"')} AS "fits"
     FROM "Run" o JOIN "Task" t ON t."id" = o."taskId" JOIN "TaskVersion" v ON v."taskId" = t."id" AND v."version" = t."latestVersion"
     WHERE o."enterpriseId" = $1 AND o."id" = $2
   ) room
   WHERE r."id" = room."id" RETURNING ${stateColumns('r')}`,
);

/**
 * The task's spend limit was raised or lifted: its runs paused by the old one run on under their worker, with a full lease; one whose
 * slot was taken meanwhile waits as pending and is claimed anew.
 */
export const resumeOverspent = (kernel: Kernel, { enterpriseId, taskId }: { enterpriseId: string; taskId: string }) =>
  inBatches(kernel, async (tx) => {
    const found = await tx.query(overspent(enterpriseId, taskId, AT_ONCE));
    if (found.length === 0) return 0;
    const lease = after(kernel.now(), kernel.timing.runLease);
    const asked = found.map(({ id }) => goOn(enterpriseId, id, lease));
    const [, ...resumed] = await tx.together(lockingSchedule(enterpriseId), ...asked);
    for (const run of resumed.flat() as RunState[]) {
      if (run.status === 'RUNNING') tx.emit({ enterpriseId, topic: 'RUN', kind: 'CLAIMED', runId: run.id });
      tellBlocker(tx, { ...run, status: 'PAUSED', blockClass: PAUSED_BY.spendLimit }, run);
    }
    return found.length;
  });

function told(tx: Tx, before: RunState, run: RunState): void {
  const { enterpriseId, id, status } = run;
  if (status !== 'PENDING') tx.emit({ enterpriseId, topic: 'RUN', kind: status, runId: id });
  tellBlocker(tx, before, run);
}

// The heads of tasks with room, oldest first; each is looked at again under the schedule.
const fitting = statement<Slot, [string, number]>(
  'slots_for_pending_runs',
  `SELECT t."id" AS "taskId", h."memberId" FROM "Enterprise" e
   JOIN "Task" t ON t."enterpriseId" = e."id" AND t."archivedAt" IS NULL
   JOIN "TaskVersion" v ON v."taskId" = t."id" AND v."version" = t."latestVersion"
   CROSS JOIN LATERAL (${headsOfTask('t."id"')}) h
   WHERE e."id" = $1 AND NOT e."draining" AND ${TASK_HAS_ROOM} AND ${memberIsFree('h."memberId"')} ORDER BY h."id" LIMIT $2`,
);

/** Queues pending runs that fit: those that were passed over, or for which a switch made room. */
export async function promoteFitting(kernel: Kernel, enterpriseId: string): Promise<void> {
  for (let made = 0; made < BATCHES; made++) {
    const slots = await kernel.db.query(fitting(enterpriseId, AT_ONCE));
    let promoted = 0;
    for (const slot of slots) {
      promoted += (await kernel.db.transaction((tx) => promotePending(tx, enterpriseId, kernel.now(), [slot]))).length;
    }
    if (promoted === 0) return;
  }
}
