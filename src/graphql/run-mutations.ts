import { cancelRun } from '../domain/run/cancel-run.ts';
import { type ClaimedRun as Claimed, claimRun } from '../domain/run/claim-run.ts';
import { blockRun, failRun, finishRun, heartbeatRun } from '../domain/run/drive-run.ts';
import { startRun } from '../domain/run/start-run.ts';
import { builder } from './builder.ts';
import { shown } from './run.ts';

const ModelTool = builder.objectRef<Claimed['tools'][number]>('ModelTool').implement({
  description: 'A tool as a model is offered it.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name, with two underscores for each dot.' }),
    description: t.exposeString('description', { description: 'When to use it, what goes in, what comes back.' }),
    inputSchema: t.field({
      type: 'JSON',
      description: 'The JSON Schema of its input, pinned fields narrowed to their values.',
      resolve: ({ inputSchema }) => inputSchema,
    }),
  }),
});

const ClaimedRun = builder.objectRef<Claimed>('ClaimedRun').implement({
  description: 'A run that was handed to a worker.',
  fields: (t) => ({
    run: t.prismaField({ type: 'Run', description: 'The run.', resolve: (_query, { run }) => shown(run) }),
    token: t.exposeString('token', { description: 'The run token. It is shown this once.' }),
    tools: t.field({ type: [ModelTool], description: 'The tools that it may call.', resolve: ({ tools }) => tools }),
    leaseExpiresAt: t.field({
      type: 'DateTime',
      description: 'Until when it is held without a heartbeat.',
      resolve: ({ leaseExpiresAt }) => leaseExpiresAt,
    }),
    heartbeatSeconds: t.int({
      description: 'Send a heartbeat this often.',
      resolve: ({ heartbeatSeconds }) => Math.max(1, Math.floor(heartbeatSeconds)),
    }),
  }),
});

const StartRunInput = builder.inputType('StartRunInput', {
  description: 'A run to start.',
  fields: (t) => ({
    task: t.string({ required: true, description: 'The task, by slug or id.' }),
    input: t.field({ type: 'JSON', description: 'The input: an object.' }),
    idempotencyKey: t.string({ description: 'Under the same key the same content starts one run.' }),
  }),
});

const ClaimRunInput = builder.inputType('ClaimRunInput', {
  description: 'A worker that asks for work.',
  fields: (t) => ({
    worker: t.string({ required: true, description: 'A name for the lease.' }),
    tasks: t.stringList({ description: 'Only runs of the tasks with these slugs.' }),
    claimId: t.string({
      description:
        'The worker’s own id for this claim, 1 to 200 characters. Sent again, because the answer was lost, it is the same claim: the same run and attempt, a full lease, and a token in place of the one that was answered before. Once that claim is over (its run ended, or was handed out again) it is refused; when there was nothing to claim, it is free.',
    }),
  }),
});

const RUN_ID = 'The run.';
const ATTEMPT = 'The attempt of the claimed run: needed with a token that is not the run’s own.';
const SPENT = 'What the run has spent in all so far, in cents.';

const HeartbeatRunInput = builder.inputType('HeartbeatRunInput', {
  description: 'A heartbeat.',
  fields: (t) => ({
    runId: t.id({ required: true, description: RUN_ID }),
    attempt: t.int({ description: ATTEMPT }),
    spentCents: t.int({ description: SPENT }),
  }),
});

const FinishRunInput = builder.inputType('FinishRunInput', {
  description: 'The end of a run that did its work.',
  fields: (t) => ({
    runId: t.id({ required: true, description: RUN_ID }),
    attempt: t.int({ description: ATTEMPT }),
    outcome: t.string({ required: true, description: 'How it ended: this starts the task’s successors.' }),
    output: t.field({ type: 'JSON', description: 'What it made: an object.' }),
    spentCents: t.int({ description: SPENT }),
  }),
});

const FailRunInput = builder.inputType('FailRunInput', {
  description: 'The end of a run that failed.',
  fields: (t) => ({
    runId: t.id({ required: true, description: RUN_ID }),
    attempt: t.int({ description: ATTEMPT }),
    code: t.string({ required: true, description: 'Why, for programs.' }),
    reason: t.string({ required: true, description: 'Why, for people.' }),
  }),
});

const BlockRunInput = builder.inputType('BlockRunInput', {
  description: 'A run that cannot go on.',
  fields: (t) => ({
    runId: t.id({ required: true, description: RUN_ID }),
    attempt: t.int({ description: ATTEMPT }),
    blockClass: t.string({ required: true, description: 'What kind of thing is in the way.' }),
    reason: t.string({ required: true, description: 'What is in the way.' }),
  }),
});

const CancelRunInput = builder.inputType('CancelRunInput', {
  description: 'A run to cancel.',
  fields: (t) => ({
    runId: t.id({ required: true, description: RUN_ID }),
    note: t.string({ description: 'Why.' }),
  }),
});

builder.mutationFields((t) => ({
  startRun: t.prismaField({
    type: 'Run',
    description: 'Starts a run of a task, in an execution of its own.',
    args: { input: t.arg({ type: StartRunInput, required: true, description: 'What to start.' }) },
    resolve: async (_query, _root, { input }, { kernel, caller }) => shown(await startRun(kernel, caller, input)),
  }),
  claimRun: t.field({
    type: ClaimedRun,
    nullable: true,
    description: 'Hands the next queued run to a worker; null: there is nothing to claim, or the enterprise drains or spends nothing.',
    args: { input: t.arg({ type: ClaimRunInput, required: true, description: 'Who asks.' }) },
    resolve: (_root, { input }, { kernel, caller }) => claimRun(kernel, caller, input),
  }),
  heartbeatRun: t.prismaField({
    type: 'Run',
    description: 'Renews the lease of a run.',
    args: { input: t.arg({ type: HeartbeatRunInput, required: true, description: 'The heartbeat.' }) },
    resolve: async (_query, _root, { input }, { kernel, caller }) => shown(await heartbeatRun(kernel, caller, input)),
  }),
  finishRun: t.prismaField({
    type: 'Run',
    description: 'Ends a run with an outcome; its successors start.',
    args: { input: t.arg({ type: FinishRunInput, required: true, description: 'How it ended.' }) },
    resolve: async (_query, _root, { input }, { kernel, caller }) => shown(await finishRun(kernel, caller, input)),
  }),
  failRun: t.prismaField({
    type: 'Run',
    description: 'Ends a run as failed.',
    args: { input: t.arg({ type: FailRunInput, required: true, description: 'Why.' }) },
    resolve: async (_query, _root, { input }, { kernel, caller }) => shown(await failRun(kernel, caller, input)),
  }),
  blockRun: t.prismaField({
    type: 'Run',
    description: 'Says that a run cannot go on.',
    args: { input: t.arg({ type: BlockRunInput, required: true, description: 'Why.' }) },
    resolve: async (_query, _root, { input }, { kernel, caller }) => shown(await blockRun(kernel, caller, input)),
  }),
  cancelRun: t.prismaField({
    type: 'Run',
    description: 'Cancels a run that has not ended, and the gate that it waits for.',
    args: { input: t.arg({ type: CancelRunInput, required: true, description: 'Which run.' }) },
    resolve: async (_query, _root, { input }, { kernel, caller }) => shown(await cancelRun(kernel, caller, input)),
  }),
}));
