import { v7 } from 'uuid';
import { callerNow } from '../auth/authenticate.ts';
import type { Caller } from '../auth/caller.ts';
import { requireScope, type Scope } from '../auth/scopes.ts';
import { statement } from '../db/statement.ts';
import { contextOf } from './call-context.ts';
import type { CallRow } from './call-row.ts';
import { ToolError } from './errors.ts';
import { parseArguments } from './examine.ts';
import { invoke } from './invoke.ts';
import { guardJson } from './json-guard.ts';
import type { Kernel } from './kernel.ts';
import { invalidArguments } from './parse-input.ts';
import type { RegisteredTool } from './registry.ts';

const gateOf = statement<{ id: string; timesOutAt: Date | null }, [string]>(
  'gate_that_holds_call',
  `SELECT "id", "timesOutAt" FROM "Gate" WHERE "callId" = $1`,
);

/**
 * Calls a built-in tool and answers its result: a run by the pipeline that `invoke` is, a session or an API token with the
 * scope of the tool's route directly. What is no result is raised.
 * @throws {ToolError} the call's own error, gate_waiting {gateId, timesOutAt}, call_in_progress, scope_missing, not_allowed
 */
export async function callTool(
  kernel: Kernel,
  caller: Caller,
  tool: RegisteredTool,
  args: unknown,
  toolCallId?: string | null,
): Promise<unknown> {
  if (!caller.run) return callWithoutRun(kernel, caller, tool, args);
  const row = await invoke(kernel, caller, { toolCallId: toolCallId ?? v7(), tool: tool.name, arguments: args });
  if (row.status === 'SUCCEEDED') return row.result;
  throw await errorOf(kernel, row);
}

async function errorOf(kernel: Kernel, row: CallRow): Promise<ToolError> {
  if (row.status === 'EXECUTING')
    return new ToolError('call_in_progress', 'The call is still executing. Send it again under the same toolCallId.');
  if (row.status !== 'WAITING')
    return new ToolError(row.errorCode!, row.errorMessage!, (row.errorDetails ?? undefined) as Record<string, unknown>);
  const [gate] = await kernel.db.query(gateOf(row.id));
  return new ToolError('gate_waiting', 'The call waits for a decision. Send it again under the same toolCallId once the gate has ended.', {
    gateId: gate?.id,
    timesOutAt: gate?.timesOutAt?.toISOString() ?? null,
  });
}

async function callWithoutRun(kernel: Kernel, caller: Caller, tool: RegisteredTool, args: unknown): Promise<unknown> {
  requireCaller(caller, tool);
  const unfit = guardJson(args);
  if (unfit.length > 0) throw invalidArguments(unfit);
  const input = parseArguments(tool, args ?? {});
  const about = { now: kernel.now(), enterpriseId: caller.enterpriseId, caller, callId: null, run: null, registry: kernel.registry };
  if (tool.where === 'outside') return tool.handler(contextOf(tool, { ...about, tx: null }), input);
  return kernel.db.transaction(async (tx) => {
    const answer = await tool.handler(contextOf(tool, { ...about, tx }), input);
    if (tool.effect === 'write') requireCaller(await callerNow(tx, kernel, caller), tool);
    return answer;
  });
}

/** Whether a caller that is no run may call the tool. */
function requireCaller(caller: Caller, tool: RegisteredTool) {
  if (caller.kind === 'CHAT' && tool.calledBy.includes('ceo_chat')) return;
  const scope = tool.routes.find((route) => route.scope !== 'run:self')?.scope;
  if (!tool.calledBy.includes('api') || !scope)
    throw new ToolError('not_allowed', `${tool.name} is called by runs: send it with a run token.`);
  requireScope(caller, scope as Scope);
}
