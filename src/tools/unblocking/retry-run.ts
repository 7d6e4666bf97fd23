import { z } from 'zod';
import { startAgain } from '../../domain/move/start-again.ts';
import { defineTool } from '../../kernel/define.ts';
import { LIMIT, NOT_ON_BLOCKERS, note, type StartedStatus, startedStatus, stoppedRunId, taskRetries } from './move-input.ts';

export const retryRun = defineTool({
  name: 'os.retry_run',
  summary: 'Starts a failed, blocked or stopped run again.',
  description:
    'Call this for a run of os.list_blockers in section failed, blocked or stopped whose cause has passed, or was put right. `runId`: that run; ' +
    '`note`: why you retry. A new run of the same task, in its latest version, starts with the same input in the same execution; the old one ' +
    'leaves Blockers, and a blocked one ends as cancelled. Calls of the old run that may have happened stand in the new input under ' +
    '`unknownOutcomes`. Answers both runs, whether the new one is queued or still pending, and how many of the three retries and routes of this ' +
    'chain are used. Sending the same call again answers the same; a further call on the same run is refused, for it is settled.',
  effect: 'write',
  retry: 'idempotent',
  calledBy: ['run', 'api'],
  routes: [{ method: 'POST', path: '/v1/runs/self/tools/os.retry_run', scope: 'run:self' }],
  arguments: 'strict',
  input: z.strictObject({ runId: stoppedRunId, note }),
  output: z.strictObject({ runId: z.string(), retryRunId: z.string(), status: startedStatus, taskRetries }),
  errors: {
    run_not_on_blockers: NOT_ON_BLOCKERS,
    retry_limit_reached: LIMIT,
    task_archived: 'The task of the run is archived.',
    task_input_invalid: 'The input no longer fits the task.',
  },
  where: 'database',
  sideEffects: ['Starts a run.', 'Takes the old one off Blockers.', 'Marks its issue as in flight.'],
  examples: [
    {
      arguments: { runId: '0197a000-0000-7000-8000-0000000000c1', note: 'The shop answers again.' },
      result: {
        runId: '0197a000-0000-7000-8000-0000000000c1',
        retryRunId: '0197a000-0000-7000-8000-0000000000c2',
        status: 'queued',
        taskRetries: 1,
      },
    },
  ],
  handler: async ({ tx, now, enterpriseId, run: calling }, { runId, note }) => {
    const { stopped, run, taskRetries } = await startAgain(tx, now, { by: { runId: calling!.id, enterpriseId }, runId, note });
    return { runId: stopped.run.id, retryRunId: run.id, status: run.status.toLowerCase() as StartedStatus, taskRetries };
  },
});
