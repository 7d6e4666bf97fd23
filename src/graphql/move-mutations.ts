import { clearAsPerson, escalateAsPerson, retryAsPerson, routeAsPerson } from '../domain/move/persons-moves.ts';
import { builder } from './builder.ts';
import { EscalateTo } from './escalation.ts';
import { shown } from './run.ts';

const RUN_ID = 'The stopped run.';
const NOTE = 'Why; it stays on the run’s record.';

const RetryRunInput = builder.inputType('RetryRunInput', {
  description: 'A stopped run to retry.',
  fields: (t) => ({ runId: t.id({ required: true, description: RUN_ID }), note: t.string({ required: true, description: NOTE }) }),
});

const RouteRunInput = builder.inputType('RouteRunInput', {
  description: 'A stopped run to route.',
  fields: (t) => ({
    runId: t.id({ required: true, description: RUN_ID }),
    task: t.string({ required: true, description: 'The slug of the task that takes the work on: one of the targets of its move ROUTE.' }),
    note: t.string({ required: true, description: 'What is to be done there, and why.' }),
  }),
});

const ClearRunInput = builder.inputType('ClearRunInput', {
  description: 'A stopped run to clear.',
  fields: (t) => ({ runId: t.id({ required: true, description: RUN_ID }), note: t.string({ required: true, description: NOTE }) }),
});

const EscalateRunInput = builder.inputType('EscalateRunInput', {
  description: 'A run on Blockers to escalate.',
  fields: (t) => ({
    runId: t.id({ required: true, description: RUN_ID }),
    to: t.field({ type: EscalateTo, required: true, description: 'Whose it is to decide from now on.' }),
    note: t.string({ required: true, description: 'What has to be decided.' }),
  }),
});

builder.mutationFields((t) => ({
  retryRun: t.prismaField({
    type: 'Run',
    description: 'Starts a failed, blocked or stopped run again and answers the new run. It neither counts nor is limited.',
    args: { input: t.arg({ type: RetryRunInput, required: true, description: 'Which run, and why.' }) },
    resolve: async (_query, _root, { input }, { kernel, caller }) => shown(await retryAsPerson(kernel, caller, input)),
  }),
  routeRun: t.prismaField({
    type: 'Run',
    description: 'Hands the work of a failed, blocked or stopped run to another task of its pipeline and answers the new run.',
    args: { input: t.arg({ type: RouteRunInput, required: true, description: 'Which run, where to, and why.' }) },
    resolve: async (_query, _root, { input }, { kernel, caller }) => shown(await routeAsPerson(kernel, caller, input)),
  }),
  clearRun: t.prismaField({
    type: 'Run',
    description: 'Takes a failed, blocked or stopped run off Blockers; a blocked one ends as cancelled.',
    args: { input: t.arg({ type: ClearRunInput, required: true, description: 'Which run, and why.' }) },
    resolve: async (_query, _root, { input }, { kernel, caller }) => shown(await clearAsPerson(kernel, caller, input)),
  }),
  escalateRun: t.prismaField({
    type: 'Run',
    description: 'Hands the decision about a run on Blockers to its lead or the CEO; to the same one again changes nothing.',
    args: { input: t.arg({ type: EscalateRunInput, required: true, description: 'Which run, to whom, and why.' }) },
    resolve: async (_query, _root, { input }, { kernel, caller }) => shown(await escalateAsPerson(kernel, caller, input)),
  }),
}));
