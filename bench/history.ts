import type pg from 'pg';
import type { Company } from './company.ts';
import { onDatabase } from './database.ts';

/** How much has happened in a company, and how much stands still there. */
export interface History {
  /** One in five has a decided gate. */
  endedRuns: number;
  /** How many runs wait at a gate, and how many have stopped and stand on Blockers: half failed, half blocked. */
  standing: number;
}

/** An id that sorts like the version 7 of its row: the n-th of `total` rows of a kind, one row each 20 s, the last of them now. */
const idOf = (kind: string, n: string) =>
  `(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - ($2::bigint - ${n}) * 20000), 12, '0') || '7000${kind}' || lpad(to_hex(${n}), 12, '0'))::uuid`;

const EXECUTION = idOf('8e00', '(n / 10)');
const RUN = idOf('8a00', 'n');
const CALL = idOf('8c00', 'n');
const GATE = idOf('8d00', 'n');
const AT = `now() - ($2::bigint - n) * interval '20 seconds'`;
const WAITS = '(n % $3 = 0)';
const STOPPED = '(n % $3 = 1)';
const BLOCKED = `(${STOPPED} AND n / $3 % 2 = 0)`;
const FAILED = `((${STOPPED} AND n / $3 % 2 = 1) OR (NOT ${STOPPED} AND NOT ${WAITS} AND n % 20 = 2))`;
const DONE = `(NOT ${WAITS} AND NOT ${BLOCKED} AND NOT ${FAILED})`;
const GATED = `(${WAITS} OR (NOT ${STOPPED} AND n % 5 = 1))`;
const NUMBERS = 'generate_series(1, $2::bigint) AS n';

/** $1: the enterprise, $2: how many runs in all, $3: each so-manieth run waits, and the one after it has stopped. */
const STEPS: [sql: string, more: (company: Company) => unknown[]][] = [
  [
    `INSERT INTO "Execution" ("id", "enterpriseId", "name", "createdAt")
     SELECT ${EXECUTION}, $1, 'Execution ' || n / 10, ${AT} FROM generate_series(0, $2::bigint, 10) AS n WHERE $3::bigint > 0`,
    () => [],
  ],
  [
    `INSERT INTO "Run" ("id", "enterpriseId", "taskId", "taskVersion", "executionId", "memberId", "status", "attempt", "input", "output",
       "outcome", "failureCode", "blockClass", "reason", "worker", "createdAt", "queuedAt", "startedAt", "haltedAt", "finishedAt", "clearedAt")
     SELECT ${RUN}, $1, ($4::uuid[])[1 + n % cardinality($4::uuid[])], 1, ${EXECUTION}, ($5::uuid[])[1 + n % cardinality($5::uuid[])],
       (CASE WHEN ${WAITS} THEN 'WAITING' WHEN ${BLOCKED} THEN 'BLOCKED' WHEN ${FAILED} THEN 'FAILED' ELSE 'FINISHED' END)::"RunStatus", 1,
       jsonb_build_object('number', n), CASE WHEN ${DONE} THEN '{"note": "Measured."}'::jsonb END,
       CASE WHEN ${DONE} THEN 'done' END, CASE WHEN ${FAILED} THEN 'measured_nothing' END, CASE WHEN ${BLOCKED} THEN 'question' END,
       CASE WHEN ${FAILED} OR ${BLOCKED} THEN 'There was nothing to measure.' END, 'bench', ${AT}, ${AT}, ${AT},
       CASE WHEN ${BLOCKED} THEN ${AT} END, CASE WHEN ${FAILED} OR ${DONE} THEN ${AT} + interval '10 seconds' END,
       CASE WHEN ${FAILED} AND NOT ${STOPPED} THEN ${AT} + interval '15 seconds' END
     FROM ${NUMBERS}`,
    ({ openTaskIds, memberIds }) => [openTaskIds, memberIds],
  ],
  [
    `INSERT INTO "ToolCall" ("id", "enterpriseId", "runId", "toolCallId", "boundId", "tool", "arguments", "contentHash", "status", "result",
       "createdAt", "finishedAt")
     SELECT ${CALL}, $1, ${RUN}, 'call-1', 'call-1', 'os.set_context', jsonb_build_object('key', 'figure/' || n, 'value', n), md5(n::text),
       (CASE WHEN ${WAITS} THEN 'WAITING' ELSE 'SUCCEEDED' END)::"ToolCallStatus",
       CASE WHEN NOT ${WAITS} THEN jsonb_build_object('key', 'figure/' || n, 'value', n) END,
       ${AT}, CASE WHEN NOT ${WAITS} THEN ${AT} + interval '5 seconds' END
     FROM ${NUMBERS} WHERE ${GATED}`,
    () => [],
  ],
  [
    `INSERT INTO "Gate" ("id", "enterpriseId", "runId", "callId", "kind", "status", "tool", "payload", "payloadHash", "summary",
       "canRequestChanges", "createdAt", "decision", "decidedVia", "decidedAt")
     SELECT ${GATE}, $1, ${RUN}, ${CALL}, 'HOLDING', (CASE WHEN ${WAITS} THEN 'WAITING' ELSE 'APPROVED' END)::"GateStatus",
       'os.set_context', jsonb_build_object('key', 'figure/' || n, 'value', n), md5(n::text), 'Figure ' || n || ' is to be kept.', true, ${AT},
       CASE WHEN NOT ${WAITS} THEN 'APPROVE'::"GateDecision" END, CASE WHEN NOT ${WAITS} THEN 'session' END,
       CASE WHEN NOT ${WAITS} THEN ${AT} + interval '4 seconds' END
     FROM ${NUMBERS} WHERE ${GATED}`,
    () => [],
  ],
];

const TABLES = ['Execution', 'Run', 'ToolCall', 'Gate'];

/** Fills the company with its past, and tells Postgres how much that is. What stands is spread over the whole of it. */
export function fillHistory(company: Company, { endedRuns, standing }: History): Promise<void> {
  const total = endedRuns + 2 * standing;
  return onDatabase(company.databaseUrl, async (client) => {
    await client.query('BEGIN'); // now() is the same in all steps: the ids of one row's parts follow from it
    await withoutForeignKeys(client, async () => {
      for (const [sql, more] of STEPS)
        await client.query(sql, [company.enterpriseId, total, Math.floor(total / standing), ...more(company)]);
    });
    await client.query('COMMIT');
    await client.query('VACUUM (ANALYZE)');
  });
}

/** Checks foreign keys once for all rows in place of once for each. */
async function withoutForeignKeys(client: pg.Client, work: () => Promise<void>) {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS "name", pg_get_constraintdef(oid) AS "definition"
     FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY(SELECT quote_ident(t)::regclass FROM unnest($1::text[]) AS t)`,
    [TABLES],
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  await work();
  for (const { table, name, definition } of rows) await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
}
