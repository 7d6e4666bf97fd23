import type { EventRow } from '../db/event-row.ts';
import { notFound } from '../kernel/errors.ts';
import { notOwnRun } from './access.ts';
import { builder } from './builder.ts';
import { isId } from './connection.ts';
import type { Context } from './context.ts';
import { GateEventKind, RunEventKind } from './enums.ts';
import { CURSOR, cursorOf, type Told, told } from './event-source.ts';
import { ResponseReads } from './response-reads.ts';

const GateEvent = builder.objectRef<EventRow>('GateEvent').implement({
  description: 'Something happened to a gate.',
  fields: (t) => ({
    cursor: t.string({ description: CURSOR, resolve: cursorOf }),
    at: t.field({ type: 'DateTime', description: 'When it happened.', resolve: ({ at }) => at }),
    kind: t.field({ type: GateEventKind, description: 'What happened.', resolve: ({ kind }) => kind as never }),
    gate: t.prismaField({
      type: 'Gate',
      description: 'The gate as it is now.',
      resolve: (query, { enterpriseId, gateId }, _args, { prisma }) =>
        prisma.gate.findFirstOrThrow({ ...query, where: { enterpriseId, id: gateId! } }),
    }),
  }),
});

const RunEvent = builder.objectRef<EventRow>('RunEvent').implement({
  description: 'Something happened to a run.',
  fields: (t) => ({
    cursor: t.string({ description: CURSOR, resolve: cursorOf }),
    at: t.field({ type: 'DateTime', description: 'When it happened.', resolve: ({ at }) => at }),
    kind: t.field({ type: RunEventKind, description: 'What happened.', resolve: ({ kind }) => kind as never }),
    run: t.prismaField({
      type: 'Run',
      description: 'The run as it is now.',
      resolve: (query, { enterpriseId, runId }, _args, { prisma }) =>
        prisma.run.findFirstOrThrow({ ...query, where: { enterpriseId, id: runId! } }),
    }),
    gate: t.prismaField({
      type: 'Gate',
      nullable: true,
      description: 'The gate that it is about, as it is now.',
      resolve: (query, { enterpriseId, gateId }, _args, { prisma }) =>
        gateId ? prisma.gate.findFirst({ ...query, where: { enterpriseId, id: gateId } }) : null,
    }),
    toolCall: t.prismaField({
      type: 'ToolCall',
      nullable: true,
      description: 'The call that it is about, as it is now.',
      resolve: (query, { enterpriseId, callId }, _args, { prisma }) =>
        callId ? prisma.toolCall.findFirst({ ...query, where: { enterpriseId, id: callId } }) : null,
    }),
  }),
});

/** Each event reads anew, though one operation has one context. */
export const eventOf = (event: Told, context: Context): EventRow => {
  if (event instanceof Error) throw event;
  context.reads = new ResponseReads(context.prisma, context.caller.enterpriseId);
  context.bytes.restart();
  return event;
};

/** The one run whose events are asked for; null: all of the enterprise. @throws {ToolError} not_allowed, not_found */
async function watched({ caller: { enterpriseId, run }, kernel }: Context, asked: string | null | undefined): Promise<string | null> {
  const runId = asked?.toLowerCase() ?? run?.id ?? null;
  if (run && run.id !== runId) throw notOwnRun();
  if (asked === null || asked === undefined || run) return runId;
  const known = isId(asked) && (await kernel.db.prisma.run.count({ where: { enterpriseId, id: asked } })) > 0;
  if (!known) throw notFound('run', asked);
  return runId;
}

const after = { description: 'The cursor of the last event that you have; without it the stream begins with what comes next.' };

builder.subscriptionFields((t) => ({
  gateEvents: t.field({
    type: GateEvent,
    description: 'What happens to gates. A run token sees those of its own run.',
    args: { after: t.arg.string(after) },
    subscribe: (_root, { after }, context) => {
      const { run } = context.caller;
      return told(context, after, ({ topic, runId }) => topic === 'GATE' && (!run || run.id === runId));
    },
    resolve: (event, _args, context) => eventOf(event as Told, context),
  }),
  runEvents: t.field({
    type: RunEvent,
    description: 'What happens to runs; a harness waits here for its gate’s decision. A run token sees its own run.',
    args: { runId: t.arg.id({ description: 'Only this run.' }), after: t.arg.string(after) },
    subscribe: async (_root, { runId, after }, context) => {
      const only = await watched(context, runId);
      return told(context, after, (event) => event.topic === 'RUN' && (only === null || only === event.runId));
    },
    resolve: (event, _args, context) => eventOf(event as Told, context),
  }),
}));
