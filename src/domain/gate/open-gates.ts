import type { Queryable } from '../../db/database.ts';
import { only } from '../../db/only.ts';
import { statement } from '../../db/statement.ts';
import { requireFit } from '../../kernel/errors.ts';

/** A waiting gate, with what a reader needs to tell it from others. */
export interface OpenGate {
  runId: string;
  taskSlug: string;
  toolName: string;
  payload: unknown;
  summary: string | null;
  createdAt: Date;
  timesOutAt: Date | null;
  canRequestChanges: boolean;
}

const OPEN = (payload: string) => `SELECT g."runId", t."slug" AS "taskSlug", g."tool" AS "toolName", ${payload} AS "payload", g."summary",
     g."createdAt", g."timesOutAt", g."canRequestChanges"
   FROM "Gate" g JOIN "Run" r ON r."id" = g."runId" JOIN "Task" t ON t."id" = r."taskId"
   WHERE g."enterpriseId" = $1 AND g."status" = 'WAITING' ORDER BY g."id"`;

const select = statement<OpenGate, [string]>('open_gates', OPEN('g."payload"'));

const selectOldest = statement<OpenGate, [enterpriseId: string, most: number]>(
  'oldest_open_gates',
  `${OPEN(`CASE WHEN length(g."payload"::text) <= 40000 THEN g."payload" ELSE to_jsonb(left(g."payload"::text, 1001)) END`)} LIMIT $2`,
);

const count = statement<{ total: number }, [string]>(
  'open_gates_total',
  `SELECT count(*)::int AS "total" FROM "Gate" WHERE "enterpriseId" = $1 AND "status" = 'WAITING'`,
);

const countBytes = statement<{ bytes: number }, [string]>(
  'open_gates_bytes',
  `SELECT coalesce(sum("payloadBytes" + "textBytes"), 0)::float8 AS "bytes" FROM "Gate" WHERE "enterpriseId" = $1 AND "status" = 'WAITING'`,
);

/** Every waiting gate of the enterprise, oldest first. @throws {ToolError} query_too_complex, before they are read */
export async function openGates(tx: Queryable, enterpriseId: string): Promise<OpenGate[]> {
  requireFit(only(await tx.query(countBytes(enterpriseId)), 'sum').bytes, 'Page through `openGates` in place of os.list_open_gates.');
  return tx.query(select(enterpriseId));
}

/** The oldest waiting gates; of a payload of more than 40,000 characters the beginning, as text. */
export const oldestOpenGates = (tx: Queryable, enterpriseId: string, most: number): Promise<OpenGate[]> =>
  tx.query(selectOldest(enterpriseId, most));

/** How many gates of the enterprise wait. */
export const openGatesTotal = async (tx: Queryable, enterpriseId: string): Promise<number> =>
  (await tx.query(count(enterpriseId)))[0]!.total;

const selectCeo = statement<{ name: string }, [string]>(
  'ceo_name',
  `SELECT "name" FROM "Person" WHERE "enterpriseId" = $1 AND "isCeo" AND "removedAt" IS NULL`,
);

/** The name of the CEO, who owns every gate; null when there is none at the moment. */
export const ceoName = async (tx: Queryable, enterpriseId: string): Promise<string | null> =>
  (await tx.query(selectCeo(enterpriseId)))[0]?.name ?? null;
