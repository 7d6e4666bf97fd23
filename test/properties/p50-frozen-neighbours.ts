import { type GraphQLAnswer, graphql } from '../support/graphql-client.ts';
import { type Asking, codeOf, decide, tryInvoke } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { approval, effects, openGate, settledCall } from './harness/gates.ts';
import { POINTS } from './harness/points.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { type Node, onStage, type Stage } from './harness/stage.ts';
import { eventually, inTime, passing, range } from './harness/wait.ts';

export const name = 'P50';
export const claim = 'a process that is frozen in the middle of anything stops its neighbours for seconds at most';
export const sizes = { small: 3, full: 25 };

/** How long another process's call of the same company may take, in milliseconds; and the bound that only a hang exceeds. */
const MOST = 5_000;
const HANG = 30_000;

/** Something that is under way in the process that freezes. */
interface Act {
  /** What the frozen process will answer; undefined for what nobody asked for. */
  late: Promise<GraphQLAnswer> | undefined;
  /** Sends the same to the other process. */
  again(): Promise<GraphQLAnswer>;
  /** Whether that is done, as far as this answer tells. */
  isDone(answer: GraphQLAnswer): boolean;
  /** What then is the case. */
  verify(): Promise<void>;
}

interface Trial {
  stage: Stage;
  company: Company;
  findings: Findings;
  mark: string;
}

const START = 'mutation ($input: StartRunInput!) { startRun(input: $input) { id } }';
const FINISH = 'mutation ($input: FinishRunInput!) { finishRun(input: $input) { status } }';

const ACTS: Record<string, (trial: Trial) => Promise<(node: Node) => Act>> = {
  async 'a call'({ stage, company, findings, mark }) {
    const run = await company.run();
    const asking: Asking = { toolCallId: mark, tool: 'probe.add', arguments: { entry: mark } };
    return (victim) => ({
      late: tryInvoke(victim.url, run.token, asking),
      again: () => tryInvoke(stage.urls[0]!, run.token, asking),
      isDone: ({ data }) => data?.invokeTool?.status === 'SUCCEEDED',
      verify: async () => findings.same(await effects(company, 'probe.add', mark), 1, 'effects of a call'),
    });
  },
  async 'a decision'({ stage, company, findings, mark }) {
    const opened = await openGate(company, 'os.set_context', mark);
    const decision = approval(opened.card);
    return (victim) => ({
      late: decide(victim.url, company.ceo.secret, decision),
      again: () => decide(stage.urls[0]!, company.ceo.secret, decision),
      isDone: (answer) => answer.data?.decideGate?.status === 'APPROVED' || codeOf(answer) === 'gate_already_decided',
      async verify() {
        const { status } = await settledCall(opened, () => [stage.urls[0]!]);
        findings.same([status, await effects(company, 'os.set_context', mark)], ['SUCCEEDED', 1], 'effects of a decision');
      },
    });
  },
  async 'a start'({ stage, company, findings, mark }) {
    const input = { task: 'free', input: {}, idempotencyKey: mark };
    const start = (url: string) => graphql(url, company.worker.secret, START, { input });
    return (victim) => ({
      late: start(victim.url),
      again: () => start(stage.urls[0]!),
      isDone: ({ data }) => data?.startRun !== undefined,
      verify: async () => findings.same(await stage.db.prisma.run.count({ where: { startKey: mark } }), 1, 'runs of a start'),
    });
  },
  async 'a finish'({ stage, company, findings }) {
    const { id, token } = await company.run();
    const finish = (url: string) => graphql(url, token, FINISH, { input: { runId: id, outcome: 'done', output: {} } });
    return (victim) => ({
      late: finish(victim.url),
      again: () => finish(stage.urls[0]!),
      isDone: ({ data }) => data?.finishRun?.status === 'FINISHED',
      verify: async () => findings.same((await stage.db.prisma.run.findFirst({ where: { id } }))?.outcome, 'done', 'outcome of a finish'),
    });
  },
  async 'a sweep'({ stage, company, findings, mark }) {
    const gates = await Promise.all(range(8).map((index) => openGate(company, 'os.set_context', `${mark}-${index}`)));
    const due = gates.map(({ card }) => card.id);
    const waiting = () => stage.db.prisma.gate.count({ where: { id: { in: due }, status: 'WAITING' } });
    return () => {
      void stage.db.prisma.gate.updateMany({ where: { id: { in: due } }, data: { timesOutAt: new Date() } }).catch(() => {});
      return {
        late: undefined,
        again: () => graphql(stage.urls[0]!, company.ceo.secret, '{ openGates { totalCount } }'),
        isDone: ({ data }) => data?.openGates.totalCount === 0,
        verify: async () => findings.same(await waiting(), 0, 'gates that wait on after their time'),
      };
    };
  },
};

/** `size` pairs of an act and a point in it at which the first process freezes: for a minute, or until all others were served. */
export async function run(asked: Asked): Promise<Result> {
  return onStage({ timing: { callLease: 1_000, callRenew: 300 } }, async (stage) => {
    const company = await Company.found(stage);
    const random = new Random(asked.seed);
    const findings = new Findings();
    const acts = Object.keys(ACTS);
    const first = random.below(acts.length * POINTS.length);
    let [frozen, longest] = [0, 0];
    for (const index of range(asked.size)) {
      const [act, point] = [acts[(first + index) % acts.length]!, POINTS[Math.floor((first + index) / acts.length) % POINTS.length]!];
      const victim = stage.nodes[1]!;
      const trial = { stage, company, findings, mark: `p50-${asked.seed}-${index}` };
      const prepared = await ACTS[act]!(trial);
      await victim.control.arm(point, point === 'after claim' ? 1 + random.below(3) : 1, 'SIGSTOP');
      const under = prepared(victim);
      const reached = await isFrozen(victim, under);
      const until = asked.timed ? performance.now() + 60_000 : 0;
      const slowest = await serve(trial, under, `${act} frozen ${point}`);
      if (reached) longest = Math.max(longest, slowest);
      if (reached) frozen++;
      while (performance.now() < until) await passing(100);
      victim.kill('SIGCONT');
      await victim.control.disarm();
      await wake(trial, under, victim, `${act} frozen ${point}`);
    }
    if (asked.timed) findings.check(longest <= MOST, 'a neighbour waited', longest);
    const found = `${frozen} of ${asked.size} frozen, the longest that a neighbour waited ${Math.round(longest)} ms, 0 INTERNAL, 0 effects lost or doubled`;
    return findings.result(
      name,
      asked,
      `neighbours wait at most ${MOST} ms and end without INTERNAL; what the frozen one held is lost`,
      found,
    );
  });
}

/** Whether the process froze: not every act comes by every point so often. */
async function isFrozen(victim: Node, { late }: Act): Promise<boolean> {
  const ended = late ? late.then(() => passing(50)).then(() => false) : passing(2_000).then(() => false);
  const stopped = victim.control.frozen().then(() => true);
  stopped.catch(() => {});
  return Promise.race([stopped, ended]);
}

/** Has the other process serve the same company, and the act itself, until it is done; answers the longest time of one answer. */
async function serve({ stage, company, findings, mark }: Trial, act: Act, fate: string): Promise<number> {
  let slowest = 0;
  const timed = async (what: string, send: () => Promise<GraphQLAnswer>) => {
    const begun = performance.now();
    const answer = await inTime(`${what} beside ${fate}`, send(), HANG);
    slowest = Math.max(slowest, performance.now() - begun);
    const code = codeOf(answer);
    findings.check(code !== 'INTERNAL' && code !== 'service_unavailable', `${what} beside ${fate}`, answer);
    return answer;
  };
  const url = stage.urls[0]!;
  let turn = 0;
  const start = () => graphql(url, company.worker.secret, START, { input: { task: 'free', input: {}, idempotencyKey: `${mark}-beside` } });
  const read = () => graphql(url, company.ceo.secret, '{ runs(first: 5) { nodes { id status } } openGates { totalCount } }');
  const insist = (what: string, send: () => Promise<GraphQLAnswer>, isDone: Act['isDone']) =>
    eventually(`${what} beside ${fate}`, async () => isDone(await timed(`${what} (${++turn})`, send)));
  await Promise.all([
    insist('the same', act.again, act.isDone),
    insist('a start', start, ({ data }) => data?.startRun !== undefined),
    insist('a read', read, ({ data }) => data?.runs !== undefined),
  ]);
  return slowest;
}

/** What the process says when it goes on: nothing that it held is done by it now, and it serves again. */
async function wake({ findings }: Trial, act: Act, victim: Node, fate: string) {
  const answer = act.late && (await inTime(`late answer of ${fate}`, act.late, HANG));
  if (answer) findings.check(codeOf(answer) !== 'INTERNAL', `the late answer of ${fate}`, answer);
  findings.same((await fetch(`${victim.url}/ready`)).status, 200, `readiness after ${fate}`);
  await act.verify();
}
