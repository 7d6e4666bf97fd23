import { v7 } from 'uuid';
import type { Caller } from '../auth/caller.ts';
import type { Tx } from '../db/database.ts';
import { only } from '../db/only.ts';
import { statement } from '../db/statement.ts';
import { notActive, waiting } from '../domain/run/drive-run.ts';
import { endRun } from '../domain/run/end-run.ts';
import type { CallingRun, RunState } from '../domain/run/run-row.ts';
import { lockRun } from '../domain/run/run-statements.ts';
import { versionOfRun } from '../domain/run/task-of-run.ts';
import { contextOf } from './call-context.ts';
import {
  type BoundCall,
  boundCall,
  type CallRow,
  claimCall,
  claimedRow,
  endCall,
  insertFailedCall,
  succeedCall,
  unrecorded,
} from './call-row.ts';
import { HANDED_OUT_AGAIN, ToolError } from './errors.ts';
import { type CallRequest, type Examined, examine, inSpellingOf } from './examine.ts';
import { openGate } from './gates.ts';
import { guardJson } from './json-guard.ts';
import { after, type Kernel } from './kernel.ts';
import { checkNeeds, summaryFor } from './needs.ts';
import { executeOutside, type OutsideClaim, reclaim } from './outside.ts';
import { invalidArguments } from './parse-input.ts';
import { quoted, shown } from './shown.ts';

/** One call under way: who calls, and what was found out about it before looking at the run. */
interface Calling {
  kernel: Kernel;
  caller: Caller;
  own: { enterpriseId: string; id: string; attempt: number };
  toolCallId: string;
  asked: Examined;
  /** An error as the caller spells tools. */
  spell: (error: ToolError) => ToolError;
  id: string;
  now: Date;
}

type Step = { row: CallRow } | { outside: OutsideClaim };

/**
 * A run calls a tool: looked at, held at a gate or done, recorded, answered; once, however often it is sent.
 * Refusals are answered as the call's row, not thrown.
 * A failure of the service itself is thrown: nothing happened then, and the call may be sent again under its id.
 * @throws {ToolError} unauthenticated (the run was handed out again), not_allowed (the caller is no run)
 */
export async function invoke(kernel: Kernel, caller: Caller, request: CallRequest): Promise<CallRow> {
  if (!caller.run) throw new ToolError('not_allowed', 'invokeTool is a run’s own: send it with the run token.');
  const own = { ...caller.run, enterpriseId: caller.enterpriseId };
  const now = kernel.now();
  const unfit = unfitRequest(request);
  if (unfit) return unrecorded(own, { toolCallId: '', name: '', arguments: null }, unfit, now);
  const asked = examine(kernel.registry, await versionOfRun(kernel.db, own.enterpriseId, own.id), request);
  const spell = (error: ToolError) => inSpellingOf(request.tool, kernel.registry, error);
  const calling: Calling = { kernel, caller, own, toolCallId: request.toolCallId, asked, spell, id: v7(), now };
  const step = await attempt(calling);
  return 'row' in step ? step.row : executeOutside(kernel, step.outside, caller);
}

function unfitRequest({ toolCallId, tool }: CallRequest): ToolError | undefined {
  const long = (text: string, path: string) =>
    text.length >= 1 && text.length <= 200 ? [] : [{ path, message: `must be a text of 1 to 200 characters; sent was ${shown(text)}` }];
  const issues = [
    ...long(toolCallId, 'toolCallId'),
    ...long(tool, 'tool'),
    ...guardJson(toolCallId, 'toolCallId'),
    ...guardJson(tool, 'tool'),
  ];
  return issues.length > 0 ? invalidArguments(issues) : undefined;
}

/** Makes the call in one transaction. What is raised in it undoes it whole, and is recorded in a second one. */
async function attempt(calling: Calling): Promise<Step> {
  const { kernel, asked } = calling;
  try {
    if ('refusal' in asked.verdict) throw asked.verdict.refusal;
    return await kernel.db.transaction((tx) => make(tx, calling));
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === 'unauthenticated') throw error;
    return kernel.db.transaction((tx) => recordFailure(tx, calling, error));
  }
}

async function make(tx: Tx, calling: Calling): Promise<Step> {
  const { kernel, own, id, toolCallId, asked, now } = calling;
  const { declared, input, mayWrite, actsOutside } = accepted(asked);
  const { tool } = declared;
  const lease = tool.where === 'outside' && !declared.gate ? newLease(kernel, now) : null;
  const call = { id, toolCallId, name: asked.name, arguments: asked.arguments, contentHash: asked.contentHash, now, lease };
  const run = await claimCall(tx, own, call);
  checkAttempt(run, own.attempt);
  if (!run.claimed) return again(tx, calling, run);
  const summary = declared.gate || tool.needsSummary ? await summaryFor(tx, run, tool.name) : null;
  checkNeeds({ tool, memberId: run.memberId, summary, mayWrite });
  if (actsOutside) await checkTurn(tx, kernel, run.id, id, tool);
  if (declared.gate) return { row: await openGate(tx, kernel, run, { id, tool, payload: input, summary, gate: declared.gate }) };
  if (lease) return { outside: { callId: id, run, tool, input, owner: lease.owner } };
  return perform(tx, calling, run, claimedRow(run, call));
}

const executing = statement<{ tool: string }, [string, string]>(
  'other_calls_executing',
  `SELECT "tool" FROM "ToolCall" WHERE "runId" = $1 AND "leaseExpiresAt" IS NOT NULL AND "id" <> $2`,
);

/** Calls of one run are made in order; only safe ones may overlap. */
async function checkTurn(tx: Tx, kernel: Kernel, runId: string, callId: string, tool: { retry: string }) {
  const others = await tx.query(executing(runId, callId));
  const overlaps = (name: string) => tool.retry === 'safe' && kernel.registry.find(name)?.retry === 'safe';
  const first = others.find((other) => !overlaps(other.tool));
  if (!first) return;
  throw new ToolError(
    'call_in_progress',
    `${first.tool} of this run is still executing. Send this call again once that one has been answered.`,
  );
}

/** Runs a handler whose effect is in our database, and records its answer with the commit. */
async function perform(tx: Tx, calling: Calling, run: CallingRun, call: CallRow): Promise<Step> {
  const { kernel, caller, asked, now } = calling;
  const { declared, input } = accepted(asked);
  const { tool } = declared;
  const context = contextOf(tool, { tx, now, enterpriseId: run.enterpriseId, caller, callId: call.id, run, registry: kernel.registry });
  return { row: await succeedCall(tx, call, tool, await tool.handler(context, input), now) };
}

/** The toolCallId is taken, or the run is not running. */
async function again(tx: Tx, calling: Calling, run: CallingRun): Promise<Step> {
  const { kernel, asked, toolCallId, now, spell } = calling;
  const { declared, input } = accepted(asked);
  const prior = await boundCall(tx, run.id, toolCallId);
  const refusal = prior ? reused(prior, asked) : await stateRefusal(tx, run);
  if (refusal) return { row: unrecorded(run, { ...asked, toolCallId }, spell(refusal), now) };
  if (declared.tool.effect === 'write' || prior!.gated) return { row: prior! };
  const inactive = await stateRefusal(tx, run);
  if (inactive) return { row: unrecorded(run, { ...asked, toolCallId }, inactive, now) };
  if (declared.tool.where === 'database') return perform(tx, calling, run, prior!);
  const owner = await reclaim(tx, kernel, prior!.id, true);
  return owner ? { outside: { callId: prior!.id, run, tool: declared.tool, input, owner } } : { row: prior! };
}

/** The call had no effect: its row says why, and a fatal error fails the run. */
async function recordFailure(tx: Tx, calling: Calling, raised: ToolError): Promise<Step> {
  const { own, id, toolCallId, asked, now, spell } = calling;
  const run = await lockRun(tx, own.enterpriseId, own.id);
  checkAttempt(run, own.attempt);
  const unstored = (refusal: ToolError) => ({ row: unrecorded(run, { ...asked, toolCallId }, spell(refusal), now) });
  const prior = await boundCall(tx, run.id, toolCallId);
  if (prior) return reused(prior, asked) ? unstored(reused(prior, asked)!) : settled(tx, calling, run, prior, spell(raised));
  const inactive = await stateRefusal(tx, run);
  if (inactive) return unstored(inactive);
  const error = raised.code === 'unknown_tool_name' ? await countUnknown(tx, run, raised) : raised;
  const call = { id, toolCallId, name: asked.name, arguments: asked.arguments, contentHash: asked.contentHash, now };
  return failed(tx, now, run, await insertFailedCall(tx, run, call, spell(error)));
}

/** A fatal error fails the run. */
async function failed(tx: Tx, now: Date, run: RunState, row: CallRow): Promise<Step> {
  if (row.status === 'RUN_FAILED') await endRun(tx, now, run, { status: 'FAILED', failureCode: row.errorCode!, reason: row.errorMessage });
  return { row };
}

/** The call has a row already: a repeated read takes the new answer, anything else keeps its own. */
async function settled(tx: Tx, { asked, now }: Calling, run: RunState, prior: BoundCall, error: ToolError): Promise<Step> {
  if ('refusal' in asked.verdict || asked.verdict.declared.tool.effect === 'write' || prior.gated) return { row: prior };
  const inactive = await stateRefusal(tx, run);
  if (inactive) return { row: unrecorded(run, { ...asked, toolCallId: prior.toolCallId }, inactive, now) };
  const [row] = await tx.query(endCall(prior.id, asked.verdict.declared.tool, false, { error }, now));
  return failed(tx, now, run, row ?? prior);
}

const bumpUnknown = statement<{ before: number }, [string]>(
  'count_unknown_tool',
  `UPDATE "Run" SET "unknownToolCount" = "unknownToolCount" + 1 WHERE "id" = $1 RETURNING "unknownToolCount" - 1 AS "before"`,
);

/** The fourth unknown name in one run is one too many. */
async function countUnknown(tx: Tx, run: RunState, error: ToolError): Promise<ToolError> {
  const { before } = only(await tx.query(bumpUnknown(run.id)), `run ${run.id}`);
  if (before < 3) return error;
  return new ToolError(
    'unknown_tool_repeated',
    `${error.message} It is the fourth unknown name in this run, so the run fails.`,
    error.details,
  );
}

function accepted(asked: Examined) {
  if ('refusal' in asked.verdict) throw asked.verdict.refusal;
  return asked.verdict;
}

const newLease = (kernel: Kernel, now: Date) => ({ owner: `${kernel.processId}/${v7()}`, expiresAt: after(now, kernel.timing.callLease) });

function checkAttempt<Row extends { attempt: number }>(run: Row | undefined, attempt: number): asserts run is Row {
  if (run?.attempt === attempt) return;
  throw new ToolError('unauthenticated', HANDED_OUT_AGAIN);
}

function reused(prior: CallRow, asked: Examined): ToolError | undefined {
  if (prior.contentHash === asked.contentHash) return undefined;
  const message = `This run used the toolCallId ${quoted(prior.toolCallId)} for another call, of ${prior.tool}. Send this one under a new id.`;
  return new ToolError('tool_call_id_reused', message, { tool: prior.tool });
}

async function stateRefusal(tx: Tx, run: CallingRun): Promise<ToolError | undefined> {
  if (run.status === 'RUNNING') return undefined;
  return run.status === 'WAITING' ? waiting(tx, run) : notActive(run);
}
