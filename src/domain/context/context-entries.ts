import type { Queryable } from '../../db/database.ts';
import { json, statement } from '../../db/statement.ts';

/** One key of the shared context. */
export interface ContextEntry {
  key: string;
  value: unknown;
}

const upsert = statement<ContextEntry, [string, string, unknown, Date]>(
  'set_context',
  `INSERT INTO "ContextEntry" ("enterpriseId", "key", "value", "updatedAt") VALUES ($1, $2, $3, $4)
   ON CONFLICT ("enterpriseId", "key") DO UPDATE SET "value" = excluded."value", "updatedAt" = excluded."updatedAt"
   RETURNING "key", "value"`,
);

const select = statement<ContextEntry, [string, string]>(
  'get_context',
  `SELECT "key", "value" FROM "ContextEntry" WHERE "enterpriseId" = $1 AND "key" = $2`,
);

const remove = statement<ContextEntry, [string, string]>(
  'delete_context',
  `DELETE FROM "ContextEntry" WHERE "enterpriseId" = $1 AND "key" = $2 RETURNING "key", "value"`,
);

/** Stores the value under the key, in place of what was there, and answers it as stored. */
export const setContext = async (tx: Queryable, enterpriseId: string, { key, value }: ContextEntry, now: Date): Promise<ContextEntry> =>
  (await tx.query(upsert(enterpriseId, key, json(value), now)))[0]!;

/** The entry of the key, or undefined. */
export const getContext = async (tx: Queryable, enterpriseId: string, key: string): Promise<ContextEntry | undefined> =>
  (await tx.query(select(enterpriseId, key)))[0];

/** Whether there was an entry to remove. */
export const deleteContext = async (tx: Queryable, enterpriseId: string, key: string): Promise<boolean> =>
  (await tx.query(remove(enterpriseId, key))).length > 0;
