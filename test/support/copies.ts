import type { Queryable } from '../../src/db/database.ts';

const ask = (db: Queryable, text: string, values: unknown[]) => db.query<object>({ text, values });

/** Copies of a row under ids of their own, made by SQL; `told`: SQL of a jsonb object, of the number `n`, with what differs. */
const copy = (db: Queryable, table: string, id: string, count: number, told: string) =>
  ask(
    db,
    `INSERT INTO "${table}" SELECT made.* FROM "${table}" r, generate_series(1, $2::int) n,
       jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()) || ${told}) made WHERE r."id" = $1::uuid`,
    [id, count],
  );

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
  await ask(
    db,
    `INSERT INTO "TaskVersion" SELECT made.* FROM "TaskVersion" v, "Task" t,
       jsonb_populate_record(v, jsonb_build_object('taskId', t."id", 'version', 1) || ${told}) made WHERE v."taskId" = $1 AND v."version" = 1 AND t."enterpriseId" = $2 AND t."slug" LIKE 'copy-%'`,
    [task!.id, enterpriseId],
  );
}

/** Copies of a waiting gate, each with a run and a call of its own that wait for it. */
export const copyGate = (db: Queryable, id: string, count: number, told = "'{}'::jsonb") =>
  ask(
    db,
    `WITH made AS MATERIALIZED (
       SELECT g AS gate, r AS run, c AS call, n, gen_random_uuid() AS "gateId", gen_random_uuid() AS "runId", gen_random_uuid() AS "callId"
       FROM "Gate" g JOIN "Run" r ON r."id" = g."runId" JOIN "ToolCall" c ON c."id" = g."callId", generate_series(1, $2::int) n WHERE g."id" = $1::uuid
     ), runs AS (
       INSERT INTO "Run" SELECT one.* FROM made, jsonb_populate_record(run, jsonb_build_object('id', "runId")) one
     ), calls AS (
       INSERT INTO "ToolCall" SELECT one.* FROM made, jsonb_populate_record(call, jsonb_build_object('id', "callId", 'runId', "runId")) one
     )
     INSERT INTO "Gate" SELECT one.* FROM made, jsonb_populate_record(gate, jsonb_build_object('callId', "callId", 'runId', "runId",
       'id', 'ffffffff-' || substr("gateId"::text, 10)) || ${told}) one`,
    [id, count],
  );
