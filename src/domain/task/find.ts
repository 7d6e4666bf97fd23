import { validate } from 'uuid';
import { columns } from '../../db/columns.ts';
import type { Queryable } from '../../db/database.ts';
import type { Task } from '../../db/generated/client.ts';
import { statement } from '../../db/statement.ts';
import { SLUG } from './slug.ts';

/** The parameters of a statement that finds a task by its name: enterprise, slug and id. What the name cannot be is null. */
export type TaskName = [enterpriseId: string, slug: string | null, id: string | null];

/** The one of "Task" t that a `TaskName` names: a slug goes before an id. It ends its statement. */
export const NAMED_TASK = `t."enterpriseId" = $1 AND (t."slug" = $2 OR t."id" = $3) ORDER BY t."slug" = $2 DESC LIMIT 1`;

export const taskName = (enterpriseId: string, slugOrId: string): TaskName => [
  enterpriseId,
  SLUG.test(slugOrId) ? slugOrId : null,
  validate(slugOrId) ? slugOrId : null,
];

const find = statement<Task, TaskName>('find_task', `SELECT ${columns('Task', 't')} FROM "Task" t WHERE ${NAMED_TASK}`);

/** The task of this slug or id, archived ones included; undefined when the enterprise has none. */
export const findTask = async (db: Queryable, enterpriseId: string, slugOrId: string): Promise<Task | undefined> =>
  (await db.query(find(...taskName(enterpriseId, slugOrId))))[0];
