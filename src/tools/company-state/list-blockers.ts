import { z } from 'zod';
import { CompanyBlockers } from '../../domain/blocker/company-blockers.ts';
import { failedPage, PAGE_SIZE } from '../../domain/blocker/failed-page.ts';
import { outcomeUnknownCalls } from '../../domain/blocker/outcome-unknown.ts';
import { stoppedPipelines } from '../../domain/blocker/stopped-pipelines.ts';
import { failedTotal, type StoppedRun, stoppedRuns } from '../../domain/blocker/stopped-runs.ts';
import { movesOf } from '../../domain/move/move-rules.ts';
import { pipelineTasks } from '../../domain/move/pipeline.ts';
import { type CallContext, defineTool } from '../../kernel/define.ts';
import { rowForPortal, rowForRun } from './blocker-rows.ts';
import { type BlockersAnswer, BlockersOutput } from './blockers-schema.ts';
import { fitting } from './shorten-texts.ts';

export const listBlockers = defineTool({
  name: 'os.list_blockers',
  summary: 'Lists everything that has stopped in the company.',
  description:
    'Call this to see what needs help: runs that failed, stopped with an outcome that nothing follows, are blocked, stalled or paused, longest ' +
    'stopped first, each with why, its task, team, lead, assignee, since when, how many of the three retries of its chain are used, and to whom ' +
    'it was escalated. Beside them: pipelines that stopped, model tiers without a key or capacity, problems in task definitions, teams without ' +
    'a lead, tasks without a metric, overdue retros, the health of KPIs, and whether spending is on and the company is draining. Failed runs ' +
    'come in pages: `failedPage` counts from 1; `failedTotal` and `pageSize` tell how many there are. Where the list would be too long, `runsLeftOut` says how many runs are missing at its end: deal with these first. Waiting gates are not here: ' +
    'os.list_open_gates has them. Act with os.retry_run, os.route_run, os.clear_run, os.escalate_run. Reading changes nothing.',
  effect: 'read',
  retry: 'safe',
  calledBy: ['run', 'api', 'mcp'],
  routes: [{ method: 'GET', path: '/v1/blockers', scope: 'blockers:read' }],
  arguments: 'strict',
  input: z.strictObject({ failedPage: failedPage.optional().describe('Which page of failed runs: 1 when left out.') }),
  output: BlockersOutput,
  errors: {},
  where: 'database',
  sideEffects: [],
  examples: [
    {
      arguments: {},
      result: {
        ...{ runs: [], failedTotal: 0, failedPage: 1, pageSize: 20, stoppedPipelines: [], missingModelTiers: [], exhaustedLlmCapacity: [] },
        ...{ taskDefinitionProblems: [], missingLead: [], missingMetric: [], overdueRetro: [], kpiHealth: [] },
        ...{ spendEnabled: true, draining: false },
      },
    },
  ],
  handler: async (context, { failedPage = 1 }) => {
    const { tx, enterpriseId, run } = context;
    const pageSize = run ? PAGE_SIZE.run : PAGE_SIZE.portal;
    const runs = await stoppedRuns(tx, enterpriseId, failedPage, pageSize);
    const answer = {
      runs: run ? runs.map((stopped) => rowForRun(stopped, run.memberId)) : await portalRows(context, runs),
      failedTotal: await failedTotal(tx, enterpriseId),
      ...{ failedPage, pageSize },
      stoppedPipelines: stoppedPipelines(runs).map((row) => ({ ...row, since: row.since.toISOString() })),
      ...(await ofTheCompany(context)),
    };
    return run ? fitting(answer) : answer;
  },
});

/** What a caller's answer is read with. */
type Reading = Pick<CallContext, 'tx' | 'enterpriseId' | 'now' | 'registry'>;

async function portalRows({ tx, enterpriseId }: Reading, runs: StoppedRun[]) {
  const ids = runs.map(({ run }) => run.id);
  const tasks = await pipelineTasks(tx, enterpriseId, ids);
  const unknown = await outcomeUnknownCalls(tx, enterpriseId, ids);
  return runs.map((stopped) => {
    const { id } = stopped.run;
    return rowForPortal(stopped, movesOf(stopped, tasks.get(id)!, false), unknown.get(id)!);
  });
}

type OfTheCompany = Omit<BlockersAnswer, 'runs' | 'failedTotal' | 'failedPage' | 'pageSize' | 'stoppedPipelines'>;

async function ofTheCompany({ tx, enterpriseId, now, registry }: Reading): Promise<OfTheCompany> {
  const company = new CompanyBlockers(tx, enterpriseId, now);
  const exhausted = await company.exhaustedLlmCapacity();
  const retros = await company.overdueRetro();
  return {
    missingModelTiers: await company.missingModelTiers(),
    exhaustedLlmCapacity: exhausted.map(({ tier, until }) => ({ tier, until: until.toISOString() })),
    taskDefinitionProblems: await company.taskDefinitionProblems(registry),
    missingLead: await company.missingLead(),
    missingMetric: await company.missingMetric(),
    overdueRetro: retros.map(({ lastAt, dueAt, ...retro }) => ({
      ...{ ...retro, lastAt: lastAt?.toISOString() ?? null, dueAt: dueAt.toISOString() },
    })),
    kpiHealth: [],
    ...(await company.switches()),
  };
}
