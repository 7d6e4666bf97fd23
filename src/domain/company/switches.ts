import type { QueryConfig } from 'pg';
import { audit } from '../../auth/audit.ts';
import { statement } from '../../db/statement.ts';
import { lockSwitches } from '../../db/switch-lock.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { pauseQueued, promoteFitting, queuePaused } from '../run/backlog.ts';

const setSpending = statement<object, [string, boolean]>('set_spending', `UPDATE "Enterprise" SET "spendEnabled" = $2 WHERE "id" = $1`);

const setDrain = statement<object, [string, boolean]>('set_draining', `UPDATE "Enterprise" SET "draining" = $2 WHERE "id" = $1`);

/**
 * Switches an enterprise's spending. Off: nothing is claimed; what is queued, or would be, is paused and keeps its place; running
 * ones go on. On: what was paused by it is queued. With very many runs the sweep does the rest.
 */
export async function setSpend(kernel: Kernel, enterpriseId: string, on: boolean): Promise<void> {
  await switched(kernel, enterpriseId, setSpending(enterpriseId, on), 'enterprise.spend_set', on);
  if (!on) return pauseQueued(kernel, enterpriseId);
  await queuePaused(kernel, enterpriseId);
  await promoteFitting(kernel, enterpriseId);
}

/**
 * Switches draining. On: nothing is claimed or started, successors stay pending. Off: pending runs are queued as they fit, with
 * very many of them the rest by the sweep.
 */
export async function setDraining(kernel: Kernel, enterpriseId: string, on: boolean): Promise<void> {
  await switched(kernel, enterpriseId, setDrain(enterpriseId, on), 'enterprise.draining_set', on);
  if (!on) await promoteFitting(kernel, enterpriseId);
}

/** Only the operator has the switches. */
const switched = (kernel: Kernel, enterpriseId: string, set: QueryConfig, action: string, on: boolean) =>
  kernel.db.transaction(async (tx) => {
    await lockSwitches(tx, enterpriseId);
    await tx.query(set);
    await audit(tx, { operator: true, enterpriseId }, { action, subjectId: enterpriseId, details: { on }, at: kernel.now() });
  });
