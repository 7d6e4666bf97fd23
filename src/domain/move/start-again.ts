import { audit } from '../../auth/audit.ts';
import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { holdSwitches } from '../../db/switch-lock.ts';
import type { StoppedRun } from '../blocker/stopped-runs.ts';
import { withoutContext } from '../context/run-context.ts';
import { createRun } from '../run/create-run.ts';
import type { RunState } from '../run/run-row.ts';
import { latestTask, latestTaskOf, versionOfRun } from '../run/task-of-run.ts';
import { lockStopped } from './lock-stopped.ts';
import { movesOf, requireMove, requireTarget } from './move-rules.ts';
import { isRun, type Mover } from './mover.ts';
import { pipelineTasks } from './pipeline.ts';
import { takeOff } from './take-off.ts';
import { unknownOutcomes } from './unknown-outcomes.ts';

/** A retry, or with `task` (a slug) a route. Those of runs count in their chain, and are limited there. */
export interface StartAgain {
  by: Mover;
  runId: string;
  task?: string;
  note: string;
}

/** What came of it: the stopped run, the run that takes its work on, and how many of the chain's moves are used. */
export interface StartedAgain {
  stopped: StoppedRun;
  run: RunState;
  taskRetries: number;
}

const countMove = statement<object, [string, string]>(
  'count_task_move',
  `UPDATE "Run" SET "taskMoves" = "taskMoves" + 1 WHERE "enterpriseId" = $1 AND "id" = $2`,
);

/**
 * Starts a stopped run's work again: the same task in its latest version, or another task of the pipeline. The input and the
 * execution are the stopped run's, which leaves Blockers.
 * @throws {ToolError} not_found, run_not_on_blockers, retry_limit_reached, task_not_in_pipeline, task_archived, task_input_invalid
 */
export async function startAgain(tx: Tx, now: Date, asked: StartAgain): Promise<StartedAgain> {
  const { by, runId, note, task: slug } = asked;
  const { enterpriseId } = by;
  const limited = isRun(by);
  const kind = slug === undefined ? 'RETRY' : 'ROUTE';
  const stopped = await lockStopped(tx, enterpriseId, runId);
  const { chainId, run: old } = stopped;
  await holdSwitches(tx, enterpriseId);
  const tasks = (await pipelineTasks(tx, enterpriseId, [old.id])).get(old.id)!;
  const moves = movesOf(stopped, tasks, limited);
  if (slug === undefined) requireMove(moves, 'RETRY');
  else requireRoute(stopped, tasks, moves, slug);
  const task = slug === undefined ? await latestTaskOf(tx, old) : (await latestTask(tx, enterpriseId, slug))!;
  const input = await inputAgain(tx, stopped, kind === 'ROUTE' ? note : null);
  if (limited) await tx.query(countMove(enterpriseId, chainId));
  await takeOff(tx, now, old, 'moved on', note);
  const run = await createRun(tx, now, { task, input, executionId: old.executionId, from: { by: kind, runId: old.id, chainId } });
  const details = slug === undefined ? { note, retryRunId: run.id } : { note, task: slug, routedRunId: run.id };
  await audit(tx, by, { action: slug === undefined ? 'run.retried' : 'run.routed', subjectId: old.id, details, at: now });
  return { stopped, run, taskRetries: stopped.taskRetries + (limited ? 1 : 0) };
}

/** What speaks against any route comes first, then what speaks against this target. */
function requireRoute(stopped: StoppedRun, tasks: Parameters<typeof requireTarget>[1], moves: ReturnType<typeof movesOf>, slug: string) {
  const refusal = moves.find(({ kind }) => kind === 'ROUTE')!.refusal;
  if (refusal && refusal.code !== 'task_not_in_pipeline') throw refusal;
  requireTarget(stopped, tasks, slug);
}

/** The input of the stopped run, with what the new one has to know. Shared context is added anew when that is handed out. */
async function inputAgain(tx: Tx, { run, task }: StoppedRun, routeNote: string | null): Promise<Record<string, unknown>> {
  const { contextPrefixes } = await versionOfRun(tx, run.enterpriseId, run.id);
  const given = run.input as Record<string, unknown>;
  const input = contextPrefixes.length > 0 ? withoutContext(given) : given;
  const before = Array.isArray(input.unknownOutcomes) ? input.unknownOutcomes : [];
  const unknown = await unknownOutcomes(tx, run.id);
  return {
    ...input,
    ...(unknown.length > 0 && { unknownOutcomes: [...before, ...unknown] }),
    ...(routeNote !== null && { routedFrom: { runId: run.id, task: task.slug, note: routeNote } }),
  };
}
