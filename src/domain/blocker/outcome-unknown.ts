import { columns } from '../../db/columns.ts';
import type { Queryable } from '../../db/database.ts';
import type { ToolCall } from '../../db/generated/client.ts';
import { statement } from '../../db/statement.ts';

const select = statement<ToolCall, [string, string[]]>(
  'outcome_unknown_calls',
  `SELECT ${columns('ToolCall')} FROM "ToolCall" WHERE "enterpriseId" = $1 AND "runId" = ANY ($2::uuid[]) AND "status" = 'OUTCOME_UNKNOWN' ORDER BY "id"`,
);

/** For each run its calls that were interrupted and may have happened, oldest first. */
export async function outcomeUnknownCalls(db: Queryable, enterpriseId: string, runIds: string[]): Promise<Map<string, ToolCall[]>> {
  const calls = new Map<string, ToolCall[]>(runIds.map((id) => [id, []]));
  if (runIds.length === 0) return calls;
  for (const call of await db.query(select(enterpriseId, runIds))) calls.get(call.runId)!.push(call);
  return calls;
}
