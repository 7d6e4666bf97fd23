import type { Queryable } from '../db/database.ts';
import type { RunRow, RunState } from '../domain/run/run-row.ts';
import { contentOf } from '../domain/run/run-statements.ts';
import { notOwnRun } from './access.ts';
import { builder } from './builder.ts';
import { isId, nestedPage, type PageArgs, pageArgs, paged } from './connection.ts';
import { RunStatus } from './enums.ts';
import { Escalation, MOST_ESCALATIONS, newestEscalations } from './escalation.ts';
import { taskIds } from './task-ids.ts';
import { ToolCallConnection } from './tool-call.ts';

/** A mutation answers a run without what may be large of it: whoever asks for that has it read. */
export const shown = (run: RunState) => run as RunRow;

const withContent = async (db: Queryable, run: object) =>
  'input' in run || 'output' in run ? (run as RunRow) : contentOf(db, run as RunState);

export const Run = builder.prismaObject('Run', {
  description: 'One attempt at a task by a member.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    task: t.relation('task', { description: 'The task that it works on.' }),
    taskVersion: t.exposeInt('taskVersion', { description: 'The version of the task that it took.' }),
    execution: t.relation('execution', { description: 'The chain of runs that it belongs to.' }),
    member: t.relation('member', {
      nullable: true,
      description: 'The member who does it; null for the system’s own tasks and tasks nobody holds the role of.',
    }),
    status: t.expose('status', { type: RunStatus, description: 'Where it stands.' }),
    stalled: t.boolean({
      description: 'Whether it is running and its lease has run out.',
      select: { status: true, leaseExpiresAt: true },
      resolve: ({ status, leaseExpiresAt }, _args, { kernel }) =>
        status === 'RUNNING' && leaseExpiresAt !== null && leaseExpiresAt < kernel.now(),
    }),
    attempt: t.exposeInt('attempt', { description: 'How often it was handed to a worker.' }),
    input: t.field({
      ...{ type: 'JSON', nullable: true, description: 'What it was started with.', select: { input: true } },
      resolve: async (run, _args, { kernel }) => (await withContent(kernel.db, run)).input,
    }),
    output: t.field({
      ...{ type: 'JSON', nullable: true, description: 'What it ended with.', select: { output: true } },
      resolve: async (run, _args, { kernel }) => (await withContent(kernel.db, run)).output,
    }),
    outcome: t.exposeString('outcome', { nullable: true, description: 'How it finished: this starts the task’s successors.' }),
    failureCode: t.exposeString('failureCode', { nullable: true, description: 'Why it failed, for programs.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it failed, was blocked or was paused.' }),
    blockClass: t.exposeString('blockClass', { nullable: true, description: 'What kind of thing blocks or pauses it.' }),
    gateSummary: t.exposeString('gateSummary', {
      nullable: true,
      description: 'The Markdown that it wrote last for a gate. A gate that has copied it leaves none for a later one.',
    }),
    spentCents: t.exposeInt('spentCents', { description: 'What its worker said that it has spent so far, in cents.' }),
    moveNote: t.exposeString('moveNote', { nullable: true, description: 'What whoever retried, routed or cleared it wrote.' }),
    clearedAt: t.expose('clearedAt', { type: 'DateTime', nullable: true, description: 'When it was taken off Blockers.' }),
    gates: t.relation('gates', { description: 'The gates that it opened, oldest first.', query: { orderBy: { id: 'asc' } } }),
    toolCalls: t.field({
      type: ToolCallConnection,
      description: 'Its tool calls, oldest first.',
      args: pageArgs(),
      ...nestedPage('toolCalls', 'ToolCall', 'asc'),
    }),
    escalation: t.field({
      type: Escalation,
      nullable: true,
      description: 'To whom it was handed last while it stood on Blockers; null: to nobody.',
      select: (_args, _context, nested) => ({ escalations: nested(newestEscalations) }),
      resolve: ({ escalations }) => escalations[0] as never,
    }),
    escalations: t.relation('escalations', {
      description: `To whom it was handed, newest first; at most ${MOST_ESCALATIONS}.`,
      query: newestEscalations,
    }),
    retriedFrom: t.relation('retriedFrom', { nullable: true, description: 'The run that it tries again.' }),
    routedFrom: t.relation('routedFrom', { nullable: true, description: 'The run whose work it takes on under another task.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true, description: 'When it was first claimed.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
    leaseExpiresAt: t.expose('leaseExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when its worker holds it without another heartbeat.',
    }),
    worker: t.exposeString('worker', { nullable: true, description: 'The worker that claimed it last.' }),
  }),
});

export const RunConnection = builder.connectionObject(
  { type: Run, name: 'RunConnection', description: 'A page of runs.' },
  { name: 'RunEdge', description: 'A run in a list.' },
);

const RunFilter = builder.inputType('RunFilter', {
  description: 'Which runs: what is given must all hold.',
  fields: (t) => ({
    status: t.field({ type: [RunStatus], description: 'One of these statuses.' }),
    stalled: t.boolean({ description: 'True: only stalled ones; false: only others.' }),
    task: t.stringList({ description: 'Of one of these tasks, by slug or id.' }),
    member: t.id({ description: 'Of this member.' }),
    execution: t.id({ description: 'Of this execution.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Created after this time.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Created before this time.' }),
  }),
});

type Filter = typeof RunFilter.$inferInput;

/** Null: no run can fit. */
async function runsWhere(reading: Parameters<typeof taskIds>[0], filter: Filter, now: Date) {
  const { status, stalled, task, member, execution, createdAfter, createdBefore } = filter;
  if ([member, execution].some((id) => typeof id === 'string' && !isId(id))) return null;
  const stalledNow = { status: 'RUNNING' as const, leaseExpiresAt: { lt: now } };
  return {
    AND: [
      status ? { status: { in: [...status] } } : {},
      stalled === true ? stalledNow : {},
      stalled === false ? { NOT: stalledNow } : {},
      task ? { taskId: { in: await taskIds(reading, task) } } : {},
      member ? { memberId: member } : {},
      execution ? { executionId: execution } : {},
      createdAfter ? { createdAt: { gt: createdAfter } } : {},
      createdBefore ? { createdAt: { lt: createdBefore } } : {},
    ],
  };
}

builder.queryFields((t) => ({
  run: t.prismaField({
    type: 'Run',
    nullable: true,
    description: 'One run. A run token reads its own.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (query, _root, { id }, { prisma, caller: { enterpriseId, run } }) => {
      if (run && run.id !== id.toLowerCase()) throw notOwnRun();
      return isId(id) ? prisma.run.findFirst({ ...query, where: { enterpriseId, id } }) : null;
    },
  }),
  runs: t.field({
    type: RunConnection,
    description: 'The runs of the enterprise, newest first.',
    args: { filter: t.arg({ type: RunFilter, description: 'Which ones.' }), ...pageArgs() },
    resolve: paged('Run', 'desc', async (reading, { filter }: PageArgs & { filter?: Filter | null }) => {
      const fits = filter ? await runsWhere(reading, filter, reading.context.kernel.now()) : {};
      return fits ? reading.prisma.run.findMany({ ...reading.query, where: { ...reading.where, ...fits } }) : [];
    }),
  }),
}));
