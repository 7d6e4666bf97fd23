import { z } from 'zod';
import { CompanyBlockers } from '../../domain/blocker/company-blockers.ts';
import { failedPage, PAGE_SIZE } from '../../domain/blocker/failed-page.ts';
import { outcomeUnknownCalls } from '../../domain/blocker/outcome-unknown.ts';
import { stoppedPipelines, stoppedPipelinesTotal } from '../../domain/blocker/stopped-pipelines.ts';
import { type StoppedRun, stoppedRunsInBrief, stoppedRunsWhole, stoppedTotals } from '../../domain/blocker/stopped-runs.ts';
import { movesOf } from '../../domain/move/move-rules.ts';
import { pipelineTasks } from '../../domain/move/pipeline.ts';
import { type CallContext, defineTool } from '../../kernel/define.ts';
import { rowForPortal, rowForRun } from './blocker-rows.ts';
import { type BlockersAnswer, BlockersOutput } from './blockers-schema.ts';
import { fitSections, mostRows, type Section } from './fit-rows.ts';

export const listBlockers = defineTool({
  name: 'os.list_blockers',
  summary: 'Lists everything that has stopped in the company.',
  description:
    'Call this to see what needs help: runs that failed, stopped with an outcome that nothing follows, are blocked, stalled or paused, longest ' +
    'stopped first, each with why, its task, team, lead, assignee, since when, how many of the three retries of its chain are used, and to whom ' +
    'it was escalated. Beside them: pipelines that stopped, model tiers without a key or capacity, problems in task definitions, teams without ' +
    'a lead, tasks without a metric, overdue retros, the health of KPIs, and whether spending is on and the company is draining. Failed runs ' +
    'come in pages: `failedPage` counts from 1; `failedTotal` and `pageSize` tell how many there are. Where a run’s ' +
    'answer would be too long, texts are shortened, then the last rows of a section are left out and counted beside it (`runsMore` and so on): deal ' +
    'with these first. Waiting gates are not here: os.list_open_gates has them. Act with os.retry_run, os.route_run, os.clear_run, os.escalate_run. Reading changes nothing.',
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
  handler: (context, { failedPage = 1 }) =>
    context.run ? answerToRun(context, context.run, failedPage) : portalAnswer(context, failedPage),
});

/** What a caller's answer is read with. */
type Reading = Pick<CallContext, 'tx' | 'enterpriseId' | 'now' | 'registry'>;

async function portalAnswer(reading: Reading, failedPage: number): Promise<BlockersAnswer> {
  const { tx, enterpriseId } = reading;
  const pageSize = PAGE_SIZE.portal;
  return {
    runs: await portalRows(reading, await stoppedRunsWhole(tx, enterpriseId, failedPage, pageSize)),
    failedTotal: (await stoppedTotals(tx, enterpriseId)).failed,
    ...{ failedPage, pageSize },
    stoppedPipelines: (await stoppedPipelines(tx, enterpriseId, null)).map(withTime),
    ...(await sectionsOf(reading)),
    ...(await switchesOf(reading)),
  };
}

/** The same to a run: no more is read of runs and pipelines, and no more told of any section, than fits. */
async function answerToRun(reading: Reading, run: { memberId: string | null }, failedPage: number): Promise<BlockersAnswer> {
  const { tx, enterpriseId } = reading;
  const pageSize = PAGE_SIZE.run;
  const [mostRuns, mostPipelines] = [mostRows(200), mostRows(125)];
  const runs = await stoppedRunsInBrief(tx, enterpriseId, failedPage, pageSize, mostRuns);
  const { failed, others } = await stoppedTotals(tx, enterpriseId);
  const onPage = Math.max(0, Math.min(pageSize, failed - (failedPage - 1) * pageSize));
  const pipelines = await stoppedPipelines(tx, enterpriseId, mostPipelines);
  const allPipelines = pipelines.length < mostPipelines ? pipelines.length : await stoppedPipelinesTotal(tx, enterpriseId);
  const company = Object.entries(await sectionsOf(reading)).map(([name, rows]) => [name, { rows, total: rows.length }] as const);
  const sections: Record<string, Section> = {
    runs: { rows: runs.map((stopped) => rowForRun(stopped, run.memberId)), total: runs.length < mostRuns ? runs.length : others + onPage },
    stoppedPipelines: { rows: pipelines.map(withTime), total: allPipelines },
    ...Object.fromEntries(company),
  };
  return fitSections(sections, { failedTotal: failed, failedPage, pageSize, ...(await switchesOf(reading)) }) as BlockersAnswer;
}

const withTime = <Row extends { since: Date }>(row: Row) => ({ ...row, since: row.since.toISOString() });

async function portalRows({ tx, enterpriseId }: Reading, runs: StoppedRun[]) {
  const ids = runs.map(({ run }) => run.id);
  const tasks = await pipelineTasks(tx, enterpriseId, ids);
  const unknown = await outcomeUnknownCalls(tx, enterpriseId, ids);
  return runs.map((stopped) => {
    const { id } = stopped.run;
    return rowForPortal(stopped, movesOf(stopped, tasks.get(id)!, false), unknown.get(id)!);
  });
}

type Sections = Pick<
  BlockersAnswer,
  'missingModelTiers' | 'exhaustedLlmCapacity' | 'taskDefinitionProblems' | 'missingLead' | 'missingMetric' | 'overdueRetro' | 'kpiHealth'
>;

async function sectionsOf({ tx, enterpriseId, now, registry }: Reading): Promise<Sections> {
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
  };
}

const switchesOf = ({ tx, enterpriseId, now }: Reading) => new CompanyBlockers(tx, enterpriseId, now).switches();
