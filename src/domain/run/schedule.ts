import type { Tx } from '../../db/database.ts';
import { only } from '../../db/only.ts';
import { statement } from '../../db/statement.ts';
import { holdingSwitches } from '../../db/switch-lock.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import { type RunState, stateColumns } from './run-row.ts';
import { lockingSchedule } from './run-statements.ts';

/** What a run needs to be active: its member, if it has one, and one of the slots of its task. */
export interface Slot {
  taskId: string;
  memberId: string | null;
}

const ACTIVE = `a."status" IN ('QUEUED', 'RUNNING', 'WAITING')`;
const PAUSED = `a."status" = 'PAUSED' AND a."blockClass" = 'spend_off'`;

// Written apart, each as its partial index is, and so that a plan looks up one member after another: not all that is active anywhere.
/** SQL: the member has nothing to do. Null is nobody, who is always free. */
export const memberIsFree = (member: string) => `(SELECT a."id" FROM "Run" a WHERE a."memberId" = ${member} AND ${ACTIVE} LIMIT 1) IS NULL
  AND (SELECT a."id" FROM "Run" a WHERE a."memberId" = ${member} AND ${PAUSED} LIMIT 1) IS NULL`;

/** SQL: "Task" t has a slot left by its latest version, "TaskVersion" v. */
export const TASK_HAS_ROOM = `(SELECT count(*) FROM "Run" a WHERE a."taskId" = t."id" AND ${ACTIVE})
  + (SELECT count(*) FROM "Run" a WHERE a."enterpriseId" = t."enterpriseId" AND a."taskId" = t."id" AND ${PAUSED}) < v."maxConcurrency"`;

/** SQL: whether the task takes one more run of the enterprise $1; null where it takes none at all. */
const hasRoom = (task: string) => `(SELECT ${TASK_HAS_ROOM} FROM "Task" t
     JOIN "TaskVersion" v ON v."taskId" = t."id" AND v."version" = t."latestVersion"
     WHERE t."enterpriseId" = $1 AND t."id" = ${task} AND t."archivedAt" IS NULL)`;

// Descending, as only the index is that holds nothing but pending runs: every other one would be walked through the whole history.
const oldestOf = (one: string, of: string, other: string, beyond: string) =>
  `(SELECT r."${other}", r."id" FROM "Run" r WHERE r."${one}" = ${of} AND r."status" = 'PENDING' AND r."${other}" ${beyond}
    ORDER BY r."${other}" DESC, r."id" LIMIT 1)`;

// It jumps from one `other` to the next, however many runs wait behind each head.
const heads = (one: string, of: string, other: string) => `WITH RECURSIVE head AS (
     ${oldestOf(one, of, other, 'IS NOT NULL')}
     UNION ALL SELECT n.* FROM head CROSS JOIN LATERAL ${oldestOf(one, of, other, `< head."${other}"`)} n
   ) SELECT "${other}", "id" FROM head`;

/** SQL: of the task's pending runs the oldest of each member and of nobody: "memberId", "id". */
export const headsOfTask = (task: string) =>
  `${heads('taskId', task, 'memberId')} UNION ALL ${oldestOf('taskId', task, 'memberId', 'IS NULL')}`;

const promote = statement<RunState, [string, string, string | null, Date]>(
  'promote_pending_run',
  `WITH fitting AS MATERIALIZED (
     SELECT h."id" FROM (${headsOfTask('$2::uuid')}) h WHERE ${hasRoom('$2::uuid')} AND ${memberIsFree('h."memberId"')}
     UNION SELECT h."id" FROM (${heads('memberId', '$3::uuid', 'taskId')}) h WHERE ${memberIsFree('$3::uuid')} AND ${hasRoom('h."taskId"')}
   ), next AS (
     SELECT r."id" FROM (SELECT "id" FROM fitting ORDER BY "id" OFFSET 0) f CROSS JOIN LATERAL (
       SELECT "id" FROM "Run" WHERE "enterpriseId" = $1 AND "id" = f."id" AND "status" = 'PENDING' FOR NO KEY UPDATE SKIP LOCKED
     ) r WHERE NOT (SELECT "draining" FROM "Enterprise" WHERE "id" = $1) LIMIT 1
   )
   UPDATE "Run" r SET "queuedAt" = $4::timestamptz,
     "status" = CASE WHEN e."spendEnabled" THEN 'QUEUED' ELSE 'PAUSED' END::"RunStatus",
     "blockClass" = CASE WHEN e."spendEnabled" THEN NULL ELSE 'spend_off' END,
     "haltedAt" = CASE WHEN e."spendEnabled" THEN NULL ELSE $4::timestamptz END
   FROM next, "Enterprise" e WHERE r."id" = next."id" AND e."id" = $1
   RETURNING ${stateColumns('r')}`,
);

/**
 * For each slot that may be free, the oldest pending run of its task or its member that fits is queued, or paused while the
 * enterprise's spending is off, and told as an event. Answers those runs. A pending run that another transaction holds is passed
 * over; the sweep looks again. The transaction holds the schedule from here on, so it has little left to do.
 */
export async function promotePending(tx: Tx, enterpriseId: string, now: Date, slots: Slot[]): Promise<RunState[]> {
  if (slots.length === 0) return [];
  const asked = slots.map(({ taskId, memberId }) => promote(enterpriseId, taskId, memberId, now));
  const [, counter, ...promoted] = await tx.together(holdingSwitches(enterpriseId), lockingSchedule(enterpriseId), ...asked);
  only(counter!, `event counter of enterprise ${enterpriseId}`);
  const runs = promoted.flat() as RunState[];
  for (const run of runs) {
    tx.emit({ enterpriseId, topic: 'RUN', kind: run.status, runId: run.id });
    tellBlocker(tx, { ...run, status: 'PENDING' }, run);
  }
  return runs;
}
