import type { Tx } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { lockRun } from '../domain/run/run-statements.ts';
import { ToolError } from './errors.ts';
import { parseArguments } from './examine.ts';
import type { Kernel } from './kernel.ts';
import { oneByOne, within } from './one-by-one.ts';
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

const interrupted = statement<Interrupted, [Date, enterpriseId: string | null, passedOver: string[]]>(
  'interrupted_calls',
  `SELECT c."id", c."enterpriseId", c."runId", c."tool",
     coalesce((SELECT v."payload" FROM "Gate" g JOIN "GateVersion" v ON v."gateId" = g."id" WHERE g."callId" = c."id"
               ORDER BY v."number" DESC LIMIT 1), c."arguments") AS "payload"
   FROM "ToolCall" c
   WHERE c."status" = 'EXECUTING' AND c."leaseExpiresAt" < $1 AND ($2::uuid IS NULL OR c."enterpriseId" = $2::uuid)
     AND NOT c."id" = ANY ($3::uuid[])
   ORDER BY c."leaseExpiresAt" LIMIT 50`,
);

/**
 * Calls whose process died: safe and idempotent ones are executed again, unsafe ones end as `outcome_unknown`. Waits for them no
 * longer than `timing.sweepPatience`: what takes longer goes on and is recorded when it is done.
 * Answers how many this process took on.
 */
export async function settleInterrupted(kernel: Kernel, enterpriseId: string | null = null): Promise<number> {
  const calls = oneByOne(kernel, 'settle interrupted calls');
  const left = await kernel.db.query(interrupted(kernel.now(), enterpriseId, calls.passedOver()));
  const taken: (OutsideClaim | 'closed')[] = [];
  await calls.each(
    left,
    ({ id }) => id,
    async (call) => {
      const claim = await kernel.db.transaction((tx) => takeOver(tx, kernel, call));
      if (claim) taken.push(claim);
    },
  );
  const executed = taken.map((claim) => (claim === 'closed' ? undefined : execute(kernel, claim)));
  await within(kernel.timing.sweepPatience, Promise.all(executed)).catch(() => {});
  return taken.length;
}

/** A stopping process waits for it. What is not recorded is settled again once its lease has run out. */
function execute(kernel: Kernel, claim: OutsideClaim): Promise<unknown> {
  const execution = executeOutside(kernel, claim, null);
  kernel.work.track(execution, (error) => kernel.log.error({ err: error, callId: claim.callId }, 'an interrupted call was not settled'));
  return execution.catch(() => {});
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
  await recordEnding(tx, kernel, { callId: call.id, run, tool: gone as never, input: undefined, owner }, { error: unknownOutcome() });
  return 'closed';
}

function fits(tool: RegisteredTool, payload: unknown): boolean {
  try {
    parseArguments(tool, payload);
    return true;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}
