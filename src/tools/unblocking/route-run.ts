import { z } from 'zod';
import { startAgain } from '../../domain/move/start-again.ts';
import { defineTool } from '../../kernel/define.ts';
import { LIMIT, NOT_ON_BLOCKERS, note, type StartedStatus, startedStatus, stoppedRunId, taskRetries } from './move-input.ts';

export const routeRun = defineTool({
  name: 'os.route_run',
  summary: 'Hands the work of a stopped run to another task of its pipeline.',
  description:
    'Call this for a run of os.list_blockers in section failed, blocked or stopped when another task has to take its work on: an earlier stage ' +
    '(a task of which some run worked the same issue or pull request) or a successor that the run’s task names. `runId`: that run; `task`: the ' +
    'slug of the other task; `note`: what is to be done there, and why. The new run gets the input of the stopped one and `routedFrom` (run, ' +
    'task, note), in the same execution; the old one leaves Blockers, and a blocked one ends as cancelled. Answers both runs, the task, whether ' +
    'the new run is queued or still pending, and how many of the three retries and routes of this chain are used. Sending the same call again ' +
    'answers the same; a further call on the same run is refused, for it is settled.',
  effect: 'write',
  retry: 'idempotent',
  calledBy: ['run', 'api'],
  routes: [{ method: 'POST', path: '/v1/runs/self/tools/os.route_run', scope: 'run:self' }],
  arguments: 'strict',
  input: z.strictObject({
    runId: stoppedRunId,
    task: z.string().min(1).max(200).describe('The slug of the task that takes the work on.'),
    note,
  }),
  output: z.strictObject({ runId: z.string(), routedRunId: z.string(), task: z.string(), status: startedStatus, taskRetries }),
  errors: {
    run_not_on_blockers: NOT_ON_BLOCKERS,
    retry_limit_reached: LIMIT,
    task_not_in_pipeline: 'The task is neither an earlier stage of this work nor a successor of the run’s task.',
    task_archived: 'The other task is archived.',
    task_input_invalid: 'The input does not fit the other task.',
  },
  where: 'database',
  sideEffects: ['Starts a run.', 'Takes the old one off Blockers.', 'Marks its issue as in flight.'],
  examples: [
    {
      arguments: { runId: '0197a000-0000-7000-8000-0000000000c1', task: 'weekly-plan', note: 'The plan names a kite that we do not make.' },
      result: {
        runId: '0197a000-0000-7000-8000-0000000000c1',
        routedRunId: '0197a000-0000-7000-8000-0000000000c2',
        task: 'weekly-plan',
        status: 'pending',
        taskRetries: 2,
      },
    },
  ],
  handler: async ({ tx, now, enterpriseId, run: calling }, { runId, task, note }) => {
    const { stopped, run, taskRetries } = await startAgain(tx, now, { by: { runId: calling!.id, enterpriseId }, runId, task, note });
    return { runId: stopped.run.id, routedRunId: run.id, task, status: run.status.toLowerCase() as StartedStatus, taskRetries };
  },
});
