import type { Queryable } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { STANDS_ON_BLOCKERS, STOPPED_SINCE } from './stopped.ts';

/** A pipeline that went no further: the outcome of its last run is one that its task names no successor for. */
export interface StoppedPipeline {
  runId: string;
  executionId: string;
  /** The slug. */
  task: string;
  outcome: string;
  since: Date;
}

const OF_BLOCKERS = `"Run" r WHERE r."enterpriseId" = $1 AND r."stopped" AND r."status" = 'FINISHED' AND ${STANDS_ON_BLOCKERS}`;

const select = statement<StoppedPipeline, [enterpriseId: string, most: number | null, skip: number]>(
  'stopped_pipelines',
  `WITH shown AS MATERIALIZED (
     SELECT r."id", r."executionId", r."taskId", r."outcome", ${STOPPED_SINCE} AS "since" FROM ${OF_BLOCKERS} ORDER BY "since", "id" LIMIT $2 OFFSET $3
   )
   SELECT k."id" AS "runId", k."executionId", t."slug" AS "task", k."outcome", k."since"
   FROM shown k JOIN "Task" t ON t."id" = k."taskId" ORDER BY k."since", k."id"`,
);

const count = statement<{ total: number }, [string]>('stopped_pipelines_total', `SELECT count(*)::int AS "total" FROM ${OF_BLOCKERS}`);

/** The stopped pipelines, longest stopped first: `most` of them behind the first `skip`; null: all. */
export const stoppedPipelines = (db: Queryable, enterpriseId: string, most: number | null, skip = 0): Promise<StoppedPipeline[]> =>
  db.query(select(enterpriseId, most, skip));

/** How many pipelines have stopped. */
export const stoppedPipelinesTotal = async (db: Queryable, enterpriseId: string): Promise<number> =>
  (await db.query(count(enterpriseId)))[0]!.total;
