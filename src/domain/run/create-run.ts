import { v7 } from 'uuid';
import type { Queryable, Tx } from '../../db/database.ts';
import { only } from '../../db/only.ts';
import { json, statement } from '../../db/statement.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import { markInFlight } from './issue-mark.ts';
import { type RunState, stateColumns } from './run-row.ts';
import { promotePending } from './schedule.ts';
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

const lockRoles = statement<object, [string, string[]]>(
  'lock_roles',
  `SELECT "id" FROM "Role" WHERE "enterpriseId" = $1 AND "id" = ANY ($2::uuid[]) ORDER BY "id" FOR NO KEY UPDATE`,
);

const pickMember = statement<{ memberId: string }, [string, string]>(
  'pick_member',
  `SELECT h."memberId" FROM "MemberRole" h WHERE h."enterpriseId" = $1 AND h."roleId" = $2
   ORDER BY (SELECT count(*) FROM "Run" WHERE "memberId" = h."memberId" AND "status" IN ('QUEUED', 'RUNNING', 'WAITING'))
          + (SELECT count(*) FROM "Run" WHERE "memberId" = h."memberId" AND "status" = 'PENDING')
          + (SELECT count(*) FROM "Run" WHERE "memberId" = h."memberId" AND "status" = 'PAUSED' AND "blockClass" = 'spend_off'),
     h."memberId" LIMIT 1`,
);

const insertExecution = statement<object, [string, string, string, Date]>(
  'insert_execution',
  `INSERT INTO "Execution" ("id", "enterpriseId", "name", "createdAt") VALUES ($1, $2, $3, $4)`,
);

const insertRun = statement<RunState, unknown[]>(
  'insert_run',
  `INSERT INTO "Run" ("id", "enterpriseId", "taskId", "taskVersion", "executionId", "memberId", "status", "input", "createdAt",
     "finishedAt", "failureCode", "reason", "startKey", "startHash", "retriedFromId", "routedFromId", "chainId")
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) RETURNING ${stateColumns()}`,
);

/**
 * Creates runs of the latest versions of their tasks, all of one enterprise, as pending, or failed where they cannot begin: whoever
 * calls it gives them their slots then, with `promotePending`. The member of each is the holder of the task's role with the least
 * to do; who creates runs for the same role at the same time waits, and sees them.
 */
export async function insertRuns(tx: Tx, now: Date, wanted: NewRun[]): Promise<RunState[]> {
  const roles = wanted.flatMap(({ task }) => roleOf(task) ?? []);
  if (roles.length > 0) await tx.query(lockRoles(wanted[0]!.task.enterpriseId, roles));
  const runs: RunState[] = [];
  for (const one of wanted) runs.push(await insert(tx, now, one));
  return runs;
}

/**
 * Creates a run of the task's latest version: queued when it is the next to get its member and a slot of its task, else pending;
 * paused in place of queued while the enterprise's spending is off; pending while it drains.
 */
export async function createRun(tx: Tx, now: Date, wanted: NewRun): Promise<RunState> {
  const run = only(await insertRuns(tx, now, [wanted]), 'new run');
  if (wanted.failure) return run;
  const promoted = await promotePending(tx, run.enterpriseId, now, [run]);
  return promoted.find(({ id }) => id === run.id) ?? run;
}

async function insert(tx: Tx, now: Date, wanted: NewRun): Promise<RunState> {
  const { task, failure, start, from } = wanted;
  const { enterpriseId } = task;
  const memberId = await memberFor(tx, task);
  const executionId = wanted.executionId ?? v7();
  if (!wanted.executionId) await tx.query(insertExecution(executionId, enterpriseId, task.name, now));
  const inserted = await tx.query(
    insertRun(
      ...[v7(), enterpriseId, task.taskId, task.version, executionId, memberId, failure ? 'FAILED' : 'PENDING', json(wanted.input), now],
      ...[failure ? now : null, failure?.code ?? null, failure?.reason ?? null, start?.key ?? null, start?.hash ?? null],
      ...[from?.by === 'RETRY' ? from.runId : null, from?.by === 'ROUTE' ? from.runId : null, from?.chainId ?? null],
    ),
  );
  const run = only(inserted, 'new run');
  if (failure) tx.emit({ enterpriseId, topic: 'RUN', kind: 'FAILED', runId: run.id });
  else markInFlight(tx, now, run, wanted.input);
  tellBlocker(tx, null, run);
  return run;
}

const roleOf = (task: TaskRow) => (task.osOwned ? null : task.roleId);

async function memberFor(tx: Queryable, task: TaskRow): Promise<string | null> {
  const role = roleOf(task);
  const [picked] = role ? await tx.query(pickMember(task.enterpriseId, role)) : [];
  return picked ? picked.memberId : null; // nobody may hold the role
}
