import { createPatch } from 'rfc6902';
import { validate } from 'uuid';
import { z } from 'zod';
import { audit } from '../auth/audit.ts';
import { callerNow } from '../auth/authenticate.ts';
import type { Caller } from '../auth/caller.ts';
import { viaOf } from '../auth/caller.ts';
import { columns } from '../db/columns.ts';
import type { Tx } from '../db/database.ts';
import type { Gate } from '../db/generated/client.ts';
import type { GateDecision, GateStatus } from '../db/generated/enums.ts';
import { json, statement } from '../db/statement.ts';
import type { RunState } from '../domain/run/run-row.ts';
import { lockRun } from '../domain/run/run-statements.ts';
import { versionOfRun } from '../domain/run/task-of-run.ts';
import { alreadyDecided, requireGateOwner, verdictOf } from './decision-rules.ts';
import { applyEnd, type EndedGate } from './end-gate.ts';
import { notFound, ToolError } from './errors.ts';
import { examine } from './examine.ts';
import { type GateEnd, TRANSITIONS } from './gates.ts';
import { hashOf, payloadHash } from './hash.ts';
import type { Kernel } from './kernel.ts';
import { executeOutside, type OutsideClaim } from './outside.ts';
import { parseInput } from './parse-input.ts';

const Answer = z.strictObject({
  number: z.int32(),
  kind: z.enum(['ACCEPT', 'ANSWER', 'EXPLAIN']),
  text: z.string().max(20_000).nullish(),
});

const Decision = z.strictObject({
  gateId: z.string().max(200),
  decision: z.enum(['APPROVE', 'REJECT', 'REQUEST_CHANGES', 'CHOICE']),
  choice: z.string().max(200).nullish(),
  payloadHash: z.string().max(200),
  editedPayload: z.unknown().optional(),
  answers: z.array(Answer).max(200).nullish(),
  note: z.string().max(20_000).nullish(),
});

/** A decision as it was sent. */
export type DecisionInput = z.infer<typeof Decision>;

/**
 * Decides a waiting gate; of many at once one wins. The decision, the call, the run and the events commit together;
 * an approved effect outside follows at once, carried out by this process or, should it die, by the sweep of another.
 * @throws {ToolError} not_found, scope_missing, not_allowed, not_gate_owner, gate_already_decided, payload_changed,
 *   changes_not_possible, choice_invalid, answers_incomplete, invalid_arguments, tool_value_not_declared
 */
export async function decideGate(kernel: Kernel, caller: Caller, raw: unknown): Promise<Gate> {
  requireGateOwner(caller);
  const input = parseInput(Decision, raw) as DecisionInput;
  const { gate, outside } = await kernel.db.transaction((tx) => decide(tx, kernel, caller, input));
  if (outside) executeApproved(kernel, outside);
  if (gate.status === 'EXPIRED') throw await alreadyDecided(kernel.db, gate);
  return gate;
}

/** Carries an approved call out after its decision has committed; a stopping process waits for it. */
export function executeApproved(kernel: Kernel, claim: OutsideClaim): void {
  kernel.work.track(executeOutside(kernel, claim, null), (error) =>
    kernel.log.error({ err: error, callId: claim.callId }, 'an approved call was not recorded; the sweep settles it'),
  );
}

const find = statement<Gate, [string, string]>(
  'find_gate',
  `SELECT ${columns('Gate')} FROM "Gate" WHERE "enterpriseId" = $1 AND "id" = $2`,
);

async function decide(tx: Tx, kernel: Kernel, caller: Caller, input: DecisionInput) {
  const [found] = validate(input.gateId) ? await tx.query(find(caller.enterpriseId, input.gateId)) : [];
  if (!found) throw notFound('gate', input.gateId);
  const run = await lockRun(tx, caller.enterpriseId, found.runId);
  requireGateOwner(await callerNow(tx, kernel, caller));
  const [gate] = await tx.query(find(caller.enterpriseId, found.id)); // as it is under the lock
  if (gate!.status !== 'WAITING') throw await alreadyDecided(tx, gate!);
  if (gate!.timesOutAt && gate!.timesOutAt <= kernel.now()) return { gate: await expire(tx, kernel, gate!, run), outside: undefined };
  if (input.payloadHash !== gate!.payloadHash) {
    throw new ToolError(
      'payload_changed',
      'The decision names another payload than the one that waits. Reload the gate and decide on what it shows.',
      {
        payloadHash: gate!.payloadHash,
      },
    );
  }
  const { end, verdict } = verdictOf(kernel.registry, gate!, input);
  const payload = await approvedPayload(tx, kernel, gate!, run, caller, input, end);
  const decided = await close(tx, gate!, TRANSITIONS[end][gate!.kind].gate, {
    ...{ decision: input.decision, by: caller, at: kernel.now() },
    ...verdict,
  });
  await audit(tx, caller, {
    action: 'gate.decided',
    subjectId: gate!.id,
    details: {
      decision: input.decision,
      choice: verdict.choice,
      note: verdict.note,
      tool: gate!.tool,
      payloadHash: payloadHash(gate!.tool, payload),
    },
    at: kernel.now(),
  });
  const outside = await applyEnd(tx, kernel, { gate: decided, run, end, verdict, payload });
  return { gate: decided, outside };
}

interface Closing {
  decision: GateDecision | null;
  by: Caller | null;
  at: Date;
  choice: string | null;
  note: string | null;
  answers: unknown[];
}

type CloseValues = [string, GateStatus, GateDecision | null, string | null, string | null, string | null, Date, string | null, unknown];

/** The one conditional update that makes a decision, an expiry, or nothing when another came first. */
const closeGate = statement<Gate, CloseValues>(
  'close_gate',
  `UPDATE "Gate" SET "status" = $2, "decision" = $3, "choice" = $4, "decidedById" = $5, "decidedVia" = $6, "decidedAt" = $7, "note" = $8,
     "answers" = $9 WHERE "id" = $1 AND "status" = 'WAITING' RETURNING ${columns('Gate')}`,
);

async function close(tx: Tx, gate: Gate, status: GateStatus, { decision, by, at, choice, note, answers }: Closing): Promise<Gate> {
  const via = by && viaOf(by);
  const [closed] = await tx.query(closeGate(gate.id, status, decision, choice, by?.person?.id ?? null, via, at, note, json(answers)));
  if (!closed) throw await alreadyDecided(tx, gate);
  return closed;
}

/** Ends a gate whose time has run out. */
export async function expire(tx: Tx, kernel: Kernel, gate: Gate, run: RunState): Promise<Gate> {
  const nobody: EndedGate['verdict'] = { choice: null, note: null, answers: [] };
  const expired = await close(tx, gate, 'EXPIRED', { decision: null, by: null, at: kernel.now(), ...nobody });
  await applyEnd(tx, kernel, { gate: expired, run, end: 'expired', verdict: nobody, payload: gate.payload });
  return expired;
}

/** A fatal pin fails the run that breaks it; a person who breaks it by an edit is only told. */
const asEdit = (refusal: ToolError) => {
  if (refusal.code !== 'tool_value_refused') return refusal;
  return new ToolError('tool_value_not_declared', refusal.message.replace(' The run fails.', ''), refusal.details);
};

const insertVersion = statement<object, [string, string, unknown, string, string | null, Date]>(
  'insert_gate_version',
  `INSERT INTO "GateVersion" ("gateId", "number", "enterpriseId", "payload", "payloadHash", "editedById", "createdAt")
   VALUES ($1, 2, $2, $3, $4, $5, $6)`,
);

const tellModel = statement<object, [string, unknown]>('tell_model_of_edit', `UPDATE "ToolCall" SET "editedByHuman" = $2 WHERE "id" = $1`);

/** What is to be executed: the payload as asked, or as the decider changed it, checked as the call it has become. */
async function approvedPayload(tx: Tx, kernel: Kernel, gate: Gate, run: RunState, caller: Caller, input: DecisionInput, end: GateEnd) {
  const edited = input.editedPayload;
  if (edited === undefined) return gate.payload;
  if (end !== 'approved')
    throw new ToolError('invalid_arguments', 'editedPayload goes with an approval only.', {
      issues: [{ path: 'editedPayload', message: 'goes with APPROVE only' }],
    });
  if (hashOf(edited) === hashOf(gate.payload)) return gate.payload;
  const version = await versionOfRun(tx, run.enterpriseId, run.id);
  const { verdict } = examine(kernel.registry, version, { toolCallId: '', tool: gate.tool, arguments: edited });
  if ('refusal' in verdict) throw asEdit(verdict.refusal);
  await tx.query(
    insertVersion(gate.id, gate.enterpriseId, json(edited), payloadHash(gate.tool, edited), caller.person?.id ?? null, kernel.now()),
  );
  await tx.query(tellModel(gate.callId, json(createPatch(gate.payload, edited))));
  tx.emit({ enterpriseId: gate.enterpriseId, topic: 'GATE', kind: 'EDITED', runId: run.id, gateId: gate.id, callId: gate.callId });
  return edited;
}
