import { columns } from '../../db/columns.ts';
import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import type { RunRow } from './run-row.ts';
import { lockSchedule } from './run-statements.ts';

/** Why a run is paused: the enterprise's spending is off, or the run spent more than its task allows. */
export const PAUSED_BY = { spendOff: 'spend_off', spendLimit: 'spend_limit' } as const;

interface Room {
  spendEnabled: boolean;
  draining: boolean;
  /** Whether the member is free and the task has a slot left. */
  fits: boolean;
}

const room = statement<Room, [string, string, string | null]>(
  'room_for_run',
  `SELECT e."spendEnabled", e."draining",
     (SELECT count(*) FROM "Run" WHERE "taskId" = t."id" AND "status" IN ('QUEUED', 'RUNNING', 'WAITING')) < v."maxConcurrency"
     AND NOT EXISTS (SELECT FROM "Run" WHERE "memberId" = $3::uuid AND "status" IN ('QUEUED', 'RUNNING', 'WAITING')) AS "fits"
   FROM "Enterprise" e
   JOIN "Task" t ON t."enterpriseId" = e."id" AND t."id" = $2
   JOIN "TaskVersion" v ON v."taskId" = t."id" AND v."version" = t."latestVersion"
   WHERE e."id" = $1`,
);

/** How the enterprise and the slots of (task, member) stand. Only under `lockSchedule`. */
export const roomFor = async (tx: Tx, enterpriseId: string, taskId: string, memberId: string | null): Promise<Room> =>
  (await tx.query(room(enterpriseId, taskId, memberId)))[0]!;

const promoteOne = statement<RunRow, [string, string | null, string | null, Date]>(
  'promote_pending_run',
  `WITH next AS (
     SELECT r."id" FROM "Run" r
     JOIN "Enterprise" e ON e."id" = r."enterpriseId" AND NOT e."draining"
     JOIN "Task" t ON t."id" = r."taskId"
     JOIN "TaskVersion" v ON v."taskId" = t."id" AND v."version" = t."latestVersion"
     WHERE r."enterpriseId" = $1 AND r."status" = 'PENDING' AND ($2::uuid IS NULL OR r."taskId" = $2::uuid OR r."memberId" = $3::uuid)
       AND NOT EXISTS (SELECT FROM "Run" a WHERE a."memberId" = r."memberId" AND a."status" IN ('QUEUED', 'RUNNING', 'WAITING'))
       AND (SELECT count(*) FROM "Run" a WHERE a."taskId" = r."taskId" AND a."status" IN ('QUEUED', 'RUNNING', 'WAITING')) < v."maxConcurrency"
     ORDER BY r."id" LIMIT 1 FOR NO KEY UPDATE OF r SKIP LOCKED
   )
   UPDATE "Run" r SET
     "status" = CASE WHEN e."spendEnabled" THEN 'QUEUED' ELSE 'PAUSED' END::"RunStatus",
     "queuedAt" = CASE WHEN e."spendEnabled" THEN $4::timestamptz END,
     "blockClass" = CASE WHEN e."spendEnabled" THEN NULL ELSE 'spend_off' END,
     "haltedAt" = CASE WHEN e."spendEnabled" THEN NULL ELSE $4::timestamptz END
   FROM next, "Enterprise" e WHERE r."id" = next."id" AND e."id" = $1
   RETURNING ${columns('Run', 'r')}`,
);

/**
 * A slot became free, of `freed` or anywhere: the oldest pending runs that fit are queued, each told as an event.
 * A pending run that another transaction holds is passed over; the sweep looks again.
 */
export async function promotePending(tx: Tx, enterpriseId: string, now: Date, freed?: { taskId: string; memberId: string | null }) {
  await lockSchedule(tx, enterpriseId);
  for (;;) {
    const [run] = await tx.query(promoteOne(enterpriseId, freed?.taskId ?? null, freed?.memberId ?? null, now));
    if (!run) return;
    tx.emit({ enterpriseId, topic: 'RUN', kind: run.status, runId: run.id });
    tellBlocker(tx, { ...run, status: 'PENDING' }, run);
  }
}
