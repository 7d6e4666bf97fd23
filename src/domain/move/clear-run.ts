import type { Tx } from '../../db/database.ts';
import type { RunState } from '../run/run-row.ts';
import { lockStopped } from './lock-stopped.ts';
import { movesOf, requireMove } from './move-rules.ts';
import { takeOff } from './take-off.ts';

/**
 * Takes a failed, stopped or blocked run off Blockers without starting its work again; a blocked one ends as cancelled.
 * @throws {ToolError} not_found, run_not_on_blockers
 */
export async function clearRun(tx: Tx, now: Date, asked: { enterpriseId: string; runId: string; note: string }): Promise<RunState> {
  const stopped = await lockStopped(tx, asked.enterpriseId, asked.runId);
  requireMove(movesOf(stopped, [], false), 'CLEAR');
  return takeOff(tx, now, stopped.run, 'cleared', asked.note);
}
