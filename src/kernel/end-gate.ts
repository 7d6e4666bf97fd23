import { v7 } from 'uuid';
import { columns } from '../db/columns.ts';
import type { Tx } from '../db/database.ts';
import type { Gate } from '../db/generated/client.ts';
import type { ToolCallStatus, ToolHandling } from '../db/generated/enums.ts';
import { json, statement } from '../db/statement.ts';
import { endRun } from '../domain/run/end-run.ts';
import { type RunState, stateColumns } from '../domain/run/run-row.ts';
import { contextOf } from './call-context.ts';
import { type CallRow, type Ending, endCall, failureOf } from './call-row.ts';
import type { Verdict } from './define.ts';
import { ToolError } from './errors.ts';
import { type GateEnd, TRANSITIONS, type Transition } from './gates.ts';
import { after, type Kernel } from './kernel.ts';
import type { OutsideClaim } from './outside.ts';
import type { RegisteredTool } from './registry.ts';
import { shortenToFit } from './shorten.ts';

/** A gate that was just decided or ran out; its row is updated already, its run is locked. */
export interface EndedGate {
  gate: Gate;
  run: RunState;
  end: GateEnd;
  verdict: Verdict;
  /** The approved payload as its tool reads it; undefined where none is executed. */
  input: unknown;
}

type CallValues = [
  string,
  ToolCallStatus,
  unknown,
  string | null,
  string | null,
  ToolHandling | null,
  unknown,
  Date | null,
  string | null,
  Date | null,
];

const moveCall = statement<CallRow, CallValues>(
  'move_gated_call',
  `UPDATE "ToolCall" SET "status" = $2, "result" = $3, "errorCode" = $4, "errorMessage" = $5, "errorHandling" = $6, "errorDetails" = $7,
     "finishedAt" = $8, "leaseOwner" = $9, "leaseExpiresAt" = $10 WHERE "id" = $1 AND "status" = 'WAITING' RETURNING ${columns('ToolCall')}`,
);

const resume = statement<RunState, [string, Date]>(
  'resume_run',
  `UPDATE "Run" SET "status" = 'RUNNING', "leaseExpiresAt" = $2, "stalledAt" = NULL WHERE "id" = $1 RETURNING ${stateColumns()}`,
);

/**
 * What the end of a gate makes of its call and its run, as `TRANSITIONS` says, with the events that wake the run. An
 * approved call whose effect is in our database is made here and now; one with an effect outside is claimed, and must be
 * executed by the caller once the transaction has committed.
 */
export async function applyEnd(tx: Tx, kernel: Kernel, ended: EndedGate): Promise<OutsideClaim | undefined> {
  const { gate, run, end } = ended;
  const to = TRANSITIONS[end][gate.kind];
  const about = { enterpriseId: gate.enterpriseId, runId: run.id, gateId: gate.id, callId: gate.callId };
  tx.emit({ ...about, topic: 'GATE', kind: end === 'expired' ? 'EXPIRED' : 'DECIDED' });
  tx.emit({ ...about, topic: 'RUN', kind: 'DECIDED' });
  if (to.call !== 'execute' && to.call !== 'answer') return closeCall(tx, kernel, ended, to, to.call);
  const tool = kernel.registry.find(gate.tool);
  if (!tool) return closeGone(tx, kernel, ended);
  if (tool.where === 'outside') return claimApproved(tx, kernel, ended, tool, to);
  return to.call === 'answer' ? answer(tx, kernel, ended, tool) : execute(tx, kernel, ended, tool);
}

async function closeCall(tx: Tx, kernel: Kernel, ended: EndedGate, to: Transition, code: keyof typeof SAID): Promise<undefined> {
  const { gate, run, verdict } = ended;
  const now = kernel.now();
  const details = code === 'gate_expired' ? undefined : { note: verdict.note, ...(verdict.choice && { choice: verdict.choice }) };
  const { status, ...failure } = failureOf(new ToolError(code, told(SAID[code], verdict.note), details));
  const { errorCode, errorMessage, errorHandling, errorDetails } = failure;
  await tx.query(moveCall(gate.callId, status, null, errorCode, errorMessage, errorHandling, json(errorDetails), now, null, null));
  if (to.run === 'RUNNING') await backToRunning(tx, kernel, run);
  else if (to.run === 'CANCELLED') await endRun(tx, now, run, { status: 'CANCELLED', reason: verdict.note });
  else await endRun(tx, now, run, { status: 'FINISHED', outcome: to.outcome!, output: { ceoNote: verdict.note } });
}

const SAID = {
  gate_rejected: 'A person rejected this call; it was not made. Do not send it again: do what the note asks, or go on without it.',
  gate_changes_requested: 'A person asks for changes before this call is made. Make them and call again under a new id.',
  gate_expired: 'Nobody decided on this call in time; it was not made. Go on without it, or send it again under a new id.',
};

const told = (message: string, note: string | null) => (note ? `${message} The note says: ${note}` : message);

const backToRunning = (tx: Tx, kernel: Kernel, run: RunState) => tx.query(resume(run.id, after(kernel.now(), kernel.timing.runLease)));

/** The tool was taken out of the service while its gate waited: the approval stands, and the call ends as an error. */
async function closeGone(tx: Tx, kernel: Kernel, { gate, run }: EndedGate): Promise<undefined> {
  const message = `The service no longer has the tool of this call, so the approved call was not made. Go on without it.`;
  await tx.query(moveCall(gate.callId, 'TOOL_ERROR', null, 'not_found', message, 'TOOL_ERROR', null, kernel.now(), null, null));
  await backToRunning(tx, kernel, run);
}

async function claimApproved(tx: Tx, kernel: Kernel, ended: EndedGate, tool: RegisteredTool, to: Transition): Promise<OutsideClaim> {
  const { gate, run, input } = ended;
  const owner = `${kernel.processId}/${v7()}`;
  const lease = after(kernel.now(), kernel.timing.callLease);
  await tx.query(moveCall(gate.callId, 'EXECUTING', null, null, null, null, null, null, owner, lease));
  if (to.run === 'RUNNING') await backToRunning(tx, kernel, run);
  return { callId: gate.callId, run, tool, input, owner };
}

/**
 * A run-ending gate without an effect outside: what the decision adds is the run's output, whole, and the call's result. Only
 * that is shortened where a person wrote more than one answer holds.
 */
async function answer(tx: Tx, kernel: Kernel, { gate, run, verdict, input }: EndedGate, tool: RegisteredTool): Promise<undefined> {
  const now = kernel.now();
  const output = tool.gate!.approved?.(input, verdict) ?? chosen(verdict);
  await tx.query(moveCall(gate.callId, 'SUCCEEDED', json(shortenToFit(output)), null, null, null, null, now, null, null));
  await endRun(tx, now, run, { status: 'FINISHED', outcome: 'ceo_approved', output });
}

const chosen = ({ choice, note }: Verdict) => ({ ...(choice !== null && { ceoChoice: choice }), ceoNote: note });

/**
 * The approved call, made in the decision's own transaction. An error of the tool undoes its effect and is its answer; anything
 * else is a failure of the service, and undoes the decision.
 */
async function execute(tx: Tx, kernel: Kernel, { gate, run, input }: EndedGate, tool: RegisteredTool): Promise<undefined> {
  const now = kernel.now();
  await tx.query(moveCall(gate.callId, 'EXECUTING', null, null, null, null, null, null, null, null));
  await backToRunning(tx, kernel, run);
  const ending = await tx
    .savepoint(async (inner): Promise<Ending> => {
      const context = contextOf(tool, {
        tx: inner,
        now,
        enterpriseId: run.enterpriseId,
        caller: null,
        callId: gate.callId,
        run,
        registry: kernel.registry,
      });
      return { result: await tool.handler(context, input) };
    })
    .catch((error): Ending => {
      if (error instanceof ToolError) return { error };
      throw error;
    });
  const [row] = await tx.query(endCall(gate.callId, tool, true, ending, now));
  if (row!.status !== 'RUN_FAILED') return;
  await endRun(tx, now, { ...run, status: 'RUNNING' }, { status: 'FAILED', failureCode: row!.errorCode!, reason: row!.errorMessage });
}
