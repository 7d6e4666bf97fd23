import { statement } from '../../db/statement.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { lockSchedule } from '../run/run-statements.ts';
import { PAUSED_BY, promotePending } from '../run/schedule.ts';

const setSpending = statement<object, [string, boolean]>('set_spending', `UPDATE "Enterprise" SET "spendEnabled" = $2 WHERE "id" = $1`);

const setDrain = statement<object, [string, boolean]>('set_draining', `UPDATE "Enterprise" SET "draining" = $2 WHERE "id" = $1`);

const pauseQueued = statement<{ id: string }, [string, string]>(
  'pause_queued_runs',
  `UPDATE "Run" SET "status" = 'PAUSED', "blockClass" = $2, "queuedAt" = NULL WHERE "enterpriseId" = $1 AND "status" = 'QUEUED' RETURNING "id"`,
);

const unpause = statement<object, [string, string]>(
  'unpause_runs',
  `UPDATE "Run" SET "status" = 'PENDING', "blockClass" = NULL WHERE "enterpriseId" = $1 AND "status" = 'PAUSED' AND "blockClass" = $2`,
);

/** Switches an enterprise's spending. Off: queued runs are paused, running ones go on. On: what was paused by it is queued as it fits. */
export async function setSpend(kernel: Kernel, enterpriseId: string, on: boolean): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    await tx.query(setSpending(enterpriseId, on));
    if (on) {
      await lockSchedule(tx, enterpriseId);
      await tx.query(unpause(enterpriseId, PAUSED_BY.spendOff));
      return promotePending(tx, enterpriseId, kernel.now());
    }
    const paused = await tx.query(pauseQueued(enterpriseId, PAUSED_BY.spendOff));
    for (const { id } of paused) tx.emit({ enterpriseId, topic: 'RUN', kind: 'PAUSED', runId: id });
  });
}

/** Switches draining. On: nothing is claimed or started, successors stay pending. Off: pending runs are queued as they fit. */
export async function setDraining(kernel: Kernel, enterpriseId: string, on: boolean): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    await tx.query(setDrain(enterpriseId, on));
    if (!on) await promotePending(tx, enterpriseId, kernel.now());
  });
}
