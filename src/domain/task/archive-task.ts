import { audit } from '../../auth/audit.ts';
import { callerNow } from '../../auth/authenticate.ts';
import type { Caller } from '../../auth/caller.ts';
import { requireScope } from '../../auth/scopes.ts';
import { columns } from '../../db/columns.ts';
import type { Task } from '../../db/generated/client.ts';
import { statement } from '../../db/statement.ts';
import { lockSwitches } from '../../db/switch-lock.ts';
import { notFound } from '../../kernel/errors.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { noteMovesChanged, tellMovesChanged } from '../move/tell-moves.ts';
import { failArchived } from '../run/backlog.ts';
import { findTask } from './find.ts';

const archive = statement<Task, [string, string, Date]>(
  'archive_task',
  `UPDATE "Task" SET "archivedAt" = $3 WHERE "enterpriseId" = $1 AND "id" = $2 AND "archivedAt" IS NULL RETURNING ${columns('Task')}`,
);

/**
 * Archives a task: no run of it starts or is claimed any more, those that wait for a worker fail (with very many of them the rest by
 * the sweep), and its slug stays taken. Archiving it again answers it as it is.
 * @throws {ToolError} scope_missing, not_allowed, not_found
 */
export async function archiveTask(kernel: Kernel, caller: Caller, { id }: { id: string }): Promise<Task> {
  requireScope(caller, 'tasks:write');
  const { enterpriseId } = caller;
  const archived = await kernel.db.transaction(async (tx) => {
    await lockSwitches(tx, enterpriseId);
    requireScope(await callerNow(tx, kernel, caller), 'tasks:write');
    const task = await findTask(tx, enterpriseId, id);
    if (!task) throw notFound('task', id);
    const at = kernel.now();
    const [archived] = await tx.query(archive(enterpriseId, task.id, at));
    if (!archived) return task;
    await audit(tx, caller, { action: 'task.archived', subjectId: task.id, details: { slug: task.slug }, at });
    await noteMovesChanged(tx, task);
    return archived;
  });
  await tellMovesChanged(kernel, { enterpriseId, taskId: archived.id });
  await failArchived(kernel, { enterpriseId, taskId: archived.id });
  return archived;
}
