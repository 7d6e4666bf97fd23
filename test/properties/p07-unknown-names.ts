import { type Call, invoke } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { sharedStage } from './harness/stage.ts';
import { eventually, inFlight, range } from './harness/wait.ts';

export const name = 'P7';
export const claim = 'ten unknown names at once fail their run once, and a chain is retried three times however many ask';
export const sizes = { small: 10, full: 200 };

const AT_ONCE = 10;

const fate = ({ status, error }: Call) => `${status} ${error?.code}`;

const MOVES_AT_ONCE = 50;

/**
 * Retries and routes of one chain, many at once on whichever of its runs has stopped, until they are refused for their number.
 */
async function exhaust(company: Company, findings: Findings) {
  const { urls, db } = company.stage;
  const callers = await company.runs(4);
  const root = await company.failedRun();
  let [stopped, task] = [root, 'stage'];
  for (let round = 0; ; round++) {
    const calls = await Promise.all(
      range(MOVES_AT_ONCE).map((index) => {
        const routes = task === 'stage' && index % 2 === 0; // `free` names nothing that follows it
        const args = { runId: stopped, note: 'again', ...(routes && { task: 'free' }) };
        const input = { toolCallId: `${stopped}-${index}`, tool: routes ? 'os.route_run' : 'os.retry_run', arguments: args };
        return invoke(urls[index % 2]!, callers[index % callers.length]!.token, input);
      }),
    );
    const won = calls.filter(({ status }) => status === 'SUCCEEDED');
    const codes = [...new Set(calls.flatMap(({ error }) => error?.code ?? []))];
    if (round === 3) {
      findings.same([won.length, codes], [0, ['retry_limit_reached']], 'moves after three');
      break;
    }
    findings.same([won.length, codes], [1, ['run_not_on_blockers']], 'moves at once');
    if (!won[0]) break;
    stopped = won[0].result.retryRunId ?? won[0].result.routedRunId;
    task = won[0].result.task ?? task;
    await company.fail(await claimed(company, stopped));
  }
  const made = await db.prisma.run.count({ where: { enterpriseId: company.enterpriseId, chainId: root, NOT: { id: root } } });
  findings.same(made, 3, 'runs that a chain was given');
}

/** The run that took the work on, handed out. */
async function claimed(company: Company, id: string) {
  const run = await eventually('run that takes the work on', async () => (await company.claim('free')) ?? (await company.claim('stage')));
  if (run.id !== id) throw new Error(`Claimed ${run.id} in place of ${id}`);
  return run;
}

/** Ten at once in each of `size` runs, over two processes. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const company = await Company.found(stage);
  const findings = new Findings();
  const runs = await company.runs(asked.size);
  await inFlight(4, runs, async ({ id, token }) => {
    const sent = range(AT_ONCE).map((index) => ({ toolCallId: `u${index}`, tool: `os.no_such_tool_${index}`, arguments: {} }));
    const calls = await Promise.all(sent.map((input, index) => invoke(stage.urls[index % 2]!, token, input)));
    const expected = [
      ...Array(3).fill('HANDED_BACK unknown_tool_name'),
      'RUN_FAILED unknown_tool_repeated',
      ...Array(AT_ONCE - 4).fill('HANDED_BACK run_not_active'),
    ];
    findings.same(calls.map(fate).sort(), expected.sort(), 'the answers');
    const row = await stage.db.prisma.run.findFirst({ where: { id } });
    findings.same([row?.status, row?.failureCode], ['FAILED', 'unknown_tool_repeated'], 'the run');
    const told = await stage.db.prisma.event.count({ where: { enterpriseId: company.enterpriseId, runId: id, kind: 'FAILED' } });
    findings.same(told, 1, 'how often the failure is told');
  });
  const chains = Math.ceil(asked.size / 10);
  for (let chain = 0; chain < chains; chain++) await exhaust(company, findings);
  const found = `${asked.size} runs: 3 handed back, 1 failure each; ${chains} chains: 3 new runs each`;
  return findings.result(name, asked, '3 handed back, then the run fails once; 3 new runs a chain at most', found);
}
