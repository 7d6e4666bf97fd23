import { audit } from '../../auth/audit.ts';
import { columns } from '../../db/columns.ts';
import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import type { RunRow } from '../run/run-row.ts';
import { lockSchedule } from '../run/run-statements.ts';
import { PAUSED_BY, promotePending } from '../run/schedule.ts';

const setSpending = statement<object, [string, boolean]>('set_spending', `UPDATE "Enterprise" SET "spendEnabled" = $2 WHERE "id" = $1`);

const setDrain = statement<object, [string, boolean]>('set_draining', `UPDATE "Enterprise" SET "draining" = $2 WHERE "id" = $1`);

const pauseQueued = statement<RunRow, [string, string, Date]>(
  'pause_queued_runs',
  `UPDATE "Run" SET "status" = 'PAUSED', "blockClass" = $2, "queuedAt" = NULL, "haltedAt" = $3
   WHERE "enterpriseId" = $1 AND "status" = 'QUEUED' RETURNING ${columns('Run')}`,
);

const unpause = statement<RunRow, [string, string]>(
  'unpause_runs',
  `UPDATE "Run" SET "status" = 'PENDING', "blockClass" = NULL, "haltedAt" = NULL
   WHERE "enterpriseId" = $1 AND "status" = 'PAUSED' AND "blockClass" = $2 RETURNING ${columns('Run')}`,
);

/** Switches an enterprise's spending. Off: queued runs are paused, running ones go on. On: what was paused by it is queued as it fits. */
export async function setSpend(kernel: Kernel, enterpriseId: string, on: boolean): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    await tx.query(setSpending(enterpriseId, on));
    await told(tx, kernel, enterpriseId, 'enterprise.spend_set', on);
    if (on) {
      await lockSchedule(tx, enterpriseId);
      const resumed = await tx.query(unpause(enterpriseId, PAUSED_BY.spendOff));
      for (const run of resumed) tellBlocker(tx, { ...run, status: 'PAUSED' }, run);
      return promotePending(tx, enterpriseId, kernel.now());
    }
    const paused = await tx.query(pauseQueued(enterpriseId, PAUSED_BY.spendOff, kernel.now()));
    for (const run of paused) {
      tx.emit({ enterpriseId, topic: 'RUN', kind: 'PAUSED', runId: run.id });
      tellBlocker(tx, { ...run, status: 'QUEUED' }, run);
    }
  });
}

/** Switches draining. On: nothing is claimed or started, successors stay pending. Off: pending runs are queued as they fit. */
export async function setDraining(kernel: Kernel, enterpriseId: string, on: boolean): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    await tx.query(setDrain(enterpriseId, on));
    await told(tx, kernel, enterpriseId, 'enterprise.draining_set', on);
    if (!on) await promotePending(tx, enterpriseId, kernel.now());
  });
}

/** Only the operator has the switches. */
const told = (tx: Tx, { now }: Kernel, enterpriseId: string, action: string, on: boolean) =>
  audit(tx, { operator: true, enterpriseId }, { action, subjectId: enterpriseId, details: { on }, at: now() });
