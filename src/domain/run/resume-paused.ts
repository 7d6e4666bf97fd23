import { columns } from '../../db/columns.ts';
import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { after, type Kernel } from '../../kernel/kernel.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import type { RunRow } from './run-row.ts';
import { lockSchedule } from './run-statements.ts';
import { PAUSED_BY, promotePending, roomFor } from './schedule.ts';

const overspent = statement<RunRow, [string, string, number | null, string]>(
  'overspent_runs',
  `SELECT ${columns('Run')} FROM "Run"
   WHERE "enterpriseId" = $1 AND "taskId" = $2 AND "status" = 'PAUSED' AND "blockClass" = $4 AND ($3::int IS NULL OR "spentCents" <= $3)
   ORDER BY "id" FOR NO KEY UPDATE`,
);

const goOn = statement<RunRow, [string, Date]>(
  'run_goes_on',
  `UPDATE "Run" SET "status" = 'RUNNING', "leaseExpiresAt" = $2, "blockClass" = NULL, "reason" = NULL, "haltedAt" = NULL WHERE "id" = $1 RETURNING ${columns('Run')}`,
);

const wait = statement<RunRow, [string]>(
  'run_waits_again',
  `UPDATE "Run" SET "status" = 'PENDING', "blockClass" = NULL, "reason" = NULL, "haltedAt" = NULL WHERE "id" = $1 RETURNING ${columns('Run')}`,
);

/**
 * The task's spend limit was raised (null: lifted): its runs paused by the old one run on under their worker, with a full
 * lease; one whose slot was taken meanwhile waits as pending and is claimed anew.
 */
export async function resumePaused(
  tx: Tx,
  kernel: Kernel,
  task: { enterpriseId: string; taskId: string },
  limit: number | null,
): Promise<void> {
  const { enterpriseId, taskId } = task;
  const runs = await tx.query(overspent(enterpriseId, taskId, limit, PAUSED_BY.spendLimit));
  if (runs.length === 0) return;
  await lockSchedule(tx, enterpriseId);
  for (const run of runs) {
    const { fits } = await roomFor(tx, enterpriseId, taskId, run.memberId);
    const [resumed] = await tx.query(fits ? goOn(run.id, after(kernel.now(), kernel.timing.runLease)) : wait(run.id));
    if (fits) tx.emit({ enterpriseId, topic: 'RUN', kind: 'CLAIMED', runId: run.id });
    tellBlocker(tx, run, resumed!);
  }
  await promotePending(tx, enterpriseId, kernel.now(), { taskId, memberId: null });
}
