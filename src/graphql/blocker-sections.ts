import type { ExhaustedCapacity, MissingModelTier, OverdueRetro, TaskWithoutMetric } from '../domain/blocker/company-blockers.ts';
import type { StoppedPipeline as Pipeline } from '../domain/blocker/stopped-pipelines.ts';
import type { TaskDefinitionProblem as Problem } from '../domain/blocker/task-problems.ts';
import { builder } from './builder.ts';

export const StoppedPipeline = builder.objectRef<Pipeline>('StoppedPipeline').implement({
  description: 'A pipeline that went no further: no task follows the outcome of its last run.',
  fields: (t) => ({
    runId: t.exposeID('runId', { description: 'The run that ended with the outcome.' }),
    executionId: t.exposeID('executionId', { description: 'The chain of runs.' }),
    task: t.exposeString('task', { description: 'The slug of the task that names no successor for it.' }),
    outcome: t.exposeString('outcome', { description: 'The outcome.' }),
    since: t.expose('since', { type: 'DateTime', description: 'Since when.' }),
  }),
});

export const MissingTier = builder.objectRef<MissingModelTier>('MissingModelTier').implement({
  description: 'A tier of models that tasks want and the enterprise has no key for.',
  fields: (t) => ({
    tier: t.exposeString('tier', { description: 'The tier.' }),
    tasks: t.exposeStringList('tasks', { description: 'The slugs of the tasks that want it.' }),
  }),
});

export const Exhausted = builder.objectRef<ExhaustedCapacity>('ExhaustedLlmCapacity').implement({
  description: 'A tier of models whose capacity is used up for now.',
  fields: (t) => ({
    tier: t.exposeString('tier', { description: 'The tier.' }),
    until: t.expose('until', { type: 'DateTime', description: 'Until when.' }),
  }),
});

export const TaskDefinitionProblem = builder.objectRef<Problem>('TaskDefinitionProblem').implement({
  description: 'Something in a saved task that could not be saved like that today.',
  fields: (t) => ({
    taskId: t.exposeID('taskId', { description: 'The task.' }),
    task: t.exposeString('task', { description: 'Its slug.' }),
    code: t.exposeString('code', { description: 'What is wrong, for programs.' }),
    field: t.exposeString('field', { description: 'Where the definition says it: `tools[2]`.' }),
    message: t.exposeString('message', { description: 'What is wrong, and what to do.' }),
  }),
});

export const TaskWithout = builder.objectRef<TaskWithoutMetric>('TaskWithoutMetric').implement({
  description: 'A task whose success nobody measures.',
  fields: (t) => ({
    taskId: t.exposeID('taskId', { description: 'The task.' }),
    task: t.exposeString('task', { description: 'Its slug.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
  }),
});

export const TeamName = builder.objectRef<OverdueRetro['team']>('TeamName').implement({
  description: 'A team by its names.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    slug: t.exposeString('slug', { description: 'Its slug.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
  }),
});

export const Retro = builder.objectRef<OverdueRetro>('OverdueRetro').implement({
  description: 'A team that should have looked back by now.',
  fields: (t) => ({
    team: t.field({ type: TeamName, description: 'The team.', resolve: ({ team }) => team }),
    everyDays: t.exposeInt('everyDays', { description: 'How often it looks back, in days.' }),
    lastAt: t.expose('lastAt', { type: 'DateTime', nullable: true, description: 'When it did last; null: never.' }),
    dueAt: t.expose('dueAt', { type: 'DateTime', description: 'When it should have.' }),
  }),
});

const KpiCondition = builder.enumType('KpiCondition', {
  description: 'What is wrong about a KPI.',
  values: {
    NO_KEY_KPI: { description: 'The team marks none as its key KPI.' },
    NO_TARGET: { description: 'It has no target.' },
    OVERDUE: { description: 'Its reading is overdue.' },
    LIGHT: { description: 'Its light is not green.' },
  },
});

interface Health {
  condition: 'NO_KEY_KPI' | 'NO_TARGET' | 'OVERDUE' | 'LIGHT';
  team: OverdueRetro['team'] | null;
  kpiId: string | null;
  kpi: string | null;
  layer: string | null;
  light: string | null;
  trend: string | null;
  owner: string | null;
}

export const KpiHealth = builder.objectRef<Health>('KpiHealth').implement({
  description: 'A KPI that needs somebody.',
  fields: (t) => ({
    condition: t.expose('condition', { type: KpiCondition, description: 'What is wrong.' }),
    team: t.field({ type: TeamName, nullable: true, description: 'The team that it belongs to.', resolve: ({ team }) => team }),
    kpiId: t.exposeID('kpiId', { nullable: true, description: 'The KPI.' }),
    kpi: t.exposeString('kpi', { nullable: true, description: 'Its name.' }),
    layer: t.exposeString('layer', { nullable: true, description: 'Whose it is: company, team, role or task.' }),
    light: t.exposeString('light', { nullable: true, description: 'Its light: green, amber or red.' }),
    trend: t.exposeString('trend', { nullable: true, description: 'Where its readings go.' }),
    owner: t.exposeString('owner', { nullable: true, description: 'Who owns it.' }),
  }),
});
