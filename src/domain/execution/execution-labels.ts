import { v7 } from 'uuid';
import type { Queryable } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

const rename = statement<{ name: string }, [string, string, string]>(
  'name_execution',
  `UPDATE "Execution" SET "name" = $3 WHERE "enterpriseId" = $1 AND "id" = $2 RETURNING "name"`,
);

const upsertLink = statement<{ name: string; url: string }, [string, string, string, string, string, Date]>(
  'add_execution_link',
  `INSERT INTO "ExecutionLink" ("id", "enterpriseId", "executionId", "name", "url", "createdAt") VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT ("executionId", md5("url")) DO UPDATE SET "name" = excluded."name" RETURNING "name", "url"`,
);

/** Gives the execution its name; the last one stands. */
export const nameExecution = async (tx: Queryable, enterpriseId: string, executionId: string, name: string): Promise<{ name: string }> =>
  (await tx.query(rename(enterpriseId, executionId, name)))[0]!;

/** Adds a link to the execution; a URL that is there already gets the new label. */
export const addExecutionLink = async (
  tx: Queryable,
  { enterpriseId, executionId }: { enterpriseId: string; executionId: string },
  link: { name: string; url: string },
  now: Date,
): Promise<{ name: string; url: string }> => (await tx.query(upsertLink(v7(), enterpriseId, executionId, link.name, link.url, now)))[0]!;
