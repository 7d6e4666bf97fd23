import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { ANSWERS, type Asking, type Card, type Decision, insist, invoke, QUESTIONS } from './calls.ts';
import type { Claimed, Company } from './company.ts';

/** A gate that a run of the task `gated` opened. */
export interface Opened {
  run: Claimed;
  asking: Asking;
  card: Card;
}

/** The kinds of effect that a gate can hold back. */
export const HELD = ['os.set_context', 'probe.add', 'ledger.put', 'ledger.post', 'os.ask_ceo'] as const;

export type Held = (typeof HELD)[number];

/** Arguments under which the effect of a held call is found again. */
export function heldArguments(tool: Held, mark: string): Record<string, unknown> {
  if (tool === 'os.set_context') return { key: mark, value: { mark } };
  if (tool === 'os.ask_ceo') return QUESTIONS;
  return tool === 'probe.add' ? { entry: mark } : { entry: mark, amount: 1 };
}

/** Calls a gated tool in a run, a new one unless given. @throws when the call does not wait */
export async function openGate(company: Company, tool: Held, mark: string, given?: Claimed, url = company.stage.urls[0]!): Promise<Opened> {
  const run = given ?? (await company.run('gated', {}, url));
  const asking = { toolCallId: mark, tool, arguments: heldArguments(tool, mark) };
  const call = await invoke(url, run.token, asking);
  if (call.status !== 'WAITING' || !call.gate) throw new Error(`${tool} does not wait: ${JSON.stringify(call)}`);
  return { run, asking, card: call.gate };
}

/** The approval of a gate, with the answers that it needs. */
export const approval = ({ id, payloadHash, tool }: Card): Decision => ({
  ...{ gateId: id, payloadHash, decision: 'APPROVE' },
  ...(tool === 'os.ask_ceo' && { answers: ANSWERS }),
});

export const rejection = ({ id, payloadHash }: Card): Decision => ({ gateId: id, payloadHash, decision: 'REJECT', note: 'no' });

/** How often the effect of a held call took place. os.ask_ceo has none. */
export async function effects({ stage, enterpriseId }: Company, tool: Held, mark: string): Promise<number> {
  if (tool === 'os.set_context') return stage.db.prisma.contextEntry.count({ where: { enterpriseId, key: mark } });
  if (tool === 'probe.add') return (await stage.db.query({ text: 'SELECT FROM probe_add WHERE entry = $1', values: [mark] })).length;
  if (tool === 'ledger.post') return (await stage.ledger.posted(mark)).length;
  return (await stage.ledger.kept()).filter(({ entry }) => entry === mark).length;
}

/** The call of a gate once it is no longer executing, as its run is told. */
export const settledCall = ({ run, asking }: Opened, urls: () => string[]) => insist(urls, run.token, asking);

/** What a card binds a decision to, computed as the API says it is. */
export const shownHash = (tool: string, payload: unknown): string =>
  createHash('sha256')
    .update((canonicalize as unknown as (value: unknown) => string)({ tool, payload }))
    .digest('hex');
