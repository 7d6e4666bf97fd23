import type { Tx } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { lockRun } from '../domain/run/run-statements.ts';
import { parseArguments } from './examine.ts';
import type { Kernel } from './kernel.ts';
import { executeOutside, type OutsideClaim, reclaim, recordEnding, unknownOutcome } from './outside.ts';
import type { RegisteredTool } from './registry.ts';

interface Interrupted {
  id: string;
  enterpriseId: string;
  runId: string;
  tool: string;
  /** What was to be executed: the approved payload where a gate was decided. */
  payload: unknown;
}

const interrupted = statement<Interrupted, [Date, string | null]>(
  'interrupted_calls',
  `SELECT c."id", c."enterpriseId", c."runId", c."tool",
     coalesce((SELECT v."payload" FROM "Gate" g JOIN "GateVersion" v ON v."gateId" = g."id" WHERE g."callId" = c."id"
               ORDER BY v."number" DESC LIMIT 1), c."arguments") AS "payload"
   FROM "ToolCall" c
   WHERE c."status" = 'EXECUTING' AND c."leaseExpiresAt" < $1 AND ($2::uuid IS NULL OR c."enterpriseId" = $2::uuid)
   ORDER BY c."leaseExpiresAt" LIMIT 50`,
);

/**
 * Calls whose process died: safe and idempotent ones are executed again, unsafe ones end as `outcome_unknown`.
 * Answers how many this process settled.
 */
export async function settleInterrupted(kernel: Kernel, enterpriseId: string | null = null): Promise<number> {
  const calls = await kernel.db.query(interrupted(kernel.now(), enterpriseId));
  const done = await Promise.allSettled(calls.map((call) => settle(kernel, call)));
  for (const one of done) if (one.status === 'rejected') kernel.log.error({ err: one.reason }, 'an interrupted call was not settled');
  return done.filter((one) => one.status === 'fulfilled' && one.value).length;
}

async function settle(kernel: Kernel, call: Interrupted): Promise<boolean> {
  const claim = await kernel.db.transaction((tx) => takeOver(tx, kernel, call));
  if (claim && claim !== 'closed') await executeOutside(kernel, claim, null);
  return claim !== undefined;
}

/** Claims the call; one that cannot be repeated (unsafe, or its tool is gone or takes other arguments now) is closed at once. */
async function takeOver(tx: Tx, kernel: Kernel, call: Interrupted): Promise<OutsideClaim | 'closed' | undefined> {
  const run = await lockRun(tx, call.enterpriseId, call.runId);
  const owner = await reclaim(tx, kernel, call.id, false);
  if (!owner) return undefined;
  const tool = kernel.registry.find(call.tool);
  if (tool && tool.retry !== 'unsafe' && fits(tool, call.payload)) {
    return { callId: call.id, run, tool, input: parseArguments(tool, call.payload), owner };
  }
  const gone = tool ?? { name: call.tool, effect: 'write', inputSchema: {} };
  await recordEnding(tx, kernel, { callId: call.id, run, tool: gone as never, input: undefined, owner }, { error: unknownOutcome(gone) });
  return 'closed';
}

function fits(tool: RegisteredTool, payload: unknown): boolean {
  try {
    parseArguments(tool, payload);
    return true;
  } catch {
    return false;
  }
}
