import { codeOf, decide } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { approval, effects, openGate, settledCall } from './harness/gates.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { sharedStage } from './harness/stage.ts';
import { inFlight, passing, range } from './harness/wait.ts';

export const name = 'P12';
export const claim = 'a decision at its deadline comes first or too late, never both';
export const sizes = { small: 30, full: 1_000 };

const TOOLS = ['os.set_context', 'ledger.put', 'os.ask_ceo'] as const;

/** How far ahead a deadline is set. */
const AHEAD = 400;

/** `size` gates, each approved within 5 ms of its deadline, as far as the way to the service can be told. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const company = await Company.found(stage);
  const findings = new Findings();
  const random = new Random(asked.seed);
  const ends = { APPROVED: 0, EXPIRED: 0 } as Record<string, number>;
  let way = 20; // how long a decision is under way: found out by who comes first
  await inFlight(4, range(asked.size), async (index) => {
    const tool = TOOLS[index % TOOLS.length]!;
    const mark = `p12-${asked.seed}-${company.enterpriseId}-${index}`;
    const opened = await openGate(company, tool, mark, undefined, stage.urls[index % 2]);
    const timesOutAt = new Date(Date.now() + AHEAD);
    await stage.db.prisma.gate.updateMany({ where: { id: opened.card.id }, data: { timesOutAt } });
    await passing(timesOutAt.getTime() - Date.now() - way + random.next() * 10 - 5);
    const answer = await decide(stage.urls[(index + 1) % 2]!, company.ceo.secret, approval(opened.card));
    const atAnswer = await effects(company, tool, mark);
    const call = await settledCall(opened, () => stage.urls);
    const gate = (await stage.db.prisma.gate.findFirst({ where: { id: opened.card.id } }))!;
    ends[gate.status] = (ends[gate.status] ?? 0) + 1;
    const approved = gate.status === 'APPROVED';
    way += approved ? -4 : 4;
    findings.check(approved || gate.status === 'EXPIRED', 'the end of the gate', gate);
    findings.same(
      answer.data?.decideGate?.status ?? codeOf(answer),
      approved ? 'APPROVED' : 'gate_already_decided',
      'what the decider was told',
    );
    findings.same(call.error?.code, approved ? undefined : 'gate_expired', 'what the run was told');
    const after = await effects(company, tool, mark);
    if (approved && tool !== 'os.ask_ceo') findings.same(after, 1, 'effects of an approval');
    if (!approved) findings.same([atAnswer, after], [0, 0], 'effects after a time-out');
    findings.same(gate.decidedById !== null, approved, 'who decided');
  });
  if (asked.size >= 100)
    findings.check(Math.min(ends.APPROVED!, ends.EXPIRED!) > asked.size / 20, 'the trials were not at the deadline', ends);
  const found = `${ends.APPROVED} approved, ${ends.EXPIRED} timed out: 1 end each, 0 effects after a time-out`;
  return findings.result(name, asked, 'one terminal state, never an effect after "timed out"', found);
}
