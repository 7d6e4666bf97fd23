import type { Queryable } from '../../src/db/database.ts';

const ask = (db: Queryable, text: string, values: unknown[]) => db.query<object>({ text, values });

/** The columns of a table that are not computed, each behind the name of a record. */
async function stored(db: Queryable, table: string, record: string): Promise<string> {
  const rows = (await ask(
    db,
    `SELECT string_agg('${record}.' || quote_ident("column_name"), ', ' ORDER BY "ordinal_position") AS "list" FROM information_schema.columns
     WHERE "table_schema" = 'public' AND "table_name" = $1 AND "is_generated" = 'NEVER'`,
    [table],
  )) as { list: string }[];
  return rows[0]!.list;
}

const names = (list: string) => list.replaceAll(/\b\w+\./g, '');

/** Copies of a row under ids of their own, made by SQL; `told`: SQL of a jsonb object, of the number `n`, with what differs. */
async function copy(db: Queryable, table: string, id: string, count: number, told: string) {
  const list = await stored(db, table, 'made');
  await ask(
    db,
    `INSERT INTO "${table}" (${names(list)}) SELECT ${list} FROM "${table}" r, generate_series(1, $2::int) n,
       jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()) || ${told}) made WHERE r."id" = $1::uuid`,
    [id, count],
  );
}

/** Copies of a run, each stopped a second after the one before it. `told`: SQL of what differs. */
export const copyRun = (db: Queryable, id: string, count: number, told = "'{}'::jsonb") =>
  copy(
    db,
    'Run',
    id,
    count,
    `jsonb_build_object('haltedAt', coalesce(r."haltedAt", r."createdAt") + n * interval '1 second',
       'finishedAt', r."finishedAt" + n * interval '1 second') || ${told}`,
  );

/** Copies of a task with its latest version; their slugs are `copy-0001` and so on. `told`: SQL of what differs in the version `v`. */
export async function copyTask(db: Queryable, enterpriseId: string, slug: string, count: number, told = "'{}'::jsonb"): Promise<void> {
  const [task] = (await ask(db, `SELECT "id" FROM "Task" WHERE "enterpriseId" = $1 AND "slug" = $2`, [enterpriseId, slug])) as {
    id: string;
  }[];
  await copy(db, 'Task', task!.id, count, `jsonb_build_object('slug', 'copy-' || lpad(n::text, 4, '0'), 'latestVersion', 1)`);
  const list = await stored(db, 'TaskVersion', 'made');
  await ask(
    db,
    `INSERT INTO "TaskVersion" (${names(list)}) SELECT ${list} FROM "TaskVersion" v, "Task" t,
       jsonb_populate_record(v, jsonb_build_object('taskId', t."id", 'version', 1) || ${told}) made WHERE v."taskId" = $1 AND v."version" = 1 AND t."enterpriseId" = $2 AND t."slug" LIKE 'copy-%'`,
    [task!.id, enterpriseId],
  );
}

/** Copies of a waiting gate, each with a run and a call of its own that wait for it. */
export async function copyGate(db: Queryable, id: string, count: number, told = "'{}'::jsonb"): Promise<void> {
  const [runs, calls, gates] = await Promise.all(['Run', 'ToolCall', 'Gate'].map((table) => stored(db, table, 'one')));
  await ask(
    db,
    `WITH made AS MATERIALIZED (
       SELECT g AS gate, r AS run, c AS call, n, gen_random_uuid() AS "gateId", gen_random_uuid() AS "runId", gen_random_uuid() AS "callId"
       FROM "Gate" g JOIN "Run" r ON r."id" = g."runId" JOIN "ToolCall" c ON c."id" = g."callId", generate_series(1, $2::int) n WHERE g."id" = $1::uuid
     ), runs AS (
       INSERT INTO "Run" (${names(runs!)}) SELECT ${runs} FROM made, jsonb_populate_record(run, jsonb_build_object('id', "runId")) one
     ), calls AS (
       INSERT INTO "ToolCall" (${names(calls!)}) SELECT ${calls} FROM made, jsonb_populate_record(call, jsonb_build_object('id', "callId", 'runId', "runId")) one
     )
     INSERT INTO "Gate" (${names(gates!)}) SELECT ${gates} FROM made, jsonb_populate_record(gate, jsonb_build_object('callId', "callId", 'runId', "runId",
       'id', 'ffffffff-' || substr("gateId"::text, 10)) || ${told}) one`,
    [id, count],
  );
}
