import { validate } from 'uuid';
import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { notFound, ToolError } from '../../kernel/errors.ts';
import { type StoppedRun, stoppedWhole } from '../blocker/stopped-runs.ts';
import { lockRun } from '../run/run-statements.ts';

const chainOf = statement<{ chainId: string | null }, [string, string]>(
  'chain_of_run',
  `SELECT "chainId" FROM "Run" WHERE "enterpriseId" = $1 AND "id" = $2`,
);

const LOOK = 'os.list_blockers lists the runs that can be moved, each with its `runId`.';

/**
 * The stopped run, locked, and before it the first run of its chain, whose row counts the moves of all.
 * @throws {ToolError} not_found, run_not_on_blockers {status}
 */
export async function lockStopped(tx: Tx, enterpriseId: string, runId: string): Promise<StoppedRun> {
  const [found] = validate(runId) ? await tx.query(chainOf(enterpriseId, runId)) : [];
  if (!found) throw notFound('run', runId, LOOK);
  if (found.chainId) await lockRun(tx, enterpriseId, found.chainId);
  const run = await lockRun(tx, enterpriseId, runId);
  const stopped = await stoppedWhole(tx, enterpriseId, run.id);
  if (stopped) return stopped;
  const done = run.clearedAt ? 'was cleared' : run.movedOnAt ? 'was retried or routed' : `is ${run.status.toLowerCase()}`;
  throw new ToolError('run_not_on_blockers', `The run ${run.id} ${done}: it does not stand on Blockers. ${LOOK}`, { status: run.status });
}
