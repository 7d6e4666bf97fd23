import { columns } from '../../db/columns.ts';
import type { Tx } from '../../db/database.ts';
import type { RunStatus } from '../../db/generated/enums.ts';
import { json, statement } from '../../db/statement.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import { cancelGates } from '../gate/cancel-gates.ts';
import { checkInput } from '../task/input-fields.ts';
import { createRun } from './create-run.ts';
import { markIssue } from './issue-mark.ts';
import { ACTIVE, type RunRow } from './run-row.ts';
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

const update = statement<RunRow, Values>(
  'end_run',
  `UPDATE "Run" SET "status" = $3, "outcome" = $4, "output" = $5, "failureCode" = $6, "reason" = $7, "blockClass" = $8,
     "spentCents" = coalesce($9, "spentCents"), "stopped" = $10, "finishedAt" = $11, "leaseExpiresAt" = NULL, "stalledAt" = NULL,
     "haltedAt" = $12
   WHERE "enterpriseId" = $1 AND "id" = $2 RETURNING ${columns('Run')}`,
);

/**
 * Takes a locked run out of its work: its open gate is cancelled, its slot goes to the oldest pending run that fits,
 * and on FINISHED the successors of the outcome start. Tells it as an event.
 */
export async function endRun(tx: Tx, now: Date, run: RunRow, end: RunEnd): Promise<RunRow> {
  const { enterpriseId } = run;
  await cancelGates(tx, now, run);
  const successors = end.status === 'FINISHED' ? successorsOf(await versionOfRun(tx, enterpriseId, run.id)) : [];
  const next = successors.filter(({ outcome }) => outcome === end.outcome);
  const stopped = successors.length > 0 && next.length === 0;
  const over = end.status !== 'BLOCKED' && end.status !== 'PAUSED';
  const [ended] = await tx.query(
    update(
      ...([enterpriseId, run.id, end.status, end.outcome ?? null, end.output ? json(end.output) : null] as const),
      ...([end.failureCode ?? null, end.reason ?? null, end.blockClass ?? null, end.spentCents ?? null, stopped] as const),
      ...([over ? now : null, over ? null : now] as const),
    ),
  );
  tx.emit({ enterpriseId, topic: 'RUN', kind: end.status, runId: run.id });
  tellBlocker(tx, run, ended!);
  if (end.status !== 'PAUSED') await markIssue(tx, now, run, over ? 'IDLE' : 'BLOCKED');
  for (const successor of next) await startSuccessor(tx, now, ended!, successor);
  if (ACTIVE.includes(run.status)) await promotePending(tx, enterpriseId, now, run);
  return ended!;
}

/** The successor's input is the run's output merged over its input. One that cannot start is created as failed. */
async function startSuccessor(tx: Tx, now: Date, run: RunRow, { task: slug }: Successor) {
  const task = await latestTask(tx, run.enterpriseId, slug);
  if (!task) return; // saving refuses unknown successors and tasks are never deleted
  const input = { ...(await ownInput(tx, run)), ...(run.output as Record<string, unknown>) };
  const failure = failureOf(task, input);
  await createRun(tx, now, { task, input, executionId: run.executionId, ...(failure && { failure }) });
}

/** What the run was started with: what the shared context added is read anew by each run. */
async function ownInput(tx: Tx, run: RunRow): Promise<Record<string, unknown>> {
  const { contextPrefixes } = await versionOfRun(tx, run.enterpriseId, run.id);
  const { context: _, ...own } = run.input as Record<string, unknown>;
  return contextPrefixes.length > 0 ? own : (run.input as Record<string, unknown>);
}

function failureOf(task: { archivedAt: Date | null; slug: string; inputFields: unknown }, input: Record<string, unknown>) {
  if (task.archivedAt) return { code: 'task_archived', reason: `The task ${task.slug} is archived.` };
  const { missing, invalid } = checkInput(task.inputFields as never, input);
  if (missing.length + invalid.length === 0) return undefined;
  const told = [missing.length > 0 && `lacks ${missing.join(', ')}`, invalid.length > 0 && `has an unfit ${invalid.join(', ')}`];
  return { code: 'task_input_invalid', reason: `The input of ${task.slug} ${told.filter(Boolean).join(' and ')}.` };
}
