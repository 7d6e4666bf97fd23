import type { Tx } from '../../db/database.ts';
import type { RunStatus } from '../../db/generated/enums.ts';
import { only } from '../../db/only.ts';
import { json, statement } from '../../db/statement.ts';
import { holdSwitches } from '../../db/switch-lock.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import { withoutContext } from '../context/run-context.ts';
import { cancelGates } from '../gate/cancel-gates.ts';
import { checkInput } from '../task/input-fields.ts';
import { insertRuns, type NewRun } from './create-run.ts';
import { ISSUE_FIELDS, markIssue } from './issue-mark.ts';
import { holdsSlot, type RunState, stateColumns } from './run-row.ts';
import { contentOf } from './run-statements.ts';
import { promotePending } from './schedule.ts';
import { latestTask, type Successor, successorsOf, versionOfRun } from './task-of-run.ts';

/** How a run leaves its work: for good, or as blocked or paused. */
export interface RunEnd {
  status: Extract<RunStatus, 'FINISHED' | 'FAILED' | 'CANCELLED' | 'BLOCKED' | 'PAUSED'>;
  outcome?: string;
  output?: Record<string, unknown>;
  failureCode?: string;
  reason?: string | null;
  blockClass?: string;
  spentCents?: number;
}

type Values = [
  string,
  string,
  RunStatus,
  string | null,
  unknown,
  string | null,
  string | null,
  string | null,
  number | null,
  boolean,
  Date | null,
  Date | null,
];

const update = statement<RunState & { issue: unknown }, Values>(
  'end_run',
  `UPDATE "Run" SET "status" = $3, "outcome" = $4, "output" = $5, "failureCode" = $6, "reason" = $7, "blockClass" = $8,
     "spentCents" = coalesce($9, "spentCents"), "stopped" = $10, "finishedAt" = $11, "leaseExpiresAt" = NULL, "stalledAt" = NULL,
     "haltedAt" = $12
   WHERE "enterpriseId" = $1 AND "id" = $2 RETURNING ${stateColumns()}, ${ISSUE_FIELDS} AS "issue"`,
);

/**
 * Takes a locked run out of its work: its open gate is cancelled, its slot goes to the oldest pending run that fits,
 * and on FINISHED the successors of the outcome start. Tells it as an event.
 */
export async function endRun(tx: Tx, now: Date, run: RunState, end: RunEnd): Promise<RunState> {
  const { enterpriseId } = run;
  await cancelGates(tx, now, run);
  const successors = end.status === 'FINISHED' ? successorsOf(await versionOfRun(tx, enterpriseId, run.id)) : [];
  const next = successors.filter(({ outcome }) => outcome === end.outcome);
  const stopped = successors.length > 0 && next.length === 0;
  const over = end.status !== 'BLOCKED' && end.status !== 'PAUSED';
  const updated = await tx.query(
    update(
      ...([enterpriseId, run.id, end.status, end.outcome ?? null, end.output ? json(end.output) : null] as const),
      ...([end.failureCode ?? null, end.reason ?? null, end.blockClass ?? null, end.spentCents ?? null, stopped] as const),
      ...([over ? now : null, over ? null : now] as const),
    ),
  );
  const { issue, ...ended } = only(updated, `run ${run.id}`);
  tx.emit({ enterpriseId, topic: 'RUN', kind: end.status, runId: run.id });
  tellBlocker(tx, run, ended);
  if (end.status !== 'PAUSED') markIssue(tx, now, run, issue, over ? 'IDLE' : 'BLOCKED');
  const started = next.length > 0 ? await insertSuccessors(tx, now, ended, end.output ?? {}, next) : [];
  // The freed slot twice: one run may take the member, another the place in the task.
  await promotePending(tx, enterpriseId, now, [...started, ...(holdsSlot(run) ? [run, run] : [])]);
  return ended;
}

/** The successor's input is the run's output merged over its input. One that cannot start is created as failed. Answers the others. */
async function insertSuccessors(tx: Tx, now: Date, run: RunState, output: Record<string, unknown>, next: Successor[]) {
  await holdSwitches(tx, run.enterpriseId); // a task that is archived meanwhile is archived before or after
  const input = { ...(await ownInput(tx, run)), ...output };
  const wanted: NewRun[] = [];
  for (const { task: slug } of next) {
    const task = await latestTask(tx, run.enterpriseId, slug);
    if (!task) continue; // saving refuses unknown successors and tasks are never deleted
    const failure = failureOf(task, input);
    wanted.push({ task, input, executionId: run.executionId, ...(failure && { failure }) });
  }
  return (await insertRuns(tx, now, wanted)).filter(({ status }) => status === 'PENDING');
}

/** What the run was started with: what the shared context added is read anew by each run. */
async function ownInput(tx: Tx, run: RunState): Promise<Record<string, unknown>> {
  const { contextPrefixes } = await versionOfRun(tx, run.enterpriseId, run.id);
  const input = (await contentOf(tx, run)).input as Record<string, unknown>;
  return contextPrefixes.length > 0 ? withoutContext(input) : input;
}

function failureOf(task: { archivedAt: Date | null; slug: string; inputFields: unknown }, input: Record<string, unknown>) {
  if (task.archivedAt) return { code: 'task_archived', reason: `The task ${task.slug} is archived.` };
  const { missing, invalid } = checkInput(task.inputFields as never, input);
  if (missing.length + invalid.length === 0) return undefined;
  const told = [missing.length > 0 && `lacks ${missing.join(', ')}`, invalid.length > 0 && `has an unfit ${invalid.join(', ')}`];
  return { code: 'task_input_invalid', reason: `The input of ${task.slug} ${told.filter(Boolean).join(' and ')}.` };
}
