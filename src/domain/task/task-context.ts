import { validate } from 'uuid';
import { columns } from '../../db/columns.ts';
import type { Prisma, Tx } from '../../db/database.ts';
import type { Task, TaskVersion } from '../../db/generated/client.ts';
import { statement } from '../../db/statement.ts';
import { findTask } from './find.ts';
import type { TaskDraft } from './save-task-input.ts';

/** What the enterprise holds of what a draft names. Null: it names none, or none was found. */
export interface TaskContext {
  /** The task with the draft's slug, locked: its next version is ours to add. */
  task: Task | null;
  /** Its latest version. */
  latest: TaskVersion | null;
  teamId: string | null;
  roleId: string | null;
  /** The member whom the draft names in place of a role. */
  memberName: string | null;
  successorSlugs: string[];
  clonedFromId: string | null;
}

// NO KEY UPDATE: runs of the task are created meanwhile, and only another save or an archiving waits.
const lockTask = statement<Task, [string, string]>(
  'lock_task',
  `SELECT ${columns('Task')} FROM "Task" WHERE "enterpriseId" = $1 AND "slug" = $2 FOR NO KEY UPDATE`,
);

/** Locks the task with the draft's slug, if there is one, and looks up whatever else the draft names. */
export async function taskContext(tx: Tx, enterpriseId: string, draft: TaskDraft): Promise<TaskContext> {
  const { prisma } = tx;
  const [task] = await tx.query(lockTask(enterpriseId, draft.slug));
  const latest = task && { taskId: task.id, version: task.latestVersion };
  const role = draft.role ? await prisma.role.findFirst({ where: named(enterpriseId, draft.role) }) : null;
  return {
    task: task ?? null,
    latest: latest ? await prisma.taskVersion.findFirstOrThrow({ where: { enterpriseId, ...latest } }) : null,
    teamId: draft.team ? ((await prisma.team.findFirst({ where: named(enterpriseId, draft.team) }))?.id ?? null) : null,
    roleId: role?.id ?? null,
    memberName: draft.role && !role ? await memberNamed(prisma, enterpriseId, draft.role) : null,
    successorSlugs: await knownSlugs(prisma, enterpriseId, draft),
    clonedFromId: draft.clonedFrom ? ((await findTask(tx, enterpriseId, draft.clonedFrom))?.id ?? null) : null,
  };
}

/** By id where the text is one, else by slug. */
const named = (enterpriseId: string, slugOrId: string) => ({
  enterpriseId,
  ...(validate(slugOrId) ? { id: slugOrId } : { slug: slugOrId }),
});

async function memberNamed(prisma: Prisma, enterpriseId: string, text: string): Promise<string | null> {
  const ways = [{ name: text }, { email: text.toLowerCase() }, ...(validate(text) ? [{ id: text }] : [])];
  return (await prisma.member.findFirst({ where: { enterpriseId, OR: ways } }))?.name ?? null;
}

async function knownSlugs(prisma: Prisma, enterpriseId: string, { slug, successors }: TaskDraft): Promise<string[]> {
  const slugs = [...new Set(successors.map(({ task }) => task))];
  const found =
    slugs.length > 0 ? await prisma.task.findMany({ where: { enterpriseId, slug: { in: slugs } }, select: { slug: true } }) : [];
  return [slug, ...found.map((task) => task.slug)];
}
