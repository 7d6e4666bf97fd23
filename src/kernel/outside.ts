import { v7 } from 'uuid';
import type { Caller } from '../auth/caller.ts';
import { columns } from '../db/columns.ts';
import type { Tx } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { DatabaseTrouble } from '../db/trouble.ts';
import { tellBlockerChanged } from '../domain/blocker/stopped.ts';
import { endRun } from '../domain/run/end-run.ts';
import type { CallingRun } from '../domain/run/run-row.ts';
import { lockRun } from '../domain/run/run-statements.ts';
import { contextOf } from './call-context.ts';
import { type CallRow, type Ending, endCall } from './call-row.ts';
import { ToolError } from './errors.ts';
import { after, type Kernel } from './kernel.ts';
import type { RegisteredTool } from './registry.ts';

/** A call with an outside effect that this process has claimed: nobody else executes it while the lease is renewed. */
export interface OutsideClaim {
  callId: string;
  run: CallingRun;
  tool: RegisteredTool;
  input: unknown;
  /** Names this one claim, not the process: a process that lost a claim and took it again must not mistake the two. */
  owner: string;
}

const take = statement<{ id: string }, [string, string, Date, Date, boolean]>(
  'take_call',
  `UPDATE "ToolCall" SET "status" = 'EXECUTING', "leaseOwner" = $2, "leaseExpiresAt" = $3, "finishedAt" = NULL
   WHERE "id" = $1 AND ("status" = 'EXECUTING' AND "leaseExpiresAt" < $4 OR $5 AND "status" <> 'EXECUTING') RETURNING "id"`,
);

/**
 * Claims a call whose executing process died; with `ended` also one that has ended and is to be made again.
 * Answers the claim's name, or undefined when there is nothing to claim.
 */
export async function reclaim(tx: Tx, kernel: Kernel, callId: string, ended: boolean): Promise<string | undefined> {
  const owner = `${kernel.processId}/${v7()}`;
  const now = kernel.now();
  const taken = await tx.query(take(callId, owner, after(now, kernel.timing.callLease), now, ended));
  return taken.length > 0 ? owner : undefined;
}

const renew = statement<object, [string, string, Date]>(
  'renew_call_lease',
  `UPDATE "ToolCall" SET "leaseExpiresAt" = $3 WHERE "id" = $1 AND "leaseOwner" = $2`,
);

/** Acts, then records the result if the claim still holds; answers the call as it then stands. */
export async function executeOutside(kernel: Kernel, claim: OutsideClaim, caller: Caller | null): Promise<CallRow> {
  const { callId, owner } = claim;
  const renewal = setInterval(() => {
    const lease = after(kernel.now(), kernel.timing.callLease);
    kernel.db.whole
      .query(renew(callId, owner, lease))
      .catch((error) => kernel.log.warn({ err: error, callId }, 'a call lease was not renewed'));
  }, kernel.timing.callRenew);
  try {
    const ending = await act(kernel, claim, caller);
    return await recorded(kernel, claim, ending);
  } finally {
    clearInterval(renewal);
  }
}

/** The act is done: for its record the database's trouble is waited for, as long as a claim lasts. */
async function recorded(kernel: Kernel, claim: OutsideClaim, ending: Ending): Promise<CallRow> {
  const { db, timing } = kernel;
  const deadline = performance.now() + timing.callLease;
  for (;;) {
    try {
      return await db.whole.transaction((tx) => recordEnding(tx, kernel, claim, ending));
    } catch (error) {
      if (!(error instanceof DatabaseTrouble) || performance.now() > deadline) throw error;
      kernel.log.warn({ err: error, callId: claim.callId }, 'the result of a call was not recorded yet');
      await new Promise((resolve) => setTimeout(resolve, timing.callRenew / 20));
    }
  }
}

async function act(kernel: Kernel, { tool, run, input, callId }: OutsideClaim, caller: Caller | null): Promise<Ending> {
  try {
    const context = contextOf(tool, {
      tx: null,
      now: kernel.now(),
      enterpriseId: run.enterpriseId,
      caller,
      callId,
      run,
      registry: kernel.registry,
    });
    return { result: await tool.handler(context, input) };
  } catch (error) {
    if (error instanceof ToolError) return { error };
    // No answer of the tool's: the claim is left, and the sweep makes the call again.
    if (error instanceof DatabaseTrouble && tool.retry !== 'unsafe') throw error;
    const id = v7();
    kernel.log.error({ err: error, id, tool: tool.name, callId }, 'a tool failed');
    return { error: tool.retry === 'unsafe' ? unknownOutcome() : internal(id) };
  }
}

const internal = (id: string) =>
  new ToolError(
    'INTERNAL',
    `The tool failed; the operator finds the cause under ${id}. Go on without it, or send the call again under a new id.`,
    { id },
  );

/** The error of an unsafe call that was interrupted. */
export const unknownOutcome = () =>
  new ToolError('outcome_unknown', 'The call was interrupted: it may have happened. Look whether it did before you repeat it.');

const current = statement<CallRow, [string]>('current_call', `SELECT ${columns('ToolCall')} FROM "ToolCall" WHERE "id" = $1`);

const gateOfCall = statement<{ id: string; kind: 'RUN_ENDING' | 'HOLDING' }, [string]>(
  'gate_of_call',
  `SELECT "id", "kind" FROM "Gate" WHERE "callId" = $1`,
);

/** Records how a claimed call ended, and what that makes of its run. A lost claim records nothing. */
export async function recordEnding(
  tx: Tx,
  kernel: Kernel,
  { callId, run: { enterpriseId, id }, tool, owner }: OutsideClaim,
  ending: Ending,
): Promise<CallRow> {
  const now = kernel.now();
  const run = await lockRun(tx, enterpriseId, id);
  const [gate] = await tx.query(gateOfCall(callId));
  const keeps = tool.effect === 'write' || gate !== undefined;
  const [row] = await tx.query(endCall(callId, tool, keeps, ending, now, owner));
  if (!row) return (await tx.query(current(callId)))[0]!;
  if (row.status === 'OUTCOME_UNKNOWN') tellBlockerChanged(tx, run);
  if (gate) tx.emit({ enterpriseId, topic: 'RUN', kind: 'DECIDED', runId: id, gateId: gate.id, callId });
  if (row.status === 'RUN_FAILED' && (run.status === 'RUNNING' || run.status === 'WAITING')) {
    await endRun(tx, now, run, { status: 'FAILED', failureCode: row.errorCode!, reason: row.errorMessage });
  } else if (gate?.kind === 'RUN_ENDING' && run.status === 'WAITING') {
    const output = row.errorCode ? { error: row.errorCode, message: row.errorMessage } : (row.result as Record<string, unknown>);
    await endRun(tx, now, run, { status: 'FINISHED', outcome: 'ceo_approved', output });
  }
  return keeps || !('result' in ending) || row.errorCode ? row : { ...row, result: ending.result as CallRow['result'] };
}
