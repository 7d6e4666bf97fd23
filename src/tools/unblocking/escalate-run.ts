import { z } from 'zod';
import { escalateRun as escalate } from '../../domain/move/escalate-run.ts';
import { defineTool } from '../../kernel/define.ts';
import { NOT_ON_BLOCKERS, note, stoppedRunId } from './move-input.ts';

export const escalateRun = defineTool({
  name: 'os.escalate_run',
  summary: 'Hands the decision about a stopped run to a lead or the CEO.',
  description:
    'Call this for any run of os.list_blockers that you cannot settle. `runId`: that run; `to`: `lead` for the lead of its team (the COO where ' +
    'there is none), whose it is to decide from now on, or `ceo`, which only records that it is the CEO’s: the question itself goes by ' +
    'os.ask_ceo; `note`: what has to be decided. It stays on Blockers and shows the escalation. Answers whose it is now: `memberId` and ' +
    '`memberName`, for `ceo` those of the person. Escalating to the same one again adds nothing and answers `alreadyEscalated: true`.',
  effect: 'write',
  retry: 'idempotent',
  calledBy: ['run', 'api'],
  routes: [{ method: 'POST', path: '/v1/runs/self/tools/os.escalate_run', scope: 'run:self' }],
  arguments: 'strict',
  input: z.strictObject({ runId: stoppedRunId, to: z.enum(['lead', 'ceo']).describe('Whose it is to decide from now on.'), note }),
  output: z.strictObject({
    runId: z.string(),
    to: z.enum(['lead', 'ceo']),
    memberId: z.string(),
    memberName: z.string(),
    alreadyEscalated: z.boolean(),
  }),
  errors: { run_not_on_blockers: NOT_ON_BLOCKERS, escalation_target_missing: 'There is neither a lead nor a COO; or there is no CEO.' },
  where: 'database',
  sideEffects: ['The run shows the escalation on Blockers.'],
  examples: [
    {
      arguments: { runId: '0197a000-0000-7000-8000-0000000000c1', to: 'lead', note: 'Which of the two suppliers do we trust?' },
      result: {
        runId: '0197a000-0000-7000-8000-0000000000c1',
        to: 'lead',
        memberId: '0197a000-0000-7000-8000-0000000000b1',
        memberName: 'Marigold Finch',
        alreadyEscalated: false,
      },
    },
  ],
  handler: async ({ tx, now, enterpriseId, run: calling }, { runId, to, note }) => {
    const {
      run,
      to: owner,
      alreadyEscalated,
    } = await escalate(tx, now, { by: { runId: calling!.id, enterpriseId }, runId, to: to === 'lead' ? 'LEAD' : 'CEO', note });
    return { runId: run.id, to, memberId: owner.id, memberName: owner.name, alreadyEscalated };
  },
});
