import { type Asking, insist, invoke, isNetwork } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { effects, type Held, heldArguments } from './harness/gates.ts';
import { Replacement } from './harness/killing.ts';
import { POINTS } from './harness/points.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { onStage, type Stage } from './harness/stage.ts';
import { range } from './harness/wait.ts';

export const name = 'P4';
export const claim = 'a call whose process is killed takes effect once';
export const sizes = { small: 2, full: 200 };

const TIMING = { callLease: 1_000, callRenew: 300 };
const TOOLS: Held[] = ['probe.add', 'os.set_context', 'ledger.put', 'ledger.post'];
const AT_ONCE = 6;

/** `size` times: calls under way in a process that is killed at a random point, each sent again by its client. */
export async function run(asked: Asked): Promise<Result> {
  return onStage({ timing: TIMING }, async (stage) => {
    const company = await Company.found(stage);
    const random = new Random(asked.seed);
    const findings = new Findings();
    const reached: Record<string, number> = {};
    let longest = 0;
    for (let index = 0; index < asked.size; index++) {
      const trial = { company, random, findings, mark: `p4-${asked.seed}-${index}`, isLast: index === asked.size - 1 };
      const { point, stuck } = await killOne(stage, trial);
      reached[point] = (reached[point] ?? 0) + 1;
      longest = Math.max(longest, stuck);
    }
    if (asked.timed) findings.check(longest < TIMING.callLease + 5_000, 'a claim was stuck', longest);
    const kills = Object.entries(reached).map(([point, count]) => `${count} ${point}`);
    const found = `${asked.size} kills (${kills.join(', ')}), ${asked.size * AT_ONCE} calls: 1 effect each, longest until settled ${longest} ms`;
    return findings.result(name, asked, 'exactly 1 effect; no claim stuck longer than its lease', found);
  });
}

interface Trial {
  company: Company;
  random: Random;
  findings: Findings;
  mark: string;
  isLast: boolean;
}

async function killOne(stage: Stage, { company, random, findings, mark, isLast }: Trial) {
  const victim = stage.nodes[random.below(2)]!;
  const runs = await company.runs(AT_ONCE);
  const point = random.pick(POINTS);
  const replacement = new Replacement(stage, victim, isLast);
  await victim.control.arm(point, 1 + random.below(AT_ONCE), 'SIGKILL');
  const asked = range(AT_ONCE).map((index): Asking => {
    const [tool, toolCallId] = [random.pick(TOOLS), `${mark}-${index}`];
    return { toolCallId, tool, arguments: heldArguments(tool, toolCallId) };
  });
  const calls = await Promise.all(
    asked.map(async (asking, index) => {
      const { token } = runs[index]!;
      const first = await invoke(victim.url, token, asking).catch((error) => {
        if (!isNetwork(error)) throw error;
        return undefined;
      });
      return { first, final: await insist(() => stage.urls, token, asking) };
    }),
  );
  const reached = await replacement.dead();
  const settled = performance.now();
  for (const [index, { first, final }] of calls.entries()) {
    const asking = asked[index]!;
    const acted = await effects(company, asking.tool as Held, asking.toolCallId);
    const fate = `${asking.tool} killed ${point}`;
    if (first && first.status !== 'EXECUTING')
      findings.same([final.status, final.result], [first.status, first.result], `${fate}: the answer changed`);
    if (asking.tool === 'ledger.post' && final.status === 'OUTCOME_UNKNOWN') findings.check(acted <= 1, `${fate}: acted twice`, acted);
    else findings.same([final.status, acted], ['SUCCEEDED', 1], `${fate}: the effect`);
  }
  const stuck = Math.round(Math.max(0, settled - (replacement.diedAt ?? settled)));
  await replacement.done();
  return { point: reached ? point : 'at rest', stuck };
}
