import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { STANDS_ON_BLOCKERS, tellBlockerChanged } from '../blocker/stopped.ts';
import { type RunState, stateColumns } from '../run/run-row.ts';
import { pipelineTasks } from './pipeline.ts';

const selectStopped = statement<RunState, [string]>(
  'runs_on_blockers',
  `SELECT ${stateColumns('r')} FROM "Run" r WHERE r."enterpriseId" = $1 AND ${STANDS_ON_BLOCKERS} ORDER BY r."id"`,
);

/** Announces that a task can take other work on than before: every run on Blockers that has it in its pipeline has other moves. */
export async function tellMovesChanged(tx: Tx, enterpriseId: string, slug: string): Promise<void> {
  const stopped = await tx.query(selectStopped(enterpriseId));
  const ids = stopped.map(({ id }) => id);
  const pipelines = await pipelineTasks(tx, enterpriseId, ids);
  for (const run of stopped) if (pipelines.get(run.id)!.some((task) => task.slug === slug)) tellBlockerChanged(tx, run);
}
