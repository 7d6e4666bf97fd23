import { quoted } from '../../kernel/shown.ts';
import type { TaskDraft } from './save-task-input.ts';
import { SLUG } from './slug.ts';
import type { TaskContext } from './task-context.ts';
import type { TaskProblem } from './task-problem.ts';

/** What is wrong with the draft's slug and with the version that it builds on. */
export function slugErrors({ slug, expectedVersion }: TaskDraft, { task }: TaskContext): TaskProblem[] {
  if (!SLUG.test(slug)) {
    const allowed = 'A slug is 1 to 64 of a-z, 0-9 and "-", and begins with a letter or a digit.';
    return [{ code: 'slug_invalid', field: 'slug', message: `${quoted(slug)} is no slug. ${allowed}` }];
  }
  const version = task?.latestVersion ?? 0;
  if (task?.archivedAt) return [{ code: 'slug_taken', field: 'slug', message: `The slug ${quoted(slug)} belongs to an archived task.` }];
  if (expectedVersion === null || expectedVersion === version) return [];
  const details = { version };
  if (expectedVersion === 0) {
    const message = `There is a task ${quoted(slug)} already, at version ${version}: choose another slug, or save its next version.`;
    return [{ code: 'slug_taken', field: 'slug', message, details }];
  }
  const now = task ? `is at version ${version}` : 'does not exist';
  const message = `The task ${quoted(slug)} ${now}, not at version ${expectedVersion}: read it again before you save.`;
  return [{ code: 'version_conflict', field: 'expectedVersion', message, details }];
}

/** What the draft names that the enterprise lacks. */
export function referenceErrors(draft: TaskDraft, context: TaskContext): TaskProblem[] {
  const problems: TaskProblem[] = [];
  if (draft.team && !context.teamId) {
    problems.push({ code: 'team_unknown', field: 'team', message: `There is no team ${quoted(draft.team)}: give a slug or an id.` });
  }
  if (draft.role && !context.roleId) problems.push(roleError(draft.role, context.memberName));
  return [...problems, ...successorErrors(draft, context), ...cloneErrors(draft, context)];
}

function roleError(role: string, memberName: string | null): TaskProblem {
  if (!memberName) return { code: 'role_unknown', field: 'role', message: `There is no role ${quoted(role)}: give a slug or an id.` };
  const message = `${memberName} is a member. A task is done by whoever holds its role, never by a named member: name a role.`;
  return { code: 'task_member_pinned', field: 'role', message };
}

const successorErrors = ({ successors }: TaskDraft, { successorSlugs }: TaskContext): TaskProblem[] =>
  successors.flatMap(({ task }, index) => {
    if (successorSlugs.includes(task)) return [];
    const message = `There is no task ${quoted(task)} to follow: name the slug of a task of this enterprise, or this task's own.`;
    return [{ code: 'successor_unknown', field: `successors[${index}].task`, message, details: { task } }];
  });

/** Being a clone is settled when the task is made: its memory rules depend on it. */
function cloneErrors({ clonedFrom }: TaskDraft, { task, clonedFromId }: TaskContext): TaskProblem[] {
  if (!clonedFrom) return [];
  if (!clonedFromId) return [{ code: 'not_found', field: 'clonedFrom', message: `There is no task ${quoted(clonedFrom)} to clone.` }];
  if (!task || task.clonedFromId === clonedFromId) return [];
  const message = `The task ${quoted(task.slug)} was not made as a clone of ${quoted(clonedFrom)}, and that cannot change: leave clonedFrom out.`;
  return [{ code: 'invalid_arguments', field: 'clonedFrom', message }];
}
