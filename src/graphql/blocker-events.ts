import type { EventRow } from '../db/event-row.ts';
import { stoppedAmong } from '../domain/blocker/stopped-runs.ts';
import { StoppedRun } from './blocker.ts';
import { builder } from './builder.ts';
import { CURSOR, cursorOf, type Told, told } from './event-source.ts';
import { eventOf } from './event-types.ts';

const BlockerEventKind = builder.enumType('BlockerEventKind', {
  description: 'What happened to the place of a run on Blockers.',
  values: {
    APPEARED: { description: 'It stopped.' },
    CHANGED: { description: 'It stands there in another way than before.' },
    LEFT: { description: 'It stands there no longer.' },
  },
});

const BlockerEvent = builder.objectRef<EventRow>('BlockerEvent').implement({
  description: 'A change of `blockers.runs`.',
  fields: (t) => ({
    cursor: t.string({ description: CURSOR, resolve: cursorOf }),
    at: t.field({ type: 'DateTime', description: 'When it happened.', resolve: ({ at }) => at }),
    kind: t.field({ type: BlockerEventKind, description: 'What happened.', resolve: ({ kind }) => kind as never }),
    runId: t.id({ description: 'The run.', resolve: ({ runId }) => runId! }),
    blocker: t.field({
      type: StoppedRun,
      nullable: true,
      description: 'The run as it stands on Blockers now; null: it does not.',
      resolve: async ({ enterpriseId, runId }, _args, { kernel }) => (await stoppedAmong(kernel.db, enterpriseId, [runId!]))[0],
    }),
  }),
});

builder.subscriptionField('blockerEvents', (t) =>
  t.field({
    type: BlockerEvent,
    description:
      'Every run that comes to `blockers.runs`, changes there, gets other moves or leaves it. Names around it (its team, its lead) change ' +
      'without an event, and so do the other sections of Blockers.',
    args: {
      after: t.arg.string({
        description: 'The cursor of the last event that you have; without it the stream begins with what comes next.',
      }),
    },
    subscribe: (_root, { after }, context) => told(context, after, ({ topic }) => topic === 'BLOCKER'),
    resolve: (event, _args, context) => eventOf(event as Told, context),
  }),
);
