import { v7 } from 'uuid';
import { columns } from '../../db/columns.ts';
import type { Tx } from '../../db/database.ts';
import type { RunStatus } from '../../db/generated/enums.ts';
import { json, statement } from '../../db/statement.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import { markInFlight } from './issue-mark.ts';
import type { RunRow } from './run-row.ts';
import { lockSchedule } from './run-statements.ts';
import { PAUSED_BY, roomFor } from './schedule.ts';
import type { TaskRow } from './task-of-run.ts';

/** A run to be. */
export interface NewRun {
  task: TaskRow;
  input: Record<string, unknown>;
  /** Null: the run begins an execution of its own, which has the task's name. */
  executionId: string | null;
  /** Why the run cannot even begin: it is created as failed, so that it shows on Blockers. */
  failure?: { code: string; reason: string };
  start?: { key: string; hash: string };
  /** The stopped run whose work it takes on, and the first run of that one's chain. */
  from?: { by: 'RETRY' | 'ROUTE'; runId: string; chainId: string };
}

const pickMember = statement<{ memberId: string }, [string, string]>(
  'pick_member',
  `SELECT h."memberId" FROM "MemberRole" h WHERE h."enterpriseId" = $1 AND h."roleId" = $2
   ORDER BY (SELECT count(*) FROM "Run" WHERE "memberId" = h."memberId" AND "status" IN ('QUEUED', 'RUNNING', 'WAITING'))
          + (SELECT count(*) FROM "Run" WHERE "memberId" = h."memberId" AND "status" = 'PENDING'), h."memberId" LIMIT 1`,
);

const insertExecution = statement<object, [string, string, string, Date]>(
  'insert_execution',
  `INSERT INTO "Execution" ("id", "enterpriseId", "name", "createdAt") VALUES ($1, $2, $3, $4)`,
);

const insertRun = statement<RunRow, unknown[]>(
  'insert_run',
  `INSERT INTO "Run" ("id", "enterpriseId", "taskId", "taskVersion", "executionId", "memberId", "status", "input", "createdAt",
     "queuedAt", "finishedAt", "failureCode", "reason", "blockClass", "startKey", "startHash",
     "haltedAt", "retriedFromId", "routedFromId", "chainId")
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) RETURNING ${columns('Run')}`,
);

/**
 * Creates a run of the task's latest version: queued when its member and task have room, else pending; paused while the
 * enterprise's spending is off; pending while it drains. The member is the holder of the task's role with the least to do.
 */
export async function createRun(tx: Tx, now: Date, wanted: NewRun): Promise<RunRow> {
  const { task, failure, start, from } = wanted;
  const enterpriseId = task.enterpriseId;
  await lockSchedule(tx, enterpriseId);
  const memberId = await memberFor(tx, task);
  const status = failure ? 'FAILED' : await firstStatus(tx, task, memberId);
  const executionId = wanted.executionId ?? v7();
  if (!wanted.executionId) await tx.query(insertExecution(executionId, enterpriseId, task.name, now));
  const queuedAt = status === 'QUEUED' ? now : null;
  const blockClass = status === 'PAUSED' ? PAUSED_BY.spendOff : null;
  const [run] = await tx.query(
    insertRun(
      ...[v7(), enterpriseId, task.taskId, task.version, executionId, memberId, status, json(wanted.input), now, queuedAt],
      ...[failure ? now : null, failure?.code ?? null, failure?.reason ?? null, blockClass, start?.key ?? null, start?.hash ?? null],
      ...[status === 'PAUSED' ? now : null, from?.by === 'RETRY' ? from.runId : null, from?.by === 'ROUTE' ? from.runId : null],
      from?.chainId ?? null,
    ),
  );
  if (status !== 'PENDING') tx.emit({ enterpriseId, topic: 'RUN', kind: status, runId: run!.id });
  tellBlocker(tx, null, run!);
  if (!failure) await markInFlight(tx, now, run!);
  return run!;
}

async function memberFor(tx: Tx, task: TaskRow): Promise<string | null> {
  if (task.osOwned || !task.roleId) return null;
  return (await tx.query(pickMember(task.enterpriseId, task.roleId)))[0]?.memberId ?? null;
}

async function firstStatus(tx: Tx, task: TaskRow, memberId: string | null): Promise<RunStatus> {
  const room = await roomFor(tx, task.enterpriseId, task.taskId, memberId);
  if (room.draining || !room.fits) return 'PENDING';
  return room.spendEnabled ? 'QUEUED' : 'PAUSED';
}
