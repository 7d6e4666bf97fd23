import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { mayUse } from '../auth/scopes.ts';
import type { StoppedRun as Stopped } from '../domain/blocker/stopped-runs.ts';
import { movesOf, type Move as OneMove } from '../domain/move/move-rules.ts';
import { pipelineTasks } from '../domain/move/pipeline.ts';
import { ToolError } from '../kernel/errors.ts';
import { builder } from './builder.ts';
import { Member } from './company.ts';
import type { Context } from './context.ts';
import { Escalation, newestFirst } from './escalation.ts';
import { Run } from './run.ts';
import { ToolCall } from './tool-call.ts';

const BlockerSection = builder.enumType('BlockerSection', {
  description: 'Why a run stands on Blockers.',
  values: {
    FAILED: { description: 'It failed.' },
    STOPPED: { description: 'It ended with an outcome that no successor of its task follows.' },
    BLOCKED: { description: 'Its agent said that it cannot go on.' },
    STALLED: { description: 'Its worker let the lease run out.' },
    PAUSED: { description: 'Spending is off, or it spent more than its task allows.' },
  },
});

const MoveKind = builder.enumType('MoveKind', {
  description: 'What can be done about a stopped run.',
  values: {
    RETRY: { description: 'Start the same task with the same input again.' },
    ROUTE: { description: 'Hand its work to another task of the pipeline.' },
    CLEAR: { description: 'Take it off Blockers.' },
    ESCALATE: { description: 'Hand the decision to its lead or the CEO.' },
  },
});

const Move = builder.objectRef<OneMove>('Move').implement({
  description: 'One of the moves on a stopped run, and whether it can be made now.',
  fields: (t) => ({
    kind: t.field({ type: MoveKind, description: 'Which one.', resolve: ({ kind }) => kind }),
    possible: t.boolean({ description: 'Whether it can be made.', resolve: ({ refusal }) => refusal === null }),
    reason: t.string({ nullable: true, description: 'Why not.', resolve: ({ refusal }) => refusal?.message }),
    targets: t.stringList({
      description: 'Of ROUTE: the slugs of the tasks that can take the work on.',
      resolve: ({ targets }) => targets,
    }),
  }),
});

type Prisma = Context['prisma'];
type Find = (prisma: Prisma, query: object, where: { enterpriseId: string; id: { in: string[] } }) => Promise<{ id: string }[]>;

/** Rows that hang on stopped runs, with what is selected of them: one statement for all runs of a list. */
function beside(context: Context, info: GraphQLResolveInfo, id: string, find: Find): Promise<unknown> {
  const { prisma, caller, reads } = context;
  // Fields of one place share their selection, whichever run of the list they hang on.
  return reads.together(`blockers ${info.parentType.name}.${info.path.key}`, id, async (ids) => {
    const where = { enterpriseId: caller.enterpriseId, id: { in: [...new Set(ids)] } };
    const rows = await find(prisma, queryFromInfo({ context, info }), where);
    return new Map(rows.map((row) => [row.id, row]));
  });
}

const runs: Find = (prisma, query, where) => prisma.run.findMany({ ...query, where });
const members: Find = (prisma, query, where) => prisma.member.findMany({ ...query, where });

/** To whom a stopped run was handed last, with what is selected of that. */
function lastEscalation(context: Context, info: GraphQLResolveInfo, runId: string): Promise<unknown> {
  const { prisma, caller, reads } = context;
  return reads.together(`escalations ${info.parentType.name}.${info.path.key}`, runId, async (ids) => {
    const where = { enterpriseId: caller.enterpriseId, runId: { in: ids } };
    const query = { ...queryFromInfo({ context, info, select: { runId: true } }), where, orderBy: newestFirst, distinct: ['runId'] };
    const rows = (await prisma.escalation.findMany(query as never)) as { runId: string }[];
    return new Map(rows.map((row) => [row.runId, row]));
  });
}

export const StoppedRun = builder.objectRef<Stopped>('StoppedRun').implement({
  description: 'A run that stands on Blockers.',
  fields: (t) => ({
    run: t.field({
      type: Run,
      description: 'The run.',
      resolve: ({ run }, _args, context, info) => beside(context, info, run.id, runs) as never,
    }),
    sections: t.field({ type: [BlockerSection], description: 'Why it is here.', resolve: ({ sections }) => sections }),
    reason: t.string({ nullable: true, description: 'Why it stopped, in words.', resolve: ({ reason }) => reason }),
    blockClass: t.string({ nullable: true, description: 'What kind of thing blocks or pauses it.', resolve: ({ run }) => run.blockClass }),
    since: t.field({ type: 'DateTime', description: 'Since when it has stood still.', resolve: ({ since }) => since }),
    taskRetries: t.int({
      description: 'How many of the three retries and routes that runs may make in its chain are used.',
      resolve: ({ taskRetries }) => taskRetries,
    }),
    lead: t.field({
      type: Member,
      nullable: true,
      description: 'Who is asked first: the lead of its team, failing that the COO.',
      resolve: ({ lead }, _args, context, info) => (lead ? (beside(context, info, lead.id, members) as never) : null),
    }),
    escalation: t.field({
      type: Escalation,
      nullable: true,
      description: 'To whom it was handed; null: to nobody yet.',
      resolve: ({ run }, _args, context, info) => (run.escalatedTo ? (lastEscalation(context, info, run.id) as never) : null),
    }),
    moves: t.field({
      type: [Move],
      description: 'What a person can do about it.',
      resolve: async (stopped, _args, { kernel, caller, reads }) => {
        const tasks = await reads.together('pipelineTasks', stopped.run.id, (ids) => pipelineTasks(kernel.db, caller.enterpriseId, ids));
        const moves = movesOf(stopped, tasks ?? [], false);
        const barred = mayUse(caller, 'runs:write')
          ? null
          : new ToolError('not_allowed', 'It takes the CEO, or a token with the scope runs:write.');
        return barred ? moves.map((move) => ({ ...move, refusal: barred, targets: [] })) : moves;
      },
    }),
    outcomeUnknown: t.field({
      type: [ToolCall],
      description: 'Its calls that were interrupted and may have happened: look before the work is repeated.',
      resolve: async ({ run }, _args, context, info) => (await unknownCalls(context, info, run.id)) as never,
    }),
  }),
});

async function unknownCalls(context: Context, info: GraphQLResolveInfo, runId: string): Promise<unknown[]> {
  const {
    prisma,
    caller: { enterpriseId },
    reads,
  } = context;
  const calls = await reads.together(`outcomeUnknown ${info.path.key}`, runId, async (ids) => {
    const query = queryFromInfo({ context, info });
    const where = { enterpriseId, runId: { in: ids }, status: 'OUTCOME_UNKNOWN' as const };
    const rows = await prisma.toolCall.findMany({ ...query, where, orderBy: { id: 'asc' } });
    return new Map(ids.map((id) => [id, rows.filter(({ runId }) => runId === id)]));
  });
  return calls ?? [];
}
