import type { Queryable } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

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

const select = statement<OpenGate, [string]>(
  'open_gates',
  `SELECT g."runId", t."slug" AS "taskSlug", g."tool" AS "toolName", g."payload", g."summary", g."createdAt", g."timesOutAt",
     g."canRequestChanges"
   FROM "Gate" g JOIN "Run" r ON r."id" = g."runId" JOIN "Task" t ON t."id" = r."taskId"
   WHERE g."enterpriseId" = $1 AND g."status" = 'WAITING' ORDER BY g."id"`,
);

/** Every waiting gate of the enterprise, oldest first. */
export const openGates = (tx: Queryable, enterpriseId: string): Promise<OpenGate[]> => tx.query(select(enterpriseId));

const selectCeo = statement<{ name: string }, [string]>(
  'ceo_name',
  `SELECT "name" FROM "Person" WHERE "enterpriseId" = $1 AND "isCeo" AND "removedAt" IS NULL`,
);

/** The name of the CEO, who owns every gate; null when there is none at the moment. */
export const ceoName = async (tx: Queryable, enterpriseId: string): Promise<string | null> =>
  (await tx.query(selectCeo(enterpriseId)))[0]?.name ?? null;
