import { isDeepStrictEqual } from 'node:util';
import { v7 } from 'uuid';
import { audit, type Operator } from '../../auth/audit.ts';
import { callerNow } from '../../auth/authenticate.ts';
import { type Caller, viaOf } from '../../auth/caller.ts';
import { requireScope } from '../../auth/scopes.ts';
import { columns } from '../../db/columns.ts';
import type { Tx } from '../../db/database.ts';
import type { Task } from '../../db/generated/client.ts';
import { statement } from '../../db/statement.ts';
import { lockSwitches } from '../../db/switch-lock.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { noteMovesChanged, tellMovesChanged } from '../move/tell-moves.ts';
import { resumeOverspent } from '../run/backlog.ts';
import { gateErrors, grantErrors } from './check-gates.ts';
import { referenceErrors, slugErrors } from './check-references.ts';
import { draftTools, toolErrors } from './check-tools.ts';
import { type SaveTaskInput, type TaskDraft, taskDraft } from './save-task-input.ts';
import { type TaskContext, taskContext } from './task-context.ts';
import type { TaskProblem } from './task-problem.ts';
import { taskWarnings } from './task-warnings.ts';

export type { SaveTaskInput } from './save-task-input.ts';
export type { TaskProblem } from './task-problem.ts';

/** What became of a save: the task is null when nothing was saved. */
export interface SavedTask {
  task: Task | null;
  errors: TaskProblem[];
  warnings: TaskProblem[];
}

/**
 * Creates the task with this slug, or adds a version to it; with `validateOnly` it answers what that would meet.
 * Everything that speaks against the save is answered at once, as data.
 * @throws {ToolError} scope_missing, not_allowed; invalid_arguments for what cannot be read as a task
 */
export async function saveTask(kernel: Kernel, caller: Caller, input: SaveTaskInput): Promise<SavedTask> {
  requireScope(caller, 'tasks:write');
  const draft = taskDraft(input);
  const saved = await kernel.db.transaction((tx) => storeTask(tx, kernel, caller, draft));
  if (!saved.task) return saved;
  const task = { enterpriseId: caller.enterpriseId, taskId: saved.task.id };
  await resumeOverspent(kernel, task);
  await tellMovesChanged(kernel, task);
  return saved;
}

/** Saves a draft in the transaction of whoever may: what `saveTask` does once its caller is let in. */
export async function storeTask(tx: Tx, kernel: Kernel, by: Caller | Operator, draft: TaskDraft): Promise<SavedTask> {
  if (!draft.validateOnly) await lockSwitches(tx, by.enterpriseId);
  if (!('operator' in by)) requireScope(await callerNow(tx, kernel, by), 'tasks:write');
  const context = await taskContext(tx, by.enterpriseId, draft);
  const { errors, warnings } = findings(kernel, draft, context);
  if (errors.length > 0 || draft.validateOnly) return { task: null, errors, warnings };
  const task = await nextTask(tx, kernel, by.enterpriseId, draft, context);
  if (!task) return storeTask(tx, kernel, by, draft); // another writer created it first: now it is there
  await writeVersion(tx, kernel, task, by, draft, context);
  await tellWhatChanged(tx, draft, context);
  return { task, errors, warnings };
}

function findings({ registry }: Kernel, draft: TaskDraft, context: TaskContext) {
  const tools = draftTools(registry, draft);
  const isClone = Boolean(context.task ? context.task.clonedFromId : context.clonedFromId);
  const beyond = new Set(draft.problems.map(({ field }) => field));
  const others = [
    ...slugErrors(draft, context),
    ...toolErrors(registry, draft, tools),
    ...gateErrors(draft, tools),
    ...referenceErrors(draft, context),
    ...grantErrors(draft, tools),
  ];
  return {
    errors: [...draft.problems, ...others.filter(({ field }) => !beyond.has(field))],
    warnings: taskWarnings(draft, tools, isClone),
  };
}

const insertTask = statement<Task, [string, string, string, string | null, Date]>(
  'insert_task',
  `INSERT INTO "Task" ("id", "enterpriseId", "slug", "latestVersion", "clonedFromId", "createdAt") VALUES ($1, $2, $3, 1, $4, $5)
   ON CONFLICT ("enterpriseId", "slug") DO NOTHING RETURNING ${columns('Task')}`,
);

const advanceTask = statement<Task, [string, string]>(
  'advance_task',
  `UPDATE "Task" SET "latestVersion" = "latestVersion" + 1 WHERE "enterpriseId" = $1 AND "id" = $2 RETURNING ${columns('Task')}`,
);

async function nextTask(tx: Tx, kernel: Kernel, enterpriseId: string, { slug }: TaskDraft, { task, clonedFromId }: TaskContext) {
  const next = task ? advanceTask(enterpriseId, task.id) : insertTask(v7(), enterpriseId, slug, clonedFromId, kernel.now());
  return (await tx.query(next))[0];
}

async function writeVersion(tx: Tx, kernel: Kernel, task: Task, by: Caller | Operator, draft: TaskDraft, context: TaskContext) {
  const { id: taskId, enterpriseId, slug, latestVersion: version } = task;
  const { teamId, roleId } = context;
  const at = kernel.now();
  await tx.prisma.taskVersion.create({
    data: { ...contentOf(draft), taskId, enterpriseId, version, teamId, roleId, createdAt: at, createdBy: nameOf(by) },
  });
  await audit(tx, by, { action: 'task.saved', subjectId: taskId, details: { slug, version }, at });
}

function nameOf(by: Caller | Operator): string {
  if ('operator' in by) return 'operator';
  return by.kind === 'SESSION' && by.person ? by.person.name : viaOf(by);
}

function contentOf(draft: TaskDraft) {
  const { name, goal, metric, guardrails, osOwned, tools, gates, successors } = draft;
  const { contextPrefixes, inputFields, spendLimitCents, modelTier, maxConcurrency, memoryGrants } = draft;
  const work = { name, goal, metric, guardrails, osOwned, tools, gates, successors };
  return { ...work, contextPrefixes, inputFields, spendLimitCents, modelTier, maxConcurrency, memoryGrants };
}

/** What stands on Blockers may have other moves. */
async function tellWhatChanged(tx: Tx, draft: TaskDraft, { task, latest: before }: TaskContext) {
  if (!task || !before) return;
  const isSame = isDeepStrictEqual([before.successors, before.inputFields], [draft.successors, draft.inputFields]);
  if (!isSame) await noteMovesChanged(tx, task);
}
