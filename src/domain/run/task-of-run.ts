import { LRUCache } from 'lru-cache';
import { columns } from '../../db/columns.ts';
import type { Queryable } from '../../db/database.ts';
import type { TaskVersion } from '../../db/generated/client.ts';
import { only } from '../../db/only.ts';
import { statement } from '../../db/statement.ts';
import { notFound } from '../../kernel/errors.ts';
import { NAMED_TASK, type TaskName, taskName } from '../task/find.ts';

/** A task with its latest version. */
export interface TaskRow extends TaskVersion {
  slug: string;
  archivedAt: Date | null;
}

const LATEST = `SELECT ${columns('TaskVersion', 'v')}, t."slug", t."archivedAt" FROM "Task" t
  JOIN "TaskVersion" v ON v."taskId" = t."id" AND v."version" = t."latestVersion"`;

const latestNamed = statement<TaskRow, TaskName>('latest_named_task', `${LATEST} WHERE ${NAMED_TASK}`);

const latestOf = statement<TaskRow, [string, string]>('latest_version_of_task', `${LATEST} WHERE t."enterpriseId" = $1 AND t."id" = $2`);

/** The task of this slug or id with its latest version; undefined when the enterprise has none. */
export const latestTask = async (tx: Queryable, enterpriseId: string, slugOrId: string): Promise<TaskRow | undefined> =>
  (await tx.query(latestNamed(...taskName(enterpriseId, slugOrId))))[0];

/** The task of a run of the enterprise, with its latest version. */
export const latestTaskOf = async (tx: Queryable, { enterpriseId, taskId }: { enterpriseId: string; taskId: string }): Promise<TaskRow> =>
  only(await tx.query(latestOf(enterpriseId, taskId)), `task ${taskId}`);

const versionOf = statement<TaskVersion, [string, string]>(
  'version_of_run',
  `SELECT ${columns('TaskVersion', 'v')} FROM "Run" r JOIN "TaskVersion" v ON v."taskId" = r."taskId" AND v."version" = r."taskVersion"
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
