import { validate } from 'uuid';
import { columns } from '../../db/columns.ts';
import type { Queryable } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { RunRow } from '../run/run-row.ts';
import { type BlockerSection, reasonOf, STANDS_ON_BLOCKERS, STOPPED_SINCE, sectionsOf } from './stopped.ts';

/** Somebody or something by id and name. */
export interface Named {
  id: string;
  name: string;
}

/** A run on Blockers, with what is known around it. */
export interface StoppedRun {
  run: RunRow;
  sections: BlockerSection[];
  reason: string | null;
  since: Date;
  /** The first run of its chain of retries and routes; that may be itself. */
  chainId: string;
  /** How many retries and routes runs have made in that chain. */
  taskRetries: number;
  task: Named & { slug: string };
  executionName: string;
  team: (Named & { slug: string }) | null;
  /** Who is asked first: the team's lead, failing that the COO. */
  lead: Named | null;
  ceo: Named | null;
  assignee: Named | null;
  escalatedTo: Named | null;
}

type Row = RunRow & {
  since: Date;
  taskRetries: number;
  slug: string;
  taskName: string;
  executionName: string;
  team: StoppedRun['team'];
  lead: Named | null;
  ceo: Named | null;
  assignee: Named | null;
  escalated: Named | null;
};

// Looked up apart: a dozen joins would take longer to plan than to make.
const NAMED = (from: string, which: string) =>
  `(SELECT jsonb_build_object('id', n."id", 'name', n."name") FROM "${from}" n WHERE ${which})`;

/** `shown`: SQL that answers runs of $1 and since when each has stopped. None is joined to all runs: a plan takes it for many rows. */
const SELECT = (shown: string) => `WITH coo AS (
    SELECT h."memberId" FROM "MemberRole" h JOIN "Role" o ON o."id" = h."roleId"
    WHERE o."enterpriseId" = $1 AND o."slug" = 'coo' ORDER BY h."memberId" LIMIT 1
  ), ceo AS (
    SELECT "id", "name" FROM "Person" WHERE "enterpriseId" = $1 AND "isCeo" AND "removedAt" IS NULL
  ), ${shown}
  SELECT ${columns('Run', 'r')}, r."since", t."slug", v."name" AS "taskName",
    (SELECT first."taskMoves" FROM "Run" first WHERE first."id" = coalesce(r."chainId", r."id")) AS "taskRetries",
    (SELECT x."name" FROM "Execution" x WHERE x."id" = r."executionId") AS "executionName",
    CASE WHEN team."id" IS NOT NULL THEN jsonb_build_object('id', team."id", 'name', team."name", 'slug', team."slug") END AS "team",
    ${NAMED('Member', 'n."id" = coalesce(team."leadId", (SELECT "memberId" FROM coo))')} AS "lead",
    (SELECT jsonb_build_object('id', ceo."id", 'name', ceo."name") FROM ceo) AS "ceo",
    ${NAMED('Member', 'n."id" = r."memberId"')} AS "assignee",
    coalesce(${NAMED('Member', 'n."id" = r."escalatedMemberId"')}, ${NAMED('Person', 'n."id" = r."escalatedPersonId"')}) AS "escalated"
  FROM shown r JOIN "Task" t ON t."id" = r."taskId"
  JOIN "TaskVersion" v ON v."taskId" = r."taskId" AND v."version" = r."taskVersion"
  LEFT JOIN "Team" team ON team."id" = v."teamId"
  ORDER BY r."since", r."id"`;

const ON_THE_LIST = `SELECT ${columns('Run', 'r')}, ${STOPPED_SINCE} AS "since" FROM "Run" r WHERE r."enterpriseId" = $1 AND ${STANDS_ON_BLOCKERS}`;

const selectPage = statement<Row, [enterpriseId: string, pageSize: number, skip: number]>(
  'stopped_runs',
  SELECT(`listed AS MATERIALIZED (${ON_THE_LIST}), shown AS (
    SELECT * FROM listed WHERE "status" <> 'FAILED'
    UNION ALL (SELECT * FROM listed WHERE "status" = 'FAILED' ORDER BY "since", "id" LIMIT $2 OFFSET $3)
  )`),
);

const selectSome = statement<Row, [enterpriseId: string, ids: string[]]>(
  'stopped_runs_by_id',
  SELECT(`shown AS (${ON_THE_LIST} AND r."id" = ANY ($2::uuid[]))`),
);

const countFailed = statement<{ total: number }, [string]>(
  'failed_runs_total',
  `SELECT count(*)::int AS "total" FROM "Run" r WHERE r."enterpriseId" = $1 AND r."status" = 'FAILED' AND ${STANDS_ON_BLOCKERS}`,
);

/** Every stopped run, longest stopped first; of failed ones the page (from 1) of this size. Each run stands there once. */
export async function stoppedRuns(db: Queryable, enterpriseId: string, page: number, pageSize: number): Promise<StoppedRun[]> {
  return (await db.query(selectPage(enterpriseId, pageSize, (page - 1) * pageSize))).map(stoppedRun);
}

/** How many failed runs stand on Blockers, whatever the page. */
export const failedTotal = async (db: Queryable, enterpriseId: string): Promise<number> =>
  (await db.query(countFailed(enterpriseId)))[0]!.total;

/** The stopped runs among these; those that are not on Blockers are left out. */
export async function stoppedAmong(db: Queryable, enterpriseId: string, runIds: string[]): Promise<StoppedRun[]> {
  const ids = runIds.filter((id) => validate(id));
  return ids.length > 0 ? (await db.query(selectSome(enterpriseId, ids))).map(stoppedRun) : [];
}

function stoppedRun(row: Row): StoppedRun {
  const { since, taskRetries, slug, taskName, executionName, team, lead, ceo, assignee, escalated, ...run } = row;
  return {
    ...{ run, since, taskRetries, executionName, team, lead, ceo, assignee },
    sections: sectionsOf(run),
    reason: reasonOf(run),
    chainId: run.chainId ?? run.id,
    task: { id: run.taskId, slug, name: taskName },
    escalatedTo: escalated,
  };
}
