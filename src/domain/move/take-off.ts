import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import { endRun } from '../run/end-run.ts';
import { type RunState, stateColumns } from '../run/run-row.ts';

type Values = [enterpriseId: string, id: string, clearedAt: Date | null, movedOnAt: Date | null, note: string];

const settle = statement<RunState, Values>(
  'settle_stopped_run',
  `UPDATE "Run" SET "clearedAt" = $3, "movedOnAt" = $4, "moveNote" = $5 WHERE "enterpriseId" = $1 AND "id" = $2 RETURNING ${stateColumns()}`,
);

/**
 * Takes a locked stopped run off Blockers: as cleared, or because its work goes on in another run. A blocked one ends as
 * cancelled and keeps what blocked it on record; others keep their status.
 */
export async function takeOff(tx: Tx, now: Date, run: RunState, how: 'cleared' | 'moved on', note: string): Promise<RunState> {
  const { reason, blockClass } = run;
  const before =
    run.status === 'BLOCKED' ? await endRun(tx, now, run, { status: 'CANCELLED', reason, ...(blockClass && { blockClass }) }) : run;
  const cleared = how === 'cleared';
  const [after] = await tx.query(settle(run.enterpriseId, run.id, cleared ? now : null, cleared ? null : now, note));
  tellBlocker(tx, before, after!);
  return after!;
}
