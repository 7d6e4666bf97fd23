import { validate } from 'uuid';
import { z } from 'zod';
import { CompanyBlockers } from '../domain/blocker/company-blockers.ts';
import { PAGE_SIZE, failedPage as pageSchema } from '../domain/blocker/failed-page.ts';
import { stoppedPipelines } from '../domain/blocker/stopped-pipelines.ts';
import { type StoppedRun as Stopped, type StoppedKey, stoppedBehind, stoppedRuns, stoppedTotals } from '../domain/blocker/stopped-runs.ts';
import { parseInput } from '../kernel/parse-input.ts';
import { StoppedRun } from './blocker.ts';
import {
  Exhausted,
  KpiHealth,
  MissingTier,
  Retro,
  StoppedPipeline,
  TaskDefinitionProblem,
  TaskWithout,
  TeamName,
} from './blocker-sections.ts';
import { builder } from './builder.ts';
import { badCursor, connectionOf, decodeCursor, pageArgs, sizeOf } from './connection.ts';
import type { Context } from './context.ts';

/** How many rows a page of a section has. */
const SECTION_PAGE = 200;

/** How many of `runs` are answered when nobody says. */
const DEFAULT_RUNS = 100;

interface PageNumber {
  page?: number | null | undefined;
}

const pageNumber = () =>
  builder.args((t) => ({ page: t.int({ description: `Which page, from 1: each has ${SECTION_PAGE} rows; a shorter one is the last.` }) }));

/** A page from 1, the first when nobody says. @throws {ToolError} invalid_arguments {issues} at `name` */
const numberOf = (name: string, page: number | null | undefined) =>
  parseInput(z.strictObject({ [name]: pageSchema }), { [name]: page ?? 1 })[name]!;

/** How many rows come before the page that is asked for. */
const skipOf = ({ page }: PageNumber) => (numberOf('page', page) - 1) * SECTION_PAGE;

/** The page of a section that is computed whole. */
async function pageIn<Row>(rows: Promise<Row[]>, args: PageNumber): Promise<Row[]> {
  const skip = skipOf(args);
  return (await rows).slice(skip, skip + SECTION_PAGE);
}

const keyText = ({ since, run }: Stopped) => `${since.toISOString()} ${run.id}`;

/** @throws {ToolError} invalid_arguments */
function keyOf(after: string): StoppedKey {
  const [since = '', id = ''] = decodeCursor(after).split(' ');
  const at = new Date(since);
  if (Number.isNaN(at.getTime()) || !validate(id)) throw badCursor(after);
  return { since: at, id };
}

type Paged = ReturnType<typeof connectionOf> & { totalCount: () => Promise<number> };

const StoppedRunConnection = builder.connectionObject(
  {
    type: StoppedRun,
    name: 'StoppedRunConnection',
    description: 'A page of stopped runs.',
    fields: (t) => ({
      totalCount: t.int({ description: 'How many there are in all.', resolve: (page) => (page as unknown as Paged).totalCount() }),
    }),
  },
  { name: 'StoppedRunEdge', description: 'A stopped run in a list.' },
);

async function allStopped(
  { first, after }: { first?: number | null | undefined; after?: string | null | undefined },
  { kernel, caller }: Context,
) {
  const { enterpriseId } = caller;
  const page = { size: sizeOf(first), after: after ?? undefined };
  const rows = await stoppedBehind(kernel.db, enterpriseId, page.after ? keyOf(page.after) : null, page.size + 1);
  const keyed = rows.map((row) => ({ ...row, id: row.run.id }));
  const totalCount = async () => {
    const { failed, others } = await stoppedTotals(kernel.db, enterpriseId);
    return failed + others;
  };
  return { ...connectionOf(keyed, page, keyText), totalCount };
}

/** What one response shows of Blockers. */
interface Shown {
  failedPage: number;
  company: CompanyBlockers;
}

const Blockers = builder.objectRef<Shown>('Blockers').implement({
  description: 'What has stopped, as the records say now. Only stopped runs have events; the other sections are read again.',
  fields: (t) => ({
    runs: t.field({
      type: [StoppedRun],
      args: { first: t.arg.int({ defaultValue: DEFAULT_RUNS, description: 'How many: 1–200.' }) },
      description:
        'The first stopped runs, longest stopped first, none twice; of failed ones only those of `failedPage`. `stoppedRuns` pages through all.',
      resolve: ({ failedPage }, { first }, { kernel, caller }) =>
        stoppedRuns(kernel.db, caller.enterpriseId, failedPage, PAGE_SIZE.portal, sizeOf(first ?? DEFAULT_RUNS)),
    }),
    stoppedRuns: t.field({
      type: StoppedRunConnection,
      args: pageArgs(),
      description: 'All stopped runs, longest stopped first, failed ones among them whatever the `failedPage`.',
      resolve: async (_shown, args, context) => (await allStopped(args, context)) as never,
    }),
    failedTotal: t.int({
      description: 'How many failed runs stand here, whatever the page.',
      resolve: async (_shown, _args, { kernel, caller }) => (await stoppedTotals(kernel.db, caller.enterpriseId)).failed,
    }),
    failedPage: t.exposeInt('failedPage', { description: 'Which page of failed runs this is, from 1.' }),
    pageSize: t.int({ description: 'How many failed runs a page has.', resolve: () => PAGE_SIZE.portal }),
    stoppedPipelines: t.field({
      type: [StoppedPipeline],
      args: pageNumber(),
      description: 'Pipelines that went no further.',
      resolve: (_shown, args, { kernel, caller }) => stoppedPipelines(kernel.db, caller.enterpriseId, SECTION_PAGE, skipOf(args)),
    }),
    missingModelTiers: t.field({
      type: [MissingTier],
      args: pageNumber(),
      description: 'Tiers of models without a key.',
      resolve: ({ company }, args) => pageIn(company.missingModelTiers(), args),
    }),
    exhaustedLlmCapacity: t.field({
      type: [Exhausted],
      args: pageNumber(),
      description: 'Tiers of models that are used up for now.',
      resolve: ({ company }, args) => pageIn(company.exhaustedLlmCapacity(), args),
    }),
    taskDefinitionProblems: t.field({
      type: [TaskDefinitionProblem],
      args: pageNumber(),
      description: 'What is wrong with saved tasks.',
      resolve: ({ company }, args, { kernel }) => pageIn(company.taskDefinitionProblems(kernel.registry), args),
    }),
    missingLead: t.field({
      type: [TeamName],
      args: pageNumber(),
      description: 'Teams that nobody leads: they fall to the COO.',
      resolve: ({ company }, args) => pageIn(company.missingLead(), args),
    }),
    missingMetric: t.field({
      type: [TaskWithout],
      args: pageNumber(),
      description: 'Tasks whose success nobody measures.',
      resolve: ({ company }, args) => pageIn(company.missingMetric(), args),
    }),
    overdueRetro: t.field({
      type: [Retro],
      args: pageNumber(),
      description: 'Teams that should have looked back by now.',
      resolve: ({ company }, args) => pageIn(company.overdueRetro(), args),
    }),
    kpiHealth: t.field({ type: [KpiHealth], args: pageNumber(), description: 'KPIs that need somebody.', resolve: () => [] }),
    spendEnabled: t.boolean({
      description: 'Whether runs may spend.',
      resolve: async ({ company }) => (await company.switches()).spendEnabled,
    }),
    draining: t.boolean({
      description: 'Whether the operator drains the work.',
      resolve: async ({ company }) => (await company.switches()).draining,
    }),
  }),
});

builder.queryField('blockers', (t) =>
  t.field({
    type: Blockers,
    description: 'Everything that has stopped. Waiting gates are not here.',
    args: { failedPage: t.arg.int({ description: 'Which page of failed runs: 1 when left out.' }) },
    resolve: (_root, { failedPage }, { kernel, caller: { enterpriseId } }) => ({
      failedPage: numberOf('failedPage', failedPage),
      company: new CompanyBlockers(kernel.db, enterpriseId, kernel.now()),
    }),
  }),
);
