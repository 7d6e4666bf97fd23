import type { Prisma } from '../../db/database.ts';
import type { TaskVersion } from '../../db/generated/client.ts';
import { notFound } from '../../kernel/errors.ts';
import { type PatchOperation, patchOf } from '../../kernel/json-patch.ts';
import { findTask } from './find.ts';

/** What a version says, without what it is: its task, number, time, author and size. */
function said({ taskId: _, enterpriseId: __, version: ___, createdAt: ____, createdBy: _____, bytes: ______, ...definition }: TaskVersion) {
  return definition;
}

/**
 * What changed from one version of a task to another, as an RFC 6902 patch of the definition; empty: nothing.
 * @throws {ToolError} not_found for a task or version that the enterprise lacks
 */
export async function versionDifference(
  db: Parameters<typeof findTask>[0] & { prisma: Prisma },
  enterpriseId: string,
  { task: slugOrId, from, to }: { task: string; from: number; to: number },
): Promise<PatchOperation[]> {
  const task = await findTask(db, enterpriseId, slugOrId);
  if (!task) throw notFound('task', slugOrId);
  const versions = await db.prisma.taskVersion.findMany({ where: { enterpriseId, taskId: task.id, version: { in: [from, to] } } });
  const [before, after] = [from, to].map((number) => {
    const version = versions.find((candidate) => candidate.version === number);
    if (!version) throw notFound(`version of ${task.slug} with the number`, String(number));
    return said(version);
  });
  return patchOf(before, after);
}
