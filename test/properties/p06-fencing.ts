import { type Call, codeOf, insist, invoke, tryInvoke } from './harness/calls.ts';
import { type Claimed, Company } from './harness/company.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { onStage, type Stage } from './harness/stage.ts';
import { eventually } from './harness/wait.ts';

export const name = 'P6';
export const claim = 'a process or a worker that lost its lease while it was frozen commits nothing';
export const sizes = { small: 4, full: 200 };

const TIMING = { callLease: 500, callRenew: 150, runLease: 700, reclaimAfter: 100 };

/** `size` times a process is frozen over its lease, and another takes over: by turns its call, and its run. */
export async function run(asked: Asked): Promise<Result> {
  return onStage({ timing: TIMING }, async (stage) => {
    const company = await Company.found(stage, [{ slug: 'free', tools: ['os.set_context', 'probe.sign', 'probe.add'] }]);
    const findings = new Findings();
    for (let index = 0; index < asked.size; index++) {
      const mark = `p6-${asked.seed}-${index}`;
      await (index % 2 === 0 ? loseCall : loseRun)(stage, company, findings, mark);
    }
    const found = `${asked.size} trials: 0 commits after the lease, 1 effect each`;
    return findings.result(name, asked, 'the late commit is refused, 1 effect', found);
  });
}

/** Freezes the first process where it would act on a call, until the second has done it. */
async function loseCall(stage: Stage, company: Company, findings: Findings, mark: string) {
  const [a, b] = [stage.nodes[0]!, stage.nodes[1]!];
  const run = await company.run('free', {}, b.url);
  const asking = { toolCallId: mark, tool: 'probe.sign', arguments: { entry: mark } };
  await a.control.arm('after claim', 3, 'SIGSTOP'); // the claim is inserted, its turn is looked at, then the body begins
  const late = invoke(a.url, run.token, asking);
  await a.control.frozen();
  const taken = await insist(() => [b.url], run.token, asking);
  findings.same([taken.status, taken.result], ['SUCCEEDED', { entry: mark, pid: b.pid }], 'the call as the second process made it');
  a.kill('SIGCONT');
  findings.same(told(await late), told(taken), 'what the first process answers');
  findings.same(told(await invoke(a.url, run.token, asking)), told(taken), 'the call afterwards');
  findings.same(
    (await stage.probe.signed(taken.id)).map(({ pid }) => pid),
    [b.pid],
    'effects of the call',
  );
  await finish(company, run);
}

const told = ({ status, result, finishedAt }: Call) => ({ status, result, finishedAt });

/** Freezes the first process before the transaction of a call, until its run was handed to another worker. */
async function loseRun(stage: Stage, company: Company, findings: Findings, mark: string) {
  const [a, b] = [stage.nodes[0]!, stage.nodes[1]!];
  const run = await company.run('free', {}, b.url);
  const asking = { toolCallId: mark, tool: 'probe.add', arguments: { entry: mark } };
  await a.control.arm('before transaction', 1, 'SIGSTOP');
  const late = tryInvoke(a.url, run.token, asking);
  await a.control.frozen();
  const second = await eventually('run to be handed out again', () => company.claim('free', b.url));
  findings.same([second.id, second.attempt], [run.id, run.attempt + 1], 'the run that is handed out again');
  a.kill('SIGCONT');
  findings.same(codeOf(await late), 'unauthenticated', 'what the late call is answered');
  findings.same((await invoke(b.url, second.token, asking)).status, 'SUCCEEDED', 'the call of the new worker');
  const acted = await stage.db.query({ text: 'SELECT FROM probe_add WHERE entry = $1', values: [mark] });
  findings.same(acted.length, 1, 'effects of the run’s call');
  await finish(company, second);
}

/** So that no later trial is handed this run. */
const finish = async ({ stage }: Company, { id }: Claimed) =>
  void (await stage.db.query({ text: `UPDATE "Run" SET "status" = 'FINISHED', "leaseExpiresAt" = NULL WHERE "id" = $1`, values: [id] }));
