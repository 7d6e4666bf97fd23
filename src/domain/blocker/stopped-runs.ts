import { validate } from 'uuid';
import { columns } from '../../db/columns.ts';
import type { Queryable } from '../../db/database.ts';
import { only } from '../../db/only.ts';
import { statement } from '../../db/statement.ts';
import { requireFit } from '../../kernel/errors.ts';
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

/** The columns of the run `k` of a list; `OFFSET 0` keeps a plan from reading all runs for a few. */
const RUN_OF = (selected: string) => `CROSS JOIN LATERAL (SELECT ${selected} FROM "Run" x WHERE x."id" = k."id" OFFSET 0) r`;

const WHOLE = columns('Run', 'x');

/** Of the input what a run is told of it, of the output nothing: both may be large, and only little of them can be handed over. */
const BRIEF = WHOLE.replace('x."output"', 'NULL::jsonb AS "output"').replace(
  'x."input"',
  `(SELECT coalesce(jsonb_object_agg(e."key", CASE jsonb_typeof(e."value") WHEN 'string' THEN to_jsonb(left(e."value" #>> '{}', 200)) ELSE e."value" END), '{}')
    FROM jsonb_each(CASE jsonb_typeof(x."input") WHEN 'object' THEN x."input" ELSE '{}' END) e WHERE e."key" IN ('repo', 'issue', 'number', 'pr') AND jsonb_typeof(e."value") IN ('string', 'number')) AS "input"`,
);

/** Of the input what tells whether it fits a task's fields, whose types are all that is looked at; of the output nothing. */
const SHAPE = WHOLE.replace('x."output"', 'NULL::jsonb AS "output"').replace(
  'x."input"',
  `(SELECT coalesce(jsonb_object_agg(e."key", CASE jsonb_typeof(e."value") WHEN 'string' THEN to_jsonb(left(e."value" #>> '{}', 2000))
      WHEN 'object' THEN '{}' WHEN 'array' THEN '[]' ELSE e."value" END), '{}')
    FROM jsonb_each(CASE jsonb_typeof(x."input") WHEN 'object' THEN x."input" ELSE '{}' END) e) AS "input"`,
);

/** `shown`: SQL that answers the ids of runs of $1 and since when each has stopped. None is joined to all runs: a plan takes it for many rows. */
const SELECT = (shown: string, selected = WHOLE) => `WITH coo AS (
    SELECT h."memberId" FROM "MemberRole" h JOIN "Role" o ON o."id" = h."roleId"
    WHERE o."enterpriseId" = $1 AND o."slug" = 'coo' ORDER BY h."memberId" LIMIT 1
  ), ceo AS (
    SELECT "id", "name" FROM "Person" WHERE "enterpriseId" = $1 AND "isCeo" AND "removedAt" IS NULL
  ), ${shown}
  SELECT r.*, k."since", t."slug", v."name" AS "taskName",
    (SELECT first."taskMoves" FROM "Run" first WHERE first."id" = coalesce(r."chainId", r."id")) AS "taskRetries",
    (SELECT x."name" FROM "Execution" x WHERE x."id" = r."executionId") AS "executionName",
    CASE WHEN team."id" IS NOT NULL THEN jsonb_build_object('id', team."id", 'name', team."name", 'slug', team."slug") END AS "team",
    ${NAMED('Member', 'n."id" = coalesce(team."leadId", (SELECT "memberId" FROM coo))')} AS "lead",
    (SELECT jsonb_build_object('id', ceo."id", 'name', ceo."name") FROM ceo) AS "ceo",
    ${NAMED('Member', 'n."id" = r."memberId"')} AS "assignee",
    coalesce(${NAMED('Member', 'n."id" = r."escalatedMemberId"')}, ${NAMED('Person', 'n."id" = r."escalatedPersonId"')}) AS "escalated"
  FROM shown k ${RUN_OF(selected)} JOIN "Task" t ON t."id" = r."taskId"
  JOIN "TaskVersion" v ON v."taskId" = r."taskId" AND v."version" = r."taskVersion"
  LEFT JOIN "Team" team ON team."id" = v."teamId"
  ORDER BY k."since", k."id"`;

const ON_THE_LIST = `SELECT r."id", r."status", ${STOPPED_SINCE} AS "since" FROM "Run" r WHERE r."enterpriseId" = $1 AND ${STANDS_ON_BLOCKERS}`;

const PAGE = `listed AS MATERIALIZED (${ON_THE_LIST}), page AS (
    SELECT * FROM listed WHERE "status" <> 'FAILED'
    UNION ALL (SELECT * FROM listed WHERE "status" = 'FAILED' ORDER BY "since", "id" LIMIT $2 OFFSET $3)
  ), shown AS MATERIALIZED (SELECT * FROM page ORDER BY "since", "id" LIMIT $4)`;

type PageValues = [enterpriseId: string, pageSize: number, skip: number, most: number | null];

const selectPage = statement<Row, PageValues>('stopped_runs', SELECT(PAGE, SHAPE));

const selectWhole = statement<Row, PageValues>('stopped_runs_whole', SELECT(PAGE));

const selectBrief = statement<Row, PageValues>('stopped_runs_in_brief', SELECT(PAGE, BRIEF));

const selectBehind = statement<Row, [enterpriseId: string, since: Date | null, id: string | null, most: number]>(
  'stopped_runs_behind',
  SELECT(
    `listed AS MATERIALIZED (${ON_THE_LIST}), shown AS MATERIALIZED (
    SELECT * FROM listed WHERE $2::timestamptz IS NULL OR ("since", "id") > ($2, $3::uuid) ORDER BY "since", "id" LIMIT $4
  )`,
    SHAPE,
  ),
);

const selectSome = statement<Row, [enterpriseId: string, ids: string[]]>(
  'stopped_runs_by_id',
  SELECT(`shown AS MATERIALIZED (${ON_THE_LIST} AND r."id" = ANY ($2::uuid[]))`, SHAPE),
);

const selectOne = statement<Row, [enterpriseId: string, id: string]>(
  'stopped_run_whole',
  SELECT(`shown AS MATERIALIZED (${ON_THE_LIST} AND r."id" = $2::uuid)`),
);

const countBytes = statement<{ bytes: number }, [string]>(
  'stopped_runs_bytes',
  `SELECT coalesce(sum(coalesce(r."inputBytes", 0) + coalesce(r."outputBytes", 0) + r."textBytes"), 0)::float8 AS "bytes"
   FROM "Run" r WHERE r."enterpriseId" = $1 AND ${STANDS_ON_BLOCKERS}`,
);

const countStopped = statement<StoppedTotals, [string]>(
  'stopped_runs_totals',
  `SELECT (count(*) FILTER (WHERE r."status" = 'FAILED'))::int AS "failed", (count(*) FILTER (WHERE r."status" <> 'FAILED'))::int AS "others"
   FROM "Run" r WHERE r."enterpriseId" = $1 AND ${STANDS_ON_BLOCKERS}`,
);

/** How many runs stand on Blockers. */
export interface StoppedTotals {
  failed: number;
  others: number;
}

/** Where a stopped run stands in the list of all. */
export type StoppedKey = Pick<StoppedRun, 'since'> & { id: string };

/**
 * Stopped runs, longest stopped first, none twice: of failed ones the page (from 1) of this size, of the others all; of both
 * together the first `most`.
 */
export async function stoppedRuns(
  db: Queryable,
  enterpriseId: string,
  page: number,
  pageSize: number,
  most: number | null = null,
): Promise<StoppedRun[]> {
  return (await db.query(selectPage(enterpriseId, pageSize, (page - 1) * pageSize, most))).map(stoppedRun);
}

/** The same with their whole input and output. @throws {ToolError} query_too_complex, before they are read */
export async function stoppedRunsWhole(db: Queryable, enterpriseId: string, page: number, pageSize: number): Promise<StoppedRun[]> {
  requireFit(
    only(await db.query(countBytes(enterpriseId)), 'sum').bytes,
    'Page through `blockers { stoppedRuns }` in place of os.list_blockers.',
  );
  return (await db.query(selectWhole(enterpriseId, pageSize, (page - 1) * pageSize, null))).map(stoppedRun);
}

/** The same with no more of a run's input than names its issue, and without its output. */
export async function stoppedRunsInBrief(
  db: Queryable,
  enterpriseId: string,
  page: number,
  pageSize: number,
  most: number,
): Promise<StoppedRun[]> {
  return (await db.query(selectBrief(enterpriseId, pageSize, (page - 1) * pageSize, most))).map(stoppedRun);
}

/** All stopped runs, longest stopped first: the first `most` behind a key. */
export async function stoppedBehind(db: Queryable, enterpriseId: string, key: StoppedKey | null, most: number): Promise<StoppedRun[]> {
  return (await db.query(selectBehind(enterpriseId, key?.since ?? null, key?.id ?? null, most))).map(stoppedRun);
}

/** How many runs stand on Blockers, whatever the page. */
export const stoppedTotals = async (db: Queryable, enterpriseId: string): Promise<StoppedTotals> =>
  (await db.query(countStopped(enterpriseId)))[0]!;

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

/** A stopped run with its whole input and output; undefined: it is not on Blockers. */
export async function stoppedWhole(db: Queryable, enterpriseId: string, id: string): Promise<StoppedRun | undefined> {
  const [row] = validate(id) ? await db.query(selectOne(enterpriseId, id)) : [];
  return row && stoppedRun(row);
}
