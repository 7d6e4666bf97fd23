import { graphql } from '../support/graphql-client.ts';
import { type Card, codeOf, decide, tryInvoke } from './harness/calls.ts';
import { type Claimed, Company, TASKS } from './harness/company.ts';
import { approval, effects, HELD, type Held, heldArguments, rejection, settledCall } from './harness/gates.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { sharedStage } from './harness/stage.ts';
import { inFlight, range } from './harness/wait.ts';

export const name = 'P14';
export const claim = 'no history of a run leaves a gate waiting that its run does not wait on';
export const sizes = { small: 30, full: 1_000 };

const LANES = 4;

interface History {
  company: Company;
  random: Random;
  findings: Findings;
  task: string;
  run: Claimed;
  mark: string;
  calls: number;
  /** The gate that was opened last, by which run, and for which tool and id. */
  last: { run: Claimed; card: Card; tool: Held; toolCallId: string } | undefined;
}

/** The task that a lane's work can be routed to. */
const nextOf = (task: string) => `${task}-next`;

const send = async ({ company, random, findings, run }: History, field: string, type: string, input: object, secret = run.token) => {
  const query = `mutation ($input: ${type}!) { ${field}(input: $input) { id } }`;
  const code = codeOf(await graphql(random.pick(company.stage.urls), secret, query, { input: { runId: run.id, ...input } }));
  findings.check(code !== 'INTERNAL', `${field} failed inside`, code);
};

const decideLast = async ({ company, random, findings, last }: History, decision: 'APPROVE' | 'REJECT' | 'REQUEST_CHANGES') => {
  if (!last) return;
  const input = decision === 'APPROVE' ? approval(last.card) : { ...rejection(last.card), decision };
  const answer = await decide(random.pick(company.stage.urls), company.ceo.secret, input);
  findings.check(codeOf(answer) !== 'INTERNAL', 'a decision failed inside', answer);
};

/** Everything that can happen to a run, whether or not its state lets it. */
const STEPS: Record<string, (history: History) => Promise<unknown>> = {
  async open(history) {
    const { company, random, run, mark } = history;
    const tool = random.pick(HELD);
    const toolCallId = `${mark}-${history.calls++}`;
    const { data } = await tryInvoke(random.pick(company.stage.urls), run.token, {
      toolCallId,
      tool,
      arguments: heldArguments(tool, toolCallId),
    });
    const card = data?.invokeTool.status === 'WAITING' && data.invokeTool.gate;
    if (card) history.last = { run, card, tool, toolCallId };
  },
  call: ({ company, random, run, mark }) =>
    tryInvoke(random.pick(company.stage.urls), run.token, { toolCallId: `${mark}-read`, tool: 'os.get_context', arguments: { key: 'a' } }),
  approve: (history) => decideLast(history, 'APPROVE'),
  reject: (history) => decideLast(history, 'REJECT'),
  changes: (history) => decideLast(history, 'REQUEST_CHANGES'),
  async expire({ company, last }) {
    if (last)
      await company.stage.db.prisma.gate.updateMany({ where: { id: last.card.id, status: 'WAITING' }, data: { timesOutAt: new Date() } });
  },
  heartbeat: (history) => send(history, 'heartbeatRun', 'HeartbeatRunInput', {}),
  finish: (history) => send(history, 'finishRun', 'FinishRunInput', { outcome: 'done' }),
  fail: (history) => send(history, 'failRun', 'FailRunInput', { code: 'broken', reason: 'It broke.' }),
  block: (history) => send(history, 'blockRun', 'BlockRunInput', { blockClass: 'access', reason: 'No key.' }),
  cancel: (history) => send(history, 'cancelRun', 'CancelRunInput', {}, history.company.ceo.secret),
  retry: (history) => send(history, 'retryRun', 'RetryRunInput', { note: 'again' }, history.company.ceo.secret),
  route: (history) => send(history, 'routeRun', 'RouteRunInput', { task: nextOf(history.task), note: 'over' }, history.company.ceo.secret),
  clear: (history) => send(history, 'clearRun', 'ClearRunInput', { note: 'enough' }, history.company.ceo.secret),
  async fatal(history) {
    for (const index of range(4)) {
      const input = { toolCallId: `${history.mark}-${history.calls++}`, tool: `no.tool_${index}`, arguments: {} };
      await tryInvoke(history.company.stage.urls[0]!, history.run.token, input);
    }
  },
  /** The worker dies: its lease runs out, and the run is handed to another. */
  async loseLease({ company, run }) {
    const { db } = company.stage;
    await db.query({
      text: `UPDATE "Run" SET "leaseExpiresAt" = now() - interval '1 hour' WHERE "id" = $1 AND "status" = 'RUNNING'`,
      values: [run.id],
    });
  },
};

/** What opens a gate comes more often than what ends a run. */
const WEIGHTED = [...Object.keys(STEPS), 'open', 'open', 'open', 'open', 'approve', 'reject'];

const ORPHANS = `SELECT g."id", g."status" AS gate, r."status" AS run FROM "Run" r LEFT JOIN "Gate" g ON g."runId" = r."id" AND g."status" = 'WAITING'
  WHERE r."taskId" IN (SELECT "id" FROM "Task" WHERE "enterpriseId" = $1 AND "slug" = ANY ($2)) AND (g."id" IS NOT NULL) <> (r."status" = 'WAITING')`;

/** `size` random histories; after each no gate waits without its run, and what still waits can be decided with nobody there. */
export async function run(asked: Asked): Promise<Result> {
  const gated = TASKS.find(({ slug }) => slug === 'gated')!;
  const stage = await sharedStage();
  const company = await Company.found(
    stage,
    range(LANES).flatMap((lane) => {
      const [slug, next] = [`lane-${lane}`, nextOf(`lane-${lane}`)];
      return [
        { ...gated, slug: next },
        { ...gated, slug, successors: [{ outcome: 'over', task: next }] },
      ];
    }),
  );
  const findings = new Findings();
  let [steps, late] = [0, 0];
  // Each lane has a task of its own: what it claims is what it started or lost.
  await inFlight(LANES, range(LANES), async (lane) => {
    const task = `lane-${lane}`;
    for (let index = lane; index < asked.size; index += LANES) {
      const random = new Random(asked.seed + index);
      const run = await company.run(task);
      const history: History = { company, random, findings, task, run, mark: `p14-${run.id}`, calls: 0, last: undefined };
      for (let left = 3 + random.below(8); left > 0; left--, steps++) {
        await STEPS[random.pick(WEIGHTED)]!(history);
        await reclaim(history);
      }
      findings.same(await stage.db.query({ text: ORPHANS, values: [company.enterpriseId, [task, nextOf(task)]] }), [], 'an orphan');
      late += await decideLate(history);
    }
  });
  const found = `${asked.size} histories of ${steps} steps: 0 orphans; ${late} gates decided with no harness there`;
  return findings.result(name, asked, '0 orphan gates; a decision takes effect without its harness', found);
}

/** Whoever lost the lease goes on under the new token, and whoever was retried or routed goes on in the new run. */
async function reclaim(history: History) {
  const { company, task } = history;
  const claimed = (await company.claim(task)) ?? (await company.claim(nextOf(task)));
  if (claimed) history.run = claimed;
}

/** A gate that still waits is approved; its harness is gone. Answers whether there was one. */
async function decideLate(history: History): Promise<number> {
  const { company, findings, last } = history;
  if (!last) return 0;
  const gate = await company.stage.db.prisma.gate.findFirst({ where: { id: last.card.id } });
  if (gate?.status !== 'WAITING' || gate.timesOutAt) return 0;
  const answer = await decide(company.stage.urls[1]!, company.ceo.secret, approval(last.card));
  if (codeOf(answer)) return 0;
  const asking = { toolCallId: last.toolCallId, tool: last.tool, arguments: heldArguments(last.tool, last.toolCallId) };
  const call = await settledCall({ ...last, asking }, () => company.stage.urls);
  findings.same(call.status, 'SUCCEEDED', 'a call approved with nobody there');
  if (last.tool !== 'os.ask_ceo') findings.same(await effects(company, last.tool, last.toolCallId), 1, 'its effects');
  return 1;
}
