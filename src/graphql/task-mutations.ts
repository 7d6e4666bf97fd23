import { archiveTask } from '../domain/task/archive-task.ts';
import { type SavedTask as Saved, saveTask } from '../domain/task/save-task.ts';
import type { TaskProblem as Found } from '../domain/task/task-problem.ts';
import { builder } from './builder.ts';
import { MemoryLayer, TaskInputFieldType } from './task.ts';

const TaskProblem = builder.objectRef<Found>('TaskProblem').implement({
  description: 'What saving a task refuses, or warns of.',
  fields: (t) => ({
    code: t.string({ description: 'The code, for programs.', resolve: ({ code }) => code }),
    field: t.exposeString('field', { description: 'Where the input says it: `tools[2]`, `gates[0].tool`.' }),
    message: t.exposeString('message', { description: 'What is wrong, and what is allowed.' }),
    details: t.field({ type: 'JSON', nullable: true, description: 'More, for programs.', resolve: ({ details }) => details }),
  }),
});

const SavedTask = builder.objectRef<Saved>('SavedTask').implement({
  description: 'What became of a save.',
  fields: (t) => ({
    task: t.prismaField({
      type: 'Task',
      nullable: true,
      description: 'The task; null when nothing was saved, for errors or `validateOnly`.',
      resolve: (_query, { task }) => task,
    }),
    errors: t.field({ type: [TaskProblem], description: 'Why it was not saved: all there is, at once.', resolve: ({ errors }) => errors }),
    warnings: t.field({ type: [TaskProblem], description: 'What may surprise.', resolve: ({ warnings }) => warnings }),
  }),
});

const TaskGateInput = builder.inputType('TaskGateInput', {
  description: 'A gate on one of the task’s tools.',
  fields: (t) => ({
    tool: t.string({ required: true, description: 'The tool.' }),
    timeoutMinutes: t.int({ description: 'After how many minutes an undecided gate expires; left out: never.' }),
  }),
});

const TaskSuccessorInput = builder.inputType('TaskSuccessorInput', {
  description: 'Which task follows an outcome.',
  fields: (t) => ({
    outcome: t.string({ required: true, description: 'The outcome.' }),
    task: t.string({ required: true, description: 'The slug of the task that starts.' }),
  }),
});

const TaskInputFieldInput = builder.inputType('TaskInputFieldInput', {
  description: 'A field of the input that runs are started with.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The key in the input.' }),
    type: t.field({ type: TaskInputFieldType, required: true, description: 'What the field holds.' }),
    required: t.boolean({ required: true, description: 'Whether a run needs it.' }),
    description: t.string({ description: 'What it is for.' }),
  }),
});

const MemoryGrantInput = builder.inputType('MemoryGrantInput', {
  description: 'What the task’s runs may train beyond their own task, member and role.',
  fields: (t) => ({
    layer: t.field({ type: MemoryLayer, required: true, description: 'The layer.' }),
    prefix: t.string({ required: true, description: 'What the event ids must begin with.' }),
  }),
});

const SaveTaskInput = builder.inputType('SaveTaskInput', {
  description: 'A task as it shall be: creates the task with this slug, or adds a version to it.',
  fields: (t) => ({
    slug: t.string({ required: true, description: 'Its short name, unique in the enterprise.' }),
    name: t.string({ required: true, description: 'The name of the work.' }),
    goal: t.string({ required: true, description: 'What the work is for.' }),
    metric: t.string({ description: 'How its success is measured.' }),
    guardrails: t.stringList({ description: 'What its runs must respect.', extensions: { most: 100 } }),
    team: t.string({ description: 'The team, by slug or id.' }),
    role: t.string({ description: 'The role whose holders do it, by slug or id.' }),
    osOwned: t.boolean({ description: 'Whether it is the system’s own: no team, no assigned member.' }),
    tools: t.stringList({
      required: true,
      description: 'Exact tool names, each possibly with a pin: `web.request#method=HEAD`.',
      extensions: { most: 300 },
    }),
    gates: t.field({ type: [TaskGateInput], description: 'Gates on its tools.', extensions: { most: 300 } }),
    successors: t.field({ type: [TaskSuccessorInput], description: 'Which task follows which outcome.', extensions: { most: 100 } }),
    contextPrefixes: t.stringList({
      description: 'Shared context with these prefixes goes into a run’s input.',
      extensions: { most: 100 },
    }),
    inputFields: t.field({ type: [TaskInputFieldInput], description: 'The fields of a run’s input.', extensions: { most: 100 } }),
    spendLimitCents: t.int({ description: 'Past this a run is paused, in cents.' }),
    modelTier: t.string({ description: 'The tier of model that its runs want.' }),
    maxConcurrency: t.int({ description: 'How many of its runs may be active at once: 1 when left out.' }),
    memoryGrants: t.field({ type: [MemoryGrantInput], description: 'What its runs may train.', extensions: { most: 100 } }),
    clonedFrom: t.string({ description: 'The task that this one is made as a copy of, by slug or id.' }),
    expectedVersion: t.int({ description: 'The latest version that you know: another is version_conflict. 0: the task must be new.' }),
    validateOnly: t.boolean({ description: 'Only say what saving would meet.' }),
  }),
});

const ArchiveTaskInput = builder.inputType('ArchiveTaskInput', {
  description: 'A task to archive.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Its id or slug.' }) }),
});

builder.mutationFields((t) => ({
  saveTask: t.field({
    type: SavedTask,
    description: 'Creates a task, or adds a version to it. What speaks against it is answered as data.',
    args: { input: t.arg({ type: SaveTaskInput, required: true, description: 'The task.' }) },
    resolve: (_root, { input }, { kernel, caller }) => saveTask(kernel, caller, input),
  }),
  archiveTask: t.prismaField({
    type: 'Task',
    description: 'Archives a task: no run of it starts any more, and its slug stays taken.',
    args: { input: t.arg({ type: ArchiveTaskInput, required: true, description: 'Which task.' }) },
    resolve: (_query, _root, { input }, { kernel, caller }) => archiveTask(kernel, caller, input),
  }),
}));
