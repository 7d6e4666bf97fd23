import { audit } from '../../auth/audit.ts';
import type { Tx } from '../../db/database.ts';
import type { RunState } from '../run/run-row.ts';
import { lockStopped } from './lock-stopped.ts';
import { movesOf, requireMove } from './move-rules.ts';
import type { Mover } from './mover.ts';
import { takeOff } from './take-off.ts';

/**
 * Takes a failed, stopped or blocked run off Blockers without starting its work again; a blocked one ends as cancelled.
 * @throws {ToolError} not_found, run_not_on_blockers
 */
export async function clearRun(tx: Tx, now: Date, { by, runId, note }: { by: Mover; runId: string; note: string }): Promise<RunState> {
  const stopped = await lockStopped(tx, by.enterpriseId, runId);
  requireMove(movesOf(stopped, [], false), 'CLEAR');
  const run = await takeOff(tx, now, stopped.run, 'cleared', note);
  await audit(tx, by, { action: 'run.cleared', subjectId: run.id, details: { note, status: run.status }, at: now });
  return run;
}
