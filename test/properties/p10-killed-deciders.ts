import { type Card, codeOf, type Decision, decide, isNetwork } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { approval, effects, HELD, type Held, type Opened, openGate, rejection, settledCall } from './harness/gates.ts';
import { Replacement } from './harness/killing.ts';
import { POINTS } from './harness/points.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { onStage, type Stage } from './harness/stage.ts';
import { eventually, inFlight, range } from './harness/wait.ts';

export const name = 'P10';
export const claim = 'a decision that was acknowledged survives the death of its process, with its effect';
export const sizes = { small: 2, full: 200 };

const AT_ONCE = 6;

/** `size` times: gates being decided through a process that is killed at a random point. */
export async function run(asked: Asked): Promise<Result> {
  return onStage({ timing: { callLease: 1_000, callRenew: 300 } }, async (stage) => {
    const company = await Company.found(stage);
    const random = new Random(asked.seed);
    const findings = new Findings();
    let [acknowledged, unknown] = [0, 0];
    for (let index = 0; index < asked.size; index++) {
      const trial = { stage, company, random, findings, mark: `p10-${asked.seed}-${index}`, isLast: index === asked.size - 1 };
      const counts = await killOne(trial);
      acknowledged += counts.acknowledged;
      unknown += AT_ONCE - counts.acknowledged;
    }
    const waiting = await stage.db.query({
      text: `SELECT "id" FROM "Gate" WHERE "enterpriseId" = $1 AND "status" = 'WAITING' AND ("decision" IS NOT NULL OR "decidedAt" IS NOT NULL
        OR EXISTS (SELECT FROM "AuditEntry" WHERE "subjectId" = "Gate"."id"))`,
      values: [company.enterpriseId],
    });
    findings.same(waiting, [], 'gates that wait though decided');
    const found = `${asked.size} kills: ${acknowledged} acknowledged decisions stand, ${unknown} cut off were repeated; approved 1 effect, rejected 0`;
    return findings.result(
      name,
      asked,
      'acknowledged = durable; approved 1 effect, rejected 0; 0 waiting with a decision, 0 doubled',
      found,
    );
  });
}

/** Sends a decision as a portal does: again, elsewhere, when the process died under it. */
async function insistOn(
  stage: Stage,
  company: Company,
  first: string,
  input: Decision,
): Promise<{ acknowledged: boolean; told: Card | string }> {
  let turn = 0;
  return eventually('answer to a decision', async () => {
    const url = turn === 0 ? first : stage.urls[turn % 2]!;
    const acknowledged = turn++ === 0;
    try {
      const answer = await decide(url, company.ceo.secret, input);
      return { acknowledged, told: answer.data?.decideGate ?? codeOf(answer)! };
    } catch (error) {
      if (isNetwork(error)) return undefined;
      throw error;
    }
  });
}

interface Trial {
  stage: Stage;
  company: Company;
  random: Random;
  findings: Findings;
  mark: string;
  isLast: boolean;
}

async function killOne({ stage, company, random, findings, mark, isLast }: Trial) {
  const place = random.below(2);
  const victim = stage.nodes[place]!;
  const gates = await Promise.all(
    range(AT_ONCE).map((index) => openGate(company, random.pick(HELD), `${mark}-${index}`, undefined, stage.nodes[1 - place]!.url)),
  );
  const point = random.pick(POINTS);
  const replacement = new Replacement(stage, victim, isLast);
  await victim.control.arm(point, 1 + random.below(AT_ONCE), 'SIGKILL');
  const sent = gates.map(({ card }) => random.pick([approval, rejection])(card));
  const answers = await inFlight(2, sent, (decision) => insistOn(stage, company, victim.url, decision));
  await replacement.dead();
  for (const [index, opened] of gates.entries())
    await verify(stage, company, findings, opened, sent[index]!, answers[index]!, `killed ${point}`);
  await replacement.done();
  return { acknowledged: answers.filter(({ acknowledged }) => acknowledged).length };
}

async function verify(
  stage: Stage,
  company: Company,
  findings: Findings,
  opened: Opened,
  { decision }: Decision,
  { acknowledged, told }: { acknowledged: boolean; told: Card | string },
  fate: string,
) {
  const tool = opened.card.tool as Held;
  const call = await settledCall(opened, () => stage.urls);
  const gate = (await stage.db.prisma.gate.findFirst({ where: { id: opened.card.id } }))!;
  const status = decision === 'APPROVE' ? 'APPROVED' : 'REJECTED';
  findings.same(gate.status, status, `${tool} ${fate}: the gate`);
  const fits = typeof told === 'string' ? !acknowledged && told === 'gate_already_decided' : told.status === status;
  findings.check(fits, `${tool} ${fate}: what the decider was told`, { acknowledged, told });
  findings.same(await stage.db.prisma.auditEntry.count({ where: { subjectId: gate.id } }), 1, `${tool} ${fate}: audit rows`);
  if (tool === 'os.ask_ceo') return;
  const acted = await effects(company, tool, opened.asking.toolCallId);
  if (status === 'REJECTED') findings.same(acted, 0, `${tool} ${fate}: effects of a rejection`);
  else if (call.status === 'OUTCOME_UNKNOWN' && tool === 'ledger.post') findings.check(acted <= 1, `${tool} ${fate}: acted twice`, acted);
  else findings.same([call.status, acted], ['SUCCEEDED', 1], `${tool} ${fate}: effects of an approval`);
}
