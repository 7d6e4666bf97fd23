import type { Caller } from '../auth/caller.ts';
import { requireScope } from '../auth/scopes.ts';
import type { Queryable } from '../db/database.ts';
import type { Gate } from '../db/generated/client.ts';
import { statement } from '../db/statement.ts';
import type { DecisionInput } from './decide-gate.ts';
import type { GateAnswer, GateChoice, Verdict } from './define.ts';
import { ToolError } from './errors.ts';
import type { GateEnd } from './gates.ts';
import type { RegisteredTool, Registry } from './registry.ts';

/** Lets the CEO pass: in a session, or through a token with `gates:decide`. @throws {ToolError} scope_missing, not_allowed, not_gate_owner */
export function requireGateOwner(caller: Caller): void {
  if (caller.kind !== 'SESSION') requireScope(caller, 'gates:decide');
  if (caller.person?.isCeo) return;
  throw new ToolError('not_gate_owner', `Gates are decided by the CEO; ${caller.person?.name ?? 'this token’s owner'} is not the CEO.`);
}

/** Whether `requireGateOwner` would let the caller pass. */
export const mayDecideGates = (caller: Caller) =>
  caller.person?.isCeo === true && (caller.kind === 'SESSION' || (caller.kind === 'API_TOKEN' && caller.scopes.includes('gates:decide')));

const decider = statement<{ name: string }, [string, string]>(
  'decider_name',
  `SELECT "name" FROM "Person" WHERE "enterpriseId" = $1 AND "id" = $2`,
);

/** The refusal that tells which decision stands. */
export async function alreadyDecided(db: Queryable, gate: Gate): Promise<ToolError> {
  const { status, decision, choice, decidedById, decidedAt } = gate;
  const [person] = decidedById ? await db.query(decider(gate.enterpriseId, decidedById)) : [];
  const decidedBy = person ? { id: decidedById, name: person.name } : null;
  const by = decidedBy ? ` by ${decidedBy.name}` : '';
  return new ToolError('gate_already_decided', `This gate is ${status.toLowerCase().replace('_', ' ')}${by}; that stands.`, {
    ...{ status, decision, choice, decidedBy, decidedAt: decidedAt?.toISOString() ?? null },
  });
}

/** What a decision means for this gate. @throws {ToolError} changes_not_possible, choice_invalid, invalid_arguments */
export function verdictOf(registry: Registry, gate: Gate, input: DecisionInput): { end: GateEnd; verdict: Verdict } {
  const choices = gate.choices as unknown as GateChoice[];
  const answers = (input.answers ?? []).map(({ number, kind, text }): GateAnswer => ({ number, kind, text: text ?? null }));
  const verdict: Verdict = { choice: input.choice ?? null, note: input.note ?? null, answers };
  if (input.decision === 'REQUEST_CHANGES') {
    if (!gate.canRequestChanges)
      throw new ToolError('changes_not_possible', 'This gate cannot be sent back with changes: approve or reject it.');
    return { end: 'changes_requested', verdict };
  }
  if (input.decision === 'CHOICE') return { end: chosenEnd(registry, gate, choices, verdict), verdict };
  if (verdict.choice !== null) throw choiceInvalid('choice goes with the decision CHOICE only.', choices);
  if (choices.length > 0) throw choiceInvalid('This gate is decided by a choice.', choices);
  if (input.decision === 'REJECT') return { end: 'rejected', verdict };
  return { end: 'approved', verdict };
}

const choiceInvalid = (message: string, choices: GateChoice[]) => {
  const offered = choices.map(({ value }) => value);
  return new ToolError('choice_invalid', `${message} Offered: ${offered.join(', ') || 'none'}.`, { choices: offered });
};

function chosenEnd(registry: Registry, gate: Gate, choices: GateChoice[], verdict: Verdict): GateEnd {
  const choice = choices.find(({ value }) => value === verdict.choice);
  if (!choice) throw choiceInvalid(`The gate does not offer ${JSON.stringify(verdict.choice)}.`, choices);
  if (choice.note && !verdict.note?.trim()) {
    throw new ToolError('invalid_arguments', `note: ${choice.note}`, { issues: [{ path: 'note', message: choice.note }] });
  }
  const offered = registry.find(gate.tool)?.gate?.choices?.find(({ value }) => value === choice.value);
  return offered?.approves === false ? 'left' : 'approved';
}

/**
 * Approving needs an answer to each question of the approved payload, and no other.
 * @throws {ToolError} answers_incomplete, invalid_arguments
 */
export function checkAnswers(tool: RegisteredTool, input: unknown, answers: GateAnswer[]): void {
  const asked = tool.gate?.questions?.(input) ?? [];
  const given = answers.map(({ number }) => number);
  const unfit = answers.flatMap(({ number, kind, text }, index) => [
    ...(asked.includes(number) ? [] : [{ path: `answers[${index}].number`, message: `there is no question ${number}` }]),
    ...(given.indexOf(number) === index ? [] : [{ path: `answers[${index}].number`, message: `question ${number} is answered twice` }]),
    ...(kind === 'ANSWER' && !text?.trim() ? [{ path: `answers[${index}].text`, message: 'ANSWER needs a text' }] : []),
  ]);
  if (unfit.length > 0) {
    throw new ToolError('invalid_arguments', unfit.map(({ path, message }) => `${path}: ${message}`).join('\n'), { issues: unfit });
  }
  const missing = asked.filter((number) => !given.includes(number));
  if (missing.length === 0) return;
  throw new ToolError('answers_incomplete', `Approving needs an answer to each question; missing: ${missing.join(', ')}.`, { missing });
}
