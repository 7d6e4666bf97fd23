import { z } from 'zod';
import { audit } from '../../auth/audit.ts';
import { callerNow } from '../../auth/authenticate.ts';
import type { Caller } from '../../auth/caller.ts';
import { requireScope } from '../../auth/scopes.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { parseInput } from '../../kernel/parse-input.ts';
import { notActive } from './drive-run.ts';
import { endRun } from './end-run.ts';
import { ENDED, type RunState } from './run-row.ts';
import { lockRun } from './run-statements.ts';

const CancelRun = z.strictObject({ runId: z.string().max(200), note: z.string().max(10_000).nullish() });

/**
 * Cancels a run that has not ended, in any state; its open gate ends as cancelled. A cancelled run is answered as it is.
 * Scope `runs:write`. @throws {ToolError} not_found, run_not_active
 */
export async function cancelRun(kernel: Kernel, caller: Caller, raw: unknown): Promise<RunState> {
  requireScope(caller, 'runs:write');
  const { runId, note } = parseInput(CancelRun, raw);
  return kernel.db.transaction(async (tx) => {
    const run = await lockRun(tx, caller.enterpriseId, runId);
    requireScope(await callerNow(tx, kernel, caller), 'runs:write');
    if (run.status === 'CANCELLED') return run;
    if (ENDED.includes(run.status)) throw notActive(run);
    const now = kernel.now();
    await audit(tx, caller, { action: 'run.cancelled', subjectId: run.id, details: { note: note ?? null }, at: now });
    return endRun(tx, now, run, { status: 'CANCELLED', reason: note ?? null });
  });
}
