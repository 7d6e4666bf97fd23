import { findTask } from '../domain/task/find.ts';
import type { TaskInputField as StoredInputField } from '../domain/task/input-fields.ts';
import { INPUT_FIELD_TYPES } from '../domain/task/input-fields.ts';
import { MEMORY_LAYERS } from '../domain/task/save-task-input.ts';
import { versionDifference } from '../domain/task/version-difference.ts';
import { builder } from './builder.ts';
import { type PageArgs, pageArgs, paged } from './connection.ts';

export const TaskInputFieldType = builder.enumType('TaskInputFieldType', {
  description: 'What a field of a run’s input may hold.',
  values: INPUT_FIELD_TYPES,
});

export const MemoryLayer = builder.enumType('MemoryLayer', { description: 'Whose memory it is.', values: MEMORY_LAYERS });

const TaskGate = builder.objectRef<{ tool: string; timeoutMinutes: number | null }>('TaskGate').implement({
  description: 'A gate that a task puts on one of its tools.',
  fields: (t) => ({
    tool: t.exposeString('tool', { description: 'The tool whose calls wait for a decision.' }),
    timeoutMinutes: t.exposeInt('timeoutMinutes', {
      nullable: true,
      description: 'After how many minutes an undecided gate expires; null: never.',
    }),
  }),
});

const TaskSuccessor = builder.objectRef<{ outcome: string; task: string }>('TaskSuccessor').implement({
  description: 'The task that follows an outcome.',
  fields: (t) => ({
    outcome: t.exposeString('outcome', { description: 'The outcome that starts it.' }),
    task: t.exposeString('task', { description: 'The slug of the task that starts.' }),
  }),
});

const TaskInputField = builder.objectRef<StoredInputField>('TaskInputField').implement({
  description: 'A field of the input that a task’s runs are started with.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The key in the input.' }),
    type: t.expose('type', { type: TaskInputFieldType, description: 'What the field holds.' }),
    required: t.exposeBoolean('required', { description: 'Whether a run needs it.' }),
    description: t.exposeString('description', { nullable: true, description: 'What the field is for.' }),
  }),
});

const MemoryGrant = builder.objectRef<{ layer: (typeof MEMORY_LAYERS)[number]; prefix: string }>('MemoryGrant').implement({
  description: 'What a task’s runs may train beyond their own task, member and role.',
  fields: (t) => ({
    layer: t.expose('layer', { type: MemoryLayer, description: 'The layer.' }),
    prefix: t.exposeString('prefix', { description: 'What the event ids must begin with.' }),
  }),
});

const TaskVersion = builder.prismaObject('TaskVersion', {
  description: 'What a task says: each save adds a version, and none is ever rewritten.',
  select: { version: true },
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'Its number, from 1.' }),
    name: t.exposeString('name', { description: 'The name of the work.' }),
    goal: t.exposeString('goal', { description: 'What the work is for.' }),
    metric: t.exposeString('metric', { nullable: true, description: 'How its success is measured.' }),
    guardrails: t.exposeStringList('guardrails', { description: 'What its runs must respect.' }),
    team: t.relation('team', { nullable: true, description: 'The team that it belongs to.' }),
    role: t.relation('role', { nullable: true, description: 'The role whose holders do it.' }),
    osOwned: t.exposeBoolean('osOwned', { description: 'Whether it is the system’s own: no team, no assigned member.' }),
    tools: t.exposeStringList('tools', { description: 'Exact tool names, each possibly with a pin.' }),
    gates: t.field({
      type: [TaskGate],
      description: 'The gates on its tools.',
      select: { gates: true },
      resolve: ({ gates }) => gates as never,
    }),
    successors: t.field({
      type: [TaskSuccessor],
      description: 'Which task follows which outcome.',
      select: { successors: true },
      resolve: ({ successors }) => successors as never,
    }),
    contextPrefixes: t.exposeStringList('contextPrefixes', { description: 'Shared context with these prefixes goes into a run’s input.' }),
    inputFields: t.field({
      type: [TaskInputField],
      description: 'The fields of a run’s input.',
      select: { inputFields: true },
      resolve: ({ inputFields }) => inputFields as never,
    }),
    spendLimitCents: t.exposeInt('spendLimitCents', { nullable: true, description: 'Past this a run is paused, in cents.' }),
    modelTier: t.exposeString('modelTier', { nullable: true, description: 'The tier of model that its runs want.' }),
    maxConcurrency: t.exposeInt('maxConcurrency', { description: 'How many of its runs may be active at once.' }),
    memoryGrants: t.field({
      type: [MemoryGrant],
      description: 'What its runs may train.',
      select: { memoryGrants: true },
      resolve: ({ memoryGrants }) => memoryGrants as never,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was saved.' }),
    createdBy: t.exposeString('createdBy', { description: 'Who saved it, and by what.' }),
  }),
});

export const Task = builder.prismaObject('Task', {
  description: 'A definition of work.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    slug: t.exposeString('slug', { description: 'Its short name, unique in the enterprise and never changed.' }),
    name: t.string({
      description: 'The name in its latest version.',
      select: { versions: { select: { name: true }, orderBy: { version: 'desc' }, take: 1 } },
      extensions: { pothosPrismaLoaded: (row: { versions?: unknown }) => row.versions !== undefined },
      resolve: ({ versions }) => versions[0]!.name,
    }),
    latestVersion: t.exposeInt('latestVersion', {
      description: 'The number of its latest version: send it as `expectedVersion` when you save.',
    }),
    latest: t.field({
      type: TaskVersion,
      description: 'What it says now: new runs take this version.',
      select: (_args, _context, nested) =>
        ({ versions: { ...(nested as unknown as () => object)(), orderBy: { version: 'desc' }, take: 1 } }) as never,
      extensions: { pothosPrismaLoaded: (row: { versions?: unknown }) => row.versions !== undefined },
      resolve: (row) => (row as unknown as { versions: never[] }).versions[0]!,
    }),
    versions: t.relation('versions', { description: 'All that it ever said, newest first.', query: { orderBy: { version: 'desc' } } }),
    archivedAt: t.expose('archivedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was archived: an archived task starts no run.',
    }),
    clonedFrom: t.relation('clonedFrom', { nullable: true, description: 'The task that it was made as a copy of.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
});

const TaskConnection = builder.connectionObject(
  { type: Task, name: 'TaskConnection', description: 'A page of tasks.' },
  { name: 'TaskEdge', description: 'A task in a list.' },
);

builder.queryFields((t) => ({
  taskDifference: t.field({
    type: 'JSON',
    nullable: true,
    description: 'What changed from one version of a task to another: an RFC 6902 patch of what it says.',
    args: {
      task: t.arg.string({ required: true, description: 'The slug or id of the task.' }),
      from: t.arg.int({ required: true, description: 'The number of the earlier version.' }),
      to: t.arg.int({ required: true, description: 'The number of the later version.' }),
    },
    resolve: (_root, args, { kernel, caller }) => versionDifference(kernel.db, caller.enterpriseId, args),
  }),
  task: t.prismaField({
    type: 'Task',
    nullable: true,
    description: 'One task, by its id or slug.',
    args: { id: t.arg.id({ required: true, description: 'Its id or slug.' }) },
    resolve: async (query, _root, { id: slugOrId }, { kernel: { db }, prisma, caller: { enterpriseId } }) => {
      const found = await findTask(db, enterpriseId, slugOrId);
      return found ? prisma.task.findFirst({ ...query, where: { enterpriseId, id: found.id } }) : null;
    },
  }),
  tasks: t.field({
    type: TaskConnection,
    description: 'The tasks of the enterprise, oldest first.',
    args: { ...pageArgs(), archived: t.arg.boolean({ description: 'True: only archived ones. False or left out: only those in use.' }) },
    resolve: paged('Task', 'asc', ({ prisma, query, where }, { archived }: PageArgs & { archived?: boolean | null }) =>
      prisma.task.findMany({ ...query, where: { ...where, archivedAt: archived ? { not: null } : null } }),
    ),
  }),
}));
