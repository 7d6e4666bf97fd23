import { z } from 'zod';
import { callerNow } from '../../auth/authenticate.ts';
import type { Caller } from '../../auth/caller.ts';
import { requireScope } from '../../auth/scopes.ts';
import { only } from '../../db/only.ts';
import { statement } from '../../db/statement.ts';
import { lockKey } from '../../db/switch-lock.ts';
import { notFound, ToolError } from '../../kernel/errors.ts';
import { hashOf } from '../../kernel/hash.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { parseInput } from '../../kernel/parse-input.ts';
import { startProblem } from '../task/start-problem.ts';
import { createRun } from './create-run.ts';
import { type RunState, stateColumns } from './run-row.ts';
import { latestTask } from './task-of-run.ts';

const StartRun = z.strictObject({
  task: z.string().min(1).max(200),
  input: z.record(z.string(), z.unknown()).nullish(),
  idempotencyKey: z.string().min(1).max(200).nullish(),
});

const byStartKey = statement<RunState, [string, string]>(
  'run_by_start_key',
  `SELECT ${stateColumns()} FROM "Run" WHERE "enterpriseId" = $1 AND "startKey" = $2`,
);

const draining = statement<{ draining: boolean }, [string]>('is_draining', `SELECT "draining" FROM "Enterprise" WHERE "id" = $1`);

/**
 * Starts a run of a task, in an execution of its own. The same idempotency key with the same content answers the run of
 * the first start. Scope `runs:write`.
 * @throws {ToolError} not_found, task_archived, task_input_invalid {missing, invalid}, os_draining, idempotency_key_reused
 */
export async function startRun(kernel: Kernel, caller: Caller, raw: unknown): Promise<RunState> {
  requireScope(caller, 'runs:write');
  const { task: slugOrId, input: given, idempotencyKey: key } = parseInput(StartRun, raw);
  const input = given ?? {};
  const { enterpriseId } = caller;
  return kernel.db.transaction(async (tx) => {
    requireScope(await callerNow(tx, kernel, caller), 'runs:write');
    const task = await latestTask(tx, enterpriseId, slugOrId);
    if (!task) throw notFound('task', slugOrId);
    const hash = hashOf({ task: task.taskId, input });
    if (key) await lockKey(tx, enterpriseId, `start ${key}`);
    const [known] = key ? await tx.query(byStartKey(enterpriseId, key)) : [];
    if (known) return sameStart(known, hash, key!);
    const problem = startProblem(task, input);
    if (problem) throw problem;
    if (only(await tx.query(draining(enterpriseId)), `enterprise ${enterpriseId}`).draining) {
      throw new ToolError('os_draining', 'The enterprise is draining: no run starts until the operator switches it back.');
    }
    return createRun(tx, kernel.now(), { task, input, executionId: null, ...(key && { start: { key, hash } }) });
  });
}

function sameStart(known: RunState, hash: string, key: string): RunState {
  if (known.startHash === hash) return known;
  throw new ToolError(
    'idempotency_key_reused',
    `The key ${JSON.stringify(key)} started run ${known.id} with other content. Use a new key for a new run.`,
  );
}
