import type { Gate } from '../db/generated/client.ts';
import { statement } from '../db/statement.ts';
import { versionOfRun } from '../domain/run/task-of-run.ts';
import type { DecisionInput } from './decide-gate.ts';
import { checkAnswers, verdictOf } from './decision-rules.ts';
import type { Verdict } from './define.ts';
import { ToolError } from './errors.ts';
import { examine, parseArguments } from './examine.ts';
import { checkPayloadSize, type GateEnd } from './gates.ts';
import { payloadHash } from './hash.ts';
import { type PatchOperation, patchOf } from './json-patch.ts';
import type { Kernel } from './kernel.ts';
import { checkNeeds } from './needs.ts';

/** What a decision comes to. */
export interface Weighed {
  end: GateEnd;
  verdict: Verdict;
  /** What the decision is about: the payload as asked, or as the decider changed it. */
  payload: unknown;
  payloadHash: string;
  /** From the payload as asked to what is approved; null: the decider changed nothing. */
  edit: PatchOperation[] | null;
  /** The payload as its tool reads it, where it is to be executed or answered. */
  input: unknown;
}

/**
 * Finds what a decision comes to, before anything is locked or written: what a gate shows never changes. Whatever could keep the
 * approved call from being made is refused here, while the gate still waits.
 * @throws {ToolError} payload_changed, changes_not_possible, choice_invalid, answers_incomplete, invalid_arguments,
 *   tool_value_not_declared, and what a call can lack
 */
export async function weigh(kernel: Kernel, gate: Gate, input: DecisionInput): Promise<Weighed> {
  if (input.payloadHash !== gate.payloadHash) {
    const message = 'The decision names another payload than the one that waits. Reload the gate and decide on what it shows.';
    throw new ToolError('payload_changed', message, { payloadHash: gate.payloadHash });
  }
  const { end, verdict } = verdictOf(kernel.registry, gate, input);
  const asked = { end, verdict, payload: gate.payload, payloadHash: gate.payloadHash, edit: null };
  const edited = input.editedPayload ?? undefined;
  if (end !== 'approved') {
    if (edited === undefined) return { ...asked, input: undefined };
    const issues = [{ path: 'editedPayload', message: 'goes with APPROVE only' }];
    throw new ToolError('invalid_arguments', 'editedPayload goes with an approval only.', { issues });
  }
  const tool = kernel.registry.find(gate.tool);
  if (!tool && edited === undefined) return { ...asked, input: undefined }; // the call will end as `not_found`
  const read = edited === undefined ? parseArguments(tool!, gate.payload) : await editedCall(kernel, gate, edited);
  if (tool && input.decision === 'APPROVE') checkAnswers(tool, read, verdict.answers);
  const hash = edited === undefined ? gate.payloadHash : payloadHash(gate.tool, read);
  if (hash === gate.payloadHash) return { ...asked, input: read };
  return { ...asked, payload: read, payloadHash: hash, edit: patchOf(gate.payload, read), input: read };
}

const memberOf = statement<{ memberId: string | null }, [string, string]>(
  'member_of_run',
  `SELECT "memberId" FROM "Run" WHERE "enterpriseId" = $1 AND "id" = $2`,
);

/** A changed payload, checked as the call that it has become, as its tool reads it. */
async function editedCall(kernel: Kernel, gate: Gate, edited: unknown): Promise<unknown> {
  const version = await versionOfRun(kernel.db, gate.enterpriseId, gate.runId);
  const { verdict } = examine(kernel.registry, version, { toolCallId: '', tool: gate.tool, arguments: edited });
  if ('refusal' in verdict) throw asEdit(verdict.refusal);
  const [run] = await kernel.db.query(memberOf(gate.enterpriseId, gate.runId));
  checkNeeds({ tool: verdict.declared.tool, memberId: run!.memberId, summary: gate.summary, mayWrite: verdict.mayWrite });
  checkPayloadSize(verdict.input);
  return verdict.input;
}

/** A fatal pin fails the run that breaks it; a person who breaks it by an edit is only told. */
const asEdit = (refusal: ToolError) => {
  if (refusal.code !== 'tool_value_refused') return refusal;
  return new ToolError('tool_value_not_declared', refusal.message.replace(' The run fails.', ''), refusal.details);
};
