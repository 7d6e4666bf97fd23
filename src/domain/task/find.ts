import { validate } from 'uuid';
import type { Queryable } from '../../db/database.ts';
import type { Task } from '../../db/generated/client.ts';
import { statement } from '../../db/statement.ts';
import { SLUG } from './slug.ts';

const bySlug = statement<Task, [string, string]>('find_task_by_slug', `SELECT * FROM "Task" WHERE "enterpriseId" = $1 AND "slug" = $2`);

const byId = statement<Task, [string, string]>('find_task_by_id', `SELECT * FROM "Task" WHERE "enterpriseId" = $1 AND "id" = $2`);

/** The task of this slug or id, archived ones included; undefined when the enterprise has none. A slug goes before an id. */
export async function findTask(db: Queryable, enterpriseId: string, slugOrId: string): Promise<Task | undefined> {
  const [found] = SLUG.test(slugOrId) ? await db.query(bySlug(enterpriseId, slugOrId)) : [];
  if (found || !validate(slugOrId)) return found;
  return (await db.query(byId(enterpriseId, slugOrId)))[0];
}
