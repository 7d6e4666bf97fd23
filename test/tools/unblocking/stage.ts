import { testApp } from '../../support/app.ts';
import { makeCompany } from '../../support/company.ts';
import { type Claimed, Harness } from '../../support/harness.ts';

/** What a helping run is allowed. */
export const TOOLS = ['os.retry_run', 'os.route_run', 'os.clear_run', 'os.escalate_run', 'os.set_context', 'os.list_blockers'];

/** A service with a company in which runs stop, and a run that helps. Call it at the top of a file. */
export async function unblockingStage() {
  const { kernel, url } = await testApp();
  const { prisma } = kernel.db;
  const company = await makeCompany(kernel);
  const harness = new Harness(url, company);
  const helper = await harness.run({ tools: TOOLS });
  let calls = 0;

  const call = (tool: string, args: unknown, token = helper.token) => harness.call(token, `c-${++calls}`, tool, args);
  const rowOf = (id: string) => prisma.run.findUniqueOrThrow({ where: { id } });

  async function end(run: Claimed, how: 'fail' | 'block' | 'stop'): Promise<Claimed> {
    const { runId, token } = run;
    if (how === 'fail') await harness.drive('failRun', token, { runId, code: 'no_wind', reason: 'There was no wind.' });
    if (how === 'block') await harness.drive('blockRun', token, { runId, blockClass: 'question', reason: 'Which colour?' });
    if (how === 'stop') await harness.drive('finishRun', token, { runId, outcome: 'nobody_knows' });
    return run;
  }

  const stopped = async (how: 'fail' | 'block' | 'stop', input: unknown = {}, told = {}) => end(await harness.run(told, input), how);

  /** Claims the next run of a run's task: the one that took its work on. */
  async function claimAgain(runId: string): Promise<Claimed> {
    const { task } = await prisma.run.findUniqueOrThrow({ where: { id: runId }, include: { task: true } });
    return (await harness.claim(task.slug))!;
  }

  return { kernel, url, prisma, company, harness, helper, call, rowOf, end, stopped, claimAgain };
}
