import type { Queryable } from '../../db/database.ts';
import { only } from '../../db/only.ts';
import { statement } from '../../db/statement.ts';
import type { ContextEntry } from './context-entries.ts';

/** The most bytes of shared context, keys and JSON, that go into a run's input. */
export const MOST_CONTEXT = 262_144;

/** How many keys one statement measures: of 16 KiB at most each, so that it never reads much more than fits. */
const AT_ONCE = 200;

const WITH_PREFIX = `"enterpriseId" = $1 AND EXISTS (SELECT FROM unnest($2::text[]) AS p(prefix) WHERE starts_with("key", p.prefix))`;

const selectNewest = statement<ContextEntry & { bytes: number }, [string, string[], number, number, number]>(
  'newest_context_with_prefixes',
  `WITH page AS (
     SELECT "key", "value", "updatedAt" FROM "ContextEntry" WHERE ${WITH_PREFIX} ORDER BY "updatedAt" DESC, "key" LIMIT $3 OFFSET $4
   ), measured AS (
     SELECT "key", "value", sum(octet_length("key") + octet_length("value"::text)) OVER (ORDER BY "updatedAt" DESC, "key")::int AS "bytes"
     FROM page
   )
   SELECT "key", "value", "bytes" FROM measured WHERE "bytes" <= $5 ORDER BY "bytes"`,
);

const count = statement<{ keys: number }, [string, string[]]>(
  'count_context_with_prefixes',
  `SELECT count(*)::int AS "keys" FROM "ContextEntry" WHERE ${WITH_PREFIX}`,
);

/** What shared context adds to the input of a run. */
export interface RunContext {
  /** Key and value of each entry. */
  context: Record<string, unknown>;
  /** How many older keys were left out, as what is newer has `MOST_CONTEXT` bytes; left out when none was. */
  contextMore?: number;
}

/** The entries whose key begins with one of the prefixes, those written last first, as far as they fit into `MOST_CONTEXT`. */
export async function runContext(tx: Queryable, enterpriseId: string, prefixes: string[]): Promise<RunContext> {
  const entries: ContextEntry[] = [];
  for (let left = MOST_CONTEXT; ; ) {
    const some = await tx.query(selectNewest(enterpriseId, prefixes, AT_ONCE, entries.length, left));
    entries.push(...some);
    left -= some.at(-1)?.bytes ?? 0;
    if (some.length < AT_ONCE) break;
  }
  const { keys } = only(await tx.query(count(enterpriseId, prefixes)), 'count');
  const context = Object.fromEntries(entries.map(({ key, value }) => [key, value]));
  return keys > entries.length ? { context, contextMore: keys - entries.length } : { context };
}

/** The input of a run without what `runContext` added. */
export function withoutContext(input: Record<string, unknown>): Record<string, unknown> {
  const { context: _, contextMore: __, ...own } = input;
  return own;
}
