import { validate } from 'uuid';
import { z } from 'zod';
import { audit } from '../auth/audit.ts';
import { callerNow } from '../auth/authenticate.ts';
import type { Caller } from '../auth/caller.ts';
import { viaOf } from '../auth/caller.ts';
import { columns } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { Gate } from '../db/generated/client.ts';
import type { GateDecision, GateStatus } from '../db/generated/enums.ts';
import { json, statement } from '../db/statement.ts';
import { CEO_OF_GATE } from '../domain/gate/ceo-of-gate.ts';
import type { RunState } from '../domain/run/run-row.ts';
import { lockRun } from '../domain/run/run-statements.ts';
import { alreadyDecided, requireGateOwner } from './decision-rules.ts';
import { applyEnd, type EndedGate } from './end-gate.ts';
import { notFound } from './errors.ts';
import { TRANSITIONS } from './gates.ts';
import type { Kernel } from './kernel.ts';
import { executeOutside, type OutsideClaim } from './outside.ts';
import { parseInput } from './parse-input.ts';
import { type Weighed, weigh } from './weigh-decision.ts';

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
 * A failure of the service, be it in the approved call, undoes all of it: the gate waits on, and the decision may be sent again.
 * @throws {ToolError} not_found, scope_missing, not_allowed, not_gate_owner, gate_already_decided, and what `weigh` refuses
 */
export async function decideGate(kernel: Kernel, caller: Caller, raw: unknown): Promise<Gate> {
  requireGateOwner(caller);
  const input = parseInput(Decision, raw) as DecisionInput;
  let found = await gateOf(kernel.db, caller.enterpriseId, input.gateId);
  if (isDue(found, kernel.now())) {
    await expireDue(kernel, found);
    found = await gateOf(kernel.db, caller.enterpriseId, input.gateId);
  }
  if (found.status !== 'WAITING') throw await alreadyDecided(kernel.db, found);
  const weighed = await weigh(kernel, found, input);
  const { gate, outside } = await kernel.db.transaction((tx) => decide(tx, kernel, caller, { found, input, weighed }));
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

async function gateOf(db: Queryable, enterpriseId: string, id: string): Promise<Gate> {
  const [gate] = validate(id) ? await db.query(find(enterpriseId, id)) : [];
  if (!gate) throw notFound('gate', id);
  return gate;
}

interface Deciding {
  /** The gate before it was locked. */
  found: Gate;
  input: DecisionInput;
  weighed: Weighed;
}

async function decide(tx: Tx, kernel: Kernel, caller: Caller, { found, input, weighed }: Deciding) {
  const { end, verdict } = weighed;
  const run = await lockRun(tx, caller.enterpriseId, found.runId);
  requireGateOwner(await callerNow(tx, kernel, caller));
  const gate = await gateOf(tx, caller.enterpriseId, found.id); // as it is under the lock
  const at = kernel.now();
  if (gate.status !== 'WAITING') throw await alreadyDecided(tx, gate);
  if (isDue(gate, at)) return { gate: await expire(tx, kernel, gate, run), outside: undefined };
  if (weighed.edit) await recordEdit(tx, gate, weighed, caller, at);
  const status = TRANSITIONS[end][gate.kind].gate;
  const decided = await close(tx, gate, status, { decision: input.decision, by: caller, at, ...verdict });
  await audit(tx, caller, { action: 'gate.decided', subjectId: gate.id, details: detailsOf(gate, input, weighed), at });
  const outside = await applyEnd(tx, kernel, { gate: decided, run, end, verdict, input: weighed.input });
  return { gate: decided, outside };
}

const detailsOf = ({ tool }: Gate, { decision }: DecisionInput, { verdict: { choice, note }, payloadHash }: Weighed) => ({
  ...{ decision, choice, note, tool, payloadHash },
});

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
     "answers" = $9, "ownerId" = coalesce($5, ${CEO_OF_GATE}) WHERE "id" = $1 AND "status" = 'WAITING' RETURNING ${columns('Gate')}`,
);

async function close(tx: Tx, gate: Gate, status: GateStatus, { decision, by, at, choice, note, answers }: Closing): Promise<Gate> {
  const via = by && viaOf(by);
  const [closed] = await tx.query(closeGate(gate.id, status, decision, choice, by?.person?.id ?? null, via, at, note, json(answers)));
  if (!closed) throw await alreadyDecided(tx, gate);
  return closed;
}

const isDue = ({ status, timesOutAt }: Gate, at: Date) => status === 'WAITING' && timesOutAt !== null && timesOutAt <= at;

/** Ends a gate whose time has run out, unless a decision came first: that stands. */
export async function expireDue(kernel: Kernel, { id, enterpriseId, runId }: Pick<Gate, 'id' | 'enterpriseId' | 'runId'>): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const run = await lockRun(tx, enterpriseId, runId);
    const gate = await gateOf(tx, enterpriseId, id);
    if (gate.status === 'WAITING') await expire(tx, kernel, gate, run);
  });
}

async function expire(tx: Tx, kernel: Kernel, gate: Gate, run: RunState): Promise<Gate> {
  const nobody: EndedGate['verdict'] = { choice: null, note: null, answers: [] };
  const expired = await close(tx, gate, 'EXPIRED', { decision: null, by: null, at: kernel.now(), ...nobody });
  await applyEnd(tx, kernel, { gate: expired, run, end: 'expired', verdict: nobody, input: undefined });
  return expired;
}

const insertVersion = statement<object, [string, string, unknown, string, string | null, Date]>(
  'insert_gate_version',
  `INSERT INTO "GateVersion" ("gateId", "number", "enterpriseId", "payload", "payloadHash", "editedById", "createdAt")
   VALUES ($1, 2, $2, $3, $4, $5, $6)`,
);

const tellModel = statement<object, [string, unknown]>('tell_model_of_edit', `UPDATE "ToolCall" SET "editedByHuman" = $2 WHERE "id" = $1`);

/** Keeps what was approved in place of what was asked, and tells the model the difference, so that it does not send the original again. */
async function recordEdit(tx: Tx, gate: Gate, { payload, payloadHash, edit }: Weighed, by: Caller, now: Date) {
  await tx.query(insertVersion(gate.id, gate.enterpriseId, json(payload), payloadHash, by.person?.id ?? null, now));
  await tx.query(tellModel(gate.callId, json(edit)));
  tx.emit({ enterpriseId: gate.enterpriseId, topic: 'GATE', kind: 'EDITED', runId: gate.runId, gateId: gate.id, callId: gate.callId });
}
