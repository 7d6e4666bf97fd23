import { z } from 'zod';
import { clearRun as clear } from '../../domain/move/clear-run.ts';
import { defineTool } from '../../kernel/define.ts';
import { NOT_ON_BLOCKERS, note, stoppedRunId } from './move-input.ts';

export const clearRun = defineTool({
  name: 'os.clear_run',
  summary: 'Takes a stopped run off Blockers without starting it again.',
  description:
    'Call this for a run of os.list_blockers in section failed, blocked or stopped that needs nothing more: it was done in another way, or is ' +
    'not wanted. `runId`: that run; `note`: why nothing more is needed. A failed or stopped run keeps its status, a blocked one ends as ' +
    'cancelled; the block on its issue is lifted unless a newer run works on that. Answers the run and its status. Sending the same call again ' +
    'answers the same; a further call on the same run is refused, for it is settled.',
  effect: 'write',
  retry: 'idempotent',
  calledBy: ['run', 'api'],
  routes: [{ method: 'POST', path: '/v1/runs/self/tools/os.clear_run', scope: 'run:self' }],
  arguments: 'strict',
  input: z.strictObject({ runId: stoppedRunId, note }),
  output: z.strictObject({ runId: z.string(), status: z.enum(['failed', 'finished', 'cancelled']), cleared: z.literal(true) }),
  errors: { run_not_on_blockers: NOT_ON_BLOCKERS },
  where: 'database',
  sideEffects: ['Takes the run off Blockers.', 'Lifts the block on its issue.'],
  examples: [
    {
      arguments: { runId: '0197a000-0000-7000-8000-0000000000c1', note: 'Done by hand.' },
      result: { runId: '0197a000-0000-7000-8000-0000000000c1', status: 'failed', cleared: true },
    },
  ],
  handler: async ({ tx, now, enterpriseId, run: calling }, { runId, note }) => {
    const run = await clear(tx, now, { by: { runId: calling!.id, enterpriseId }, runId, note });
    return { runId: run.id, status: run.status.toLowerCase() as 'failed' | 'finished' | 'cancelled', cleared: true as const };
  },
});
