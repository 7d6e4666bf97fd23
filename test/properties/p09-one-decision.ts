import { graphql } from '../support/graphql-client.ts';
import { CARD, type Card, type Decision, type decide } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { approval, effects, HELD, type Held, openGate, rejection, settledCall } from './harness/gates.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { sharedStage } from './harness/stage.ts';
import { range } from './harness/wait.ts';

export const name = 'P9';
export const claim = 'of many decisions at once one stands, and the others are told which';
export const sizes = { small: 30, full: 100 };

/** What a decider was answered: the gate, or the error. */
interface Told {
  gate?: Card;
  code?: string;
  details?: { status: string; decidedAt: string; decision: string };
}

const ALONE = `mutation ($input: DecideGateInput!) { decideGate(input: $input) { ${CARD} } }`;
const AMONG = `mutation ($input: [DecideGateInput!]!) { decideGates(input: $input) { gate { ${CARD} } error { code details } } }`;

async function alone(url: string, token: string, input: Decision): Promise<Told> {
  const { data, errors }: Awaited<ReturnType<typeof decide>> = await graphql(url, token, ALONE, { input });
  return data?.decideGate ? { gate: data.decideGate } : { code: errors![0]!.extensions!.code!, details: errors![0]!.extensions!.details };
}

async function among(url: string, token: string, input: Decision): Promise<Told> {
  const [result] = (await graphql(url, token, AMONG, { input: [input] })).data.decideGates;
  return result.gate ? { gate: result.gate } : result.error;
}

function decisions(card: Card, held: Held): Decision[] {
  const all: Decision[] = [approval(card), rejection(card)];
  if (held === 'os.ask_ceo') return all;
  const editedPayload = {
    ...card.payload,
    ...(held === 'os.set_context' ? { value: 'edited' } : held === 'probe.add' ? { text: 'edited' } : { amount: 2 }),
  };
  return [...all, { ...approval(card), editedPayload }, { ...rejection(card), decision: 'REQUEST_CHANGES' }];
}

/** `size` approvals, rejections, edits and requests for changes at once, over two processes, on each kind of gate. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const company = await Company.found(stage);
  const random = new Random(asked.seed);
  const findings = new Findings();
  for (const held of HELD) await trial(company, held, asked, random, findings);
  const found = `${HELD.length} gates × ${asked.size} decisions: 1 winner, ${asked.size - 1} told of it, 1 audit row, 1 resume, at most 1 effect each`;
  return findings.result(name, asked, '1 wins, the rest gate_already_decided with its outcome; 1 audit row, 1 resume, 1 effect', found);
}

async function trial(company: Company, held: Held, { size, seed }: Asked, random: Random, findings: Findings) {
  const { db, urls } = company.stage;
  const mark = `p9-${seed}-${company.enterpriseId}-${held}`;
  const opened = await openGate(company, held, mark);
  const { id } = opened.card;
  const choices = decisions(opened.card, held);
  const told = await Promise.all(
    range(size).map((index) => random.pick([alone, among])(urls[index % urls.length]!, company.ceo.secret, random.pick(choices))),
  );
  const call = await settledCall(opened, () => urls);
  const gate = (await db.prisma.gate.findFirst({ where: { id } }))!;
  const outcome = { status: gate.status, decision: gate.decision, decidedAt: gate.decidedAt!.toISOString() };
  findings.same(told.filter((one) => one.gate).length, 1, `${held}: winners`);
  for (const { gate: won, code, details } of told) {
    if (won) findings.same(won.status, gate.status, `${held}: what the winner was told`);
    else
      findings.same(
        [code, details?.status, details?.decision, details?.decidedAt],
        ['gate_already_decided', ...Object.values(outcome)],
        `${held}: what a loser was told`,
      );
  }
  findings.same(await db.prisma.auditEntry.count({ where: { subjectId: id } }), 1, `${held}: audit rows`);
  const approved = gate.status === 'APPROVED';
  const outside = approved && held.startsWith('ledger.');
  const where = { enterpriseId: company.enterpriseId, gateId: id, topic: 'RUN' as const, kind: 'DECIDED' };
  findings.same(await db.prisma.event.count({ where }), outside ? 2 : 1, `${held}: how often the run is told`);
  if (held !== 'os.ask_ceo') findings.same(await effects(company, held, mark), approved ? 1 : 0, `${held}: effects`);
  findings.same(call.status === 'SUCCEEDED', approved, `${held}: what became of the call`);
}
