import { createApp } from '../../src/app.ts';
import { configFrom } from '../../src/config.ts';
import { expireGates } from '../../src/kernel/sweep.ts';
import { type GraphQLAnswer, graphql } from '../support/graphql-client.ts';
import { SHORT } from '../support/timing.ts';
import { codeOf, decide, tryInvoke } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { FAULTS, failing } from './harness/failing.ts';
import { approval, openGate } from './harness/gates.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { onStage, type Stage } from './harness/stage.ts';
import { range } from './harness/wait.ts';

export const name = 'P45';
export const claim = 'a failing statement is no answer: nothing is half done, and the same sent again succeeds';
export const sizes = { small: 40, full: 1_500 };

/** Nothing but the act itself sends statements. */
const QUIET = { ...SHORT, sweep: 3_600_000, eventPoll: 3_600_000, credentialCheck: 3_600_000, sweepRetry: 0 };

const UNSERVED = ['service_unavailable', 'service_busy'];

/** An act that can be sent again. */
interface Act {
  send(): Promise<GraphQLAnswer>;
  /** What it has made so far: the same before it and after a failure, unless it was done; and what it makes in the end. */
  made(): Promise<unknown>;
  before: unknown;
  after: unknown;
  /** What fails is told in the log alone. */
  isSilent?: boolean;
}

interface Scene {
  stage: Stage;
  company: Company;
  url: string;
  expire(): Promise<void>;
}

const CLAIM = 'mutation ($input: ClaimRunInput!) { claimRun(input: $input) { run { id attempt } } }';
const FINISH = 'mutation ($input: FinishRunInput!) { finishRun(input: $input) { status } }';

const setting = (mark: string) => ({ toolCallId: mark, tool: 'os.set_context', arguments: { key: mark, value: 1 } });

/** A gate with its call, its run, what it decided about, and how often that was noted. */
async function stateOf({ stage: { db }, company: { enterpriseId } }: Scene, gateId: string, key: string) {
  const gate = await db.prisma.gate.findFirstOrThrow({ where: { id: gateId }, include: { toolCall: true, run: true } });
  const entries = await db.prisma.contextEntry.count({ where: { enterpriseId, key } });
  return [gate.status, gate.toolCall.status, gate.run.status, entries, await db.prisma.auditEntry.count({ where: { subjectId: gateId } })];
}

const ACTS: Record<string, (scene: Scene, mark: string) => Promise<Act>> = {
  async 'a call'({ company, stage, url }, mark) {
    const run = await company.run();
    const made = async () => [
      (await stage.db.prisma.toolCall.findMany({ where: { runId: run.id } })).map(({ status }) => status),
      await stage.db.prisma.contextEntry.count({ where: { enterpriseId: company.enterpriseId, key: mark } }),
    ];
    return { send: () => tryInvoke(url, run.token, setting(mark)), made, before: [[], 0], after: [['SUCCEEDED'], 1] };
  },
  async 'a call that is held'({ company, stage, url }, mark) {
    const run = await company.run('gated');
    const made = async () => [
      (await stage.db.prisma.gate.findMany({ where: { runId: run.id } })).map(({ status }) => status),
      (await stage.db.prisma.run.findFirst({ where: { id: run.id } }))!.status,
    ];
    return { send: () => tryInvoke(url, run.token, setting(mark)), made, before: [[], 'RUNNING'], after: [['WAITING'], 'WAITING'] };
  },
  async 'a decision'(scene, mark) {
    const { card } = await openGate(scene.company, 'os.set_context', mark);
    return {
      send: () => decide(scene.url, scene.company.ceo.secret, approval(card)),
      made: () => stateOf(scene, card.id, mark),
      before: ['WAITING', 'WAITING', 'WAITING', 0, 0],
      after: ['APPROVED', 'SUCCEEDED', 'RUNNING', 1, 1],
    };
  },
  async 'a time-out'(scene, mark) {
    const { card } = await openGate(scene.company, 'os.set_context', mark);
    await scene.stage.db.prisma.gate.updateMany({ where: { id: card.id }, data: { timesOutAt: new Date(0) } });
    return {
      send: () =>
        scene.expire().then(
          () => ({}),
          () => ({}),
        ),
      isSilent: true,
      made: () => stateOf(scene, card.id, mark),
      before: ['WAITING', 'WAITING', 'WAITING', 0, 0],
      after: ['EXPIRED', 'TOOL_ERROR', 'RUNNING', 0, 0],
    };
  },
  async 'a finish'({ company, stage, url }, _mark) {
    const { id, token } = await company.run('stage');
    const { executionId } = (await stage.db.prisma.run.findFirst({ where: { id } }))!;
    const made = async () =>
      (await stage.db.prisma.run.findMany({ where: { executionId }, orderBy: { id: 'asc' } })).map(({ status }) => status);
    const input = { runId: id, outcome: 'next', output: {} };
    return { send: () => graphql(url, token, FINISH, { input }), made, before: ['RUNNING'], after: ['FINISHED', 'QUEUED'] };
  },
  async 'a claim'({ company, stage, url }, mark) {
    await company.saveTask({ slug: mark, tools: [] });
    const id = await company.start(mark);
    const made = async () => {
      const run = (await stage.db.prisma.run.findFirst({ where: { id } }))!;
      return [run.status, run.attempt, await stage.db.prisma.token.count({ where: { runId: id } })];
    };
    const input = { worker: 'w', tasks: [mark] };
    return { send: () => graphql(url, company.worker.secret, CLAIM, { input }), made, before: ['QUEUED', 0, 0], after: ['RUNNING', 1, 1] };
  },
};

/** `size` acts, in each of which one statement fails in one way. */
export async function run(asked: Asked): Promise<Result> {
  return onStage({ processes: 0 }, async (stage) => {
    const config = { ...configFrom({}), databaseUrl: stage.url, port: 0, rateLimit: 0, logLevel: 'silent', timing: QUIET };
    const app = await createApp(config, { catalogs: [stage.probe, stage.ledger] });
    try {
      const url = await app.listen();
      stage.nodes = [{ url }] as never;
      const company = await Company.found(stage);
      return await tryAll(asked, { stage, company, url, expire: () => expireGates(app.kernel) });
    } finally {
      await app.close();
    }
  });
}

async function tryAll(asked: Asked, scene: Scene): Promise<Result> {
  const random = new Random(asked.seed);
  const findings = new Findings();
  const lengths = new Map<string, number>();
  let [failed, unknown] = [0, 0];
  for (const index of range(asked.size)) {
    const kind = Object.keys(ACTS)[index % Object.keys(ACTS).length]!;
    const mark = `p45-${asked.seed}-${index}`;
    const act = await ACTS[kind]!(scene, mark);
    const fault = random.pick(FAULTS);
    const nth = 1 + random.below(lengths.get(kind) ?? 0);
    const { answer, statements } = await failing(() => act.send(), lengths.has(kind) ? nth : 0, fault);
    const fate = `${kind} (statement ${nth}, ${fault})`;
    if (lengths.has(kind) && codeOf(answer)) failed++;
    lengths.set(kind, Math.max(lengths.get(kind) ?? 0, statements));
    if (await judge(act, answer, fate, findings)) unknown++;
  }
  const found = `${asked.size} acts (${[...lengths].map(([kind, length]) => `${kind}: ${length} statements`).join(', ')}), ${failed} told as failures, ${unknown} of them done all the same: 0 half done, each done once when sent again`;
  return findings.result(name, asked, '0 half done, 0 INTERNAL, 0 approvals spent; the same sent again succeeds', found);
}

/** Looks at what a failure left, and sends the act again; answers whether it had been done though it was told as a failure. */
async function judge(act: Act, answer: GraphQLAnswer, fate: string, findings: Findings): Promise<boolean> {
  const code = codeOf(answer);
  findings.check(code === undefined || UNSERVED.includes(code), `${fate}: the answer`, answer);
  const left = JSON.stringify(await act.made());
  const isDone = left === JSON.stringify(act.after);
  // What failed behind COMMIT, or with the connection that COMMIT went out on, leaves it done, though it is told as a failure.
  const failed = act.isSilent ? !isDone : code !== undefined;
  const isWhole = isDone || (failed && left === JSON.stringify(act.before));
  findings.check(isWhole, `${fate}: what it left`, { code, left });
  if (!failed) return false;
  const again = codeOf(await act.send());
  findings.check(again === undefined || (isDone && again === 'gate_already_decided'), `${fate}: sent again`, again);
  findings.same(await act.made(), act.after, `${fate}: what it made in the end`);
  return isDone;
}
