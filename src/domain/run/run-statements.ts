import { validate } from 'uuid';
import type { Queryable } from '../../db/database.ts';
import { only } from '../../db/only.ts';
import { statement } from '../../db/statement.ts';
import { notFound } from '../../kernel/errors.ts';
import { type RunRow, type RunState, stateColumns } from './run-row.ts';

const lock = statement<RunState, [string, string]>(
  'lock_run',
  `SELECT ${stateColumns()} FROM "Run" WHERE "enterpriseId" = $1 AND "id" = $2 FOR NO KEY UPDATE`,
);

/** The run, locked: the first lock that a transaction on a run, its calls or its gates takes. @throws {ToolError} not_found */
export async function lockRun(tx: Queryable, enterpriseId: string, id: string): Promise<RunState> {
  const [run] = validate(id) ? await tx.query(lock(enterpriseId, id)) : [];
  if (!run) throw notFound('run', id);
  return run;
}

const selectContent = statement<Pick<RunRow, 'input' | 'output'>, [string, string]>(
  'run_content',
  `SELECT "input", "output" FROM "Run" WHERE "enterpriseId" = $1 AND "id" = $2`,
);

/** What the run was given and what it made. */
export const contentOf = async (db: Queryable, { enterpriseId, id }: Pick<RunRow, 'enterpriseId' | 'id'>) =>
  only(await db.query(selectContent(enterpriseId, id)), `run ${id}`);

const executing = statement<{ id: string }, [string]>(
  'run_has_executing_call',
  `SELECT "id" FROM "ToolCall" WHERE "runId" = $1 AND "leaseExpiresAt" IS NOT NULL LIMIT 1`,
);

/** Whether a call of the run is still executing. */
export const hasCallInProgress = async (tx: Queryable, runId: string) => (await tx.query(executing(runId))).length > 0;

const openGate = statement<{ id: string }, [string]>(
  'open_gate_of_run',
  `SELECT "id" FROM "Gate" WHERE "runId" = $1 AND "status" = 'WAITING' LIMIT 1`,
);

/** The gate that the run waits on; null while an approved call ends the run. */
export const openGateOf = async (tx: Queryable, runId: string) => (await tx.query(openGate(runId)))[0]?.id ?? null;

/**
 * The statement from which on, to the end of the transaction, this enterprise's slots (one active run a member, `maxConcurrency`
 * a task) and its marks of issues are ours to look at and take. It locks the row that numbers the events, so it is the last lock
 * that any transaction takes; it goes out in one write with all that is done under it, so that nobody waits for our network.
 */
export const lockingSchedule = statement<{ last: string }, [enterpriseId: string]>(
  'lock_schedule',
  `SELECT "last" FROM "EventCounter" WHERE "enterpriseId" = $1 FOR UPDATE`,
);
