import { LRUCache } from 'lru-cache';
import { validate } from 'uuid';
import type { Queryable } from '../../db/database.ts';
import type { TaskVersion } from '../../db/generated/client.ts';
import { statement } from '../../db/statement.ts';
import { notFound } from '../../kernel/errors.ts';

/** A task with its latest version. */
export interface TaskRow extends TaskVersion {
  slug: string;
  archivedAt: Date | null;
}

const latest = (name: string, which: string) =>
  statement<TaskRow, [string, string]>(
    name,
    `SELECT v.*, t."slug", t."archivedAt" FROM "Task" t
     JOIN "TaskVersion" v ON v."taskId" = t."id" AND v."version" = t."latestVersion" WHERE t."enterpriseId" = $1 AND ${which}`,
  );

const bySlug = latest('latest_task_by_slug', 't."slug" = $2');
const byId = latest('latest_task_by_id', 't."id" = $2');

/** The task of this slug or id with its latest version; undefined when the enterprise has none. */
export async function latestTask(tx: Queryable, enterpriseId: string, slugOrId: string): Promise<TaskRow | undefined> {
  const [found] = validate(slugOrId) ? await tx.query(byId(enterpriseId, slugOrId)) : [];
  return found ?? (await tx.query(bySlug(enterpriseId, slugOrId)))[0];
}

const limitNow = statement<{ cents: number | null }, [string]>(
  'spend_limit_now',
  `SELECT v."spendLimitCents" AS "cents" FROM "Task" t JOIN "TaskVersion" v ON v."taskId" = t."id" AND v."version" = t."latestVersion"
   WHERE t."id" = $1 FOR SHARE OF t`,
);

/** What a run of the task may spend, in cents; null: any amount. Whoever is saving a new limit is waited for. */
export const spendLimitOf = async (tx: Queryable, taskId: string): Promise<number | null> =>
  (await tx.query(limitNow(taskId)))[0]?.cents ?? null;

const versionOf = statement<TaskVersion, [string, string]>(
  'version_of_run',
  `SELECT v.* FROM "Run" r JOIN "TaskVersion" v ON v."taskId" = r."taskId" AND v."version" = r."taskVersion"
   WHERE r."enterpriseId" = $1 AND r."id" = $2`,
);

const versions = new LRUCache<string, TaskVersion>({ max: 5_000 });

/** The task version that a run runs: it never changes, so each process reads it once. @throws {ToolError} not_found */
export async function versionOfRun(db: Queryable, enterpriseId: string, runId: string): Promise<TaskVersion> {
  const known = versions.get(runId);
  const found = known ?? (await db.query(versionOf(enterpriseId, runId)))[0];
  if (!found || found.enterpriseId !== enterpriseId) throw notFound('run', runId);
  if (!known) versions.set(runId, found);
  return found;
}

/** One task that follows an outcome. */
export interface Successor {
  outcome: string;
  task: string;
}

/** The successors of a version, as they were saved. */
export const successorsOf = (version: TaskVersion) => version.successors as unknown as Successor[];
