import type { GraphQLResolveInfo } from 'graphql';
import { gatesByCostOfDelay } from '../domain/gate/held-up.ts';
import { within } from './access.ts';
import { builder } from './builder.ts';
import {
  badCursor,
  connectionOf,
  decodeCursor,
  isId,
  type PageArgs,
  pageArgs,
  pageOf,
  pageQuery,
  selectionOf,
  sizeOf,
} from './connection.ts';
import type { Context } from './context.ts';
import { GateSort, GateStatus } from './enums.ts';
import { GateConnection } from './gate.ts';
import { taskIds } from './task-ids.ts';

const GateFilter = builder.inputType('GateFilter', {
  description: 'Which gates: what is given must all hold.',
  fields: (t) => ({
    status: t.field({ type: [GateStatus], description: 'One of these statuses.' }),
    tool: t.stringList({ description: 'On one of these tools, by dotted name.' }),
    task: t.stringList({ description: 'Of runs of one of these tasks, by slug or id.' }),
    run: t.id({ description: 'Of this run.' }),
    openedAfter: t.field({ type: 'DateTime', description: 'Opened after this time.' }),
    openedBefore: t.field({ type: 'DateTime', description: 'Opened before this time.' }),
  }),
});

type Filter = typeof GateFilter.$inferInput;

/** Null: no gate can fit. */
async function gatesWhere({ prisma, caller }: Context, filter: Filter) {
  const { status, tool, task, run, openedAfter, openedBefore } = filter;
  if (typeof run === 'string' && !isId(run)) return null;
  const { enterpriseId } = caller;
  return {
    AND: [
      status ? { status: { in: [...status] } } : {},
      tool ? { tool: { in: [...tool] } } : {},
      task ? { run: { taskId: { in: await taskIds({ prisma, where: { enterpriseId } }, task) } } } : {},
      run ? { runId: run } : {},
      openedAfter ? { createdAt: { gt: openedAfter } } : {},
      openedBefore ? { createdAt: { lt: openedBefore } } : {},
    ],
  };
}

async function gates(args: PageArgs & { filter?: Filter | null }, context: Context, info: GraphQLResolveInfo) {
  const page = pageOf(args);
  const { prisma } = context;
  const fits = args.filter ? await gatesWhere(context, args.filter) : {};
  if (!fits) return { ...connectionOf([], page), totalCount: async () => 0 };
  const all = { ...within(context.caller), ...fits };
  const { where, ...terms } = pageQuery(page, 'desc');
  const rows = await prisma.gate.findMany({ ...terms, ...selectionOf('Gate', context, info), where: { ...all, ...where } });
  return { ...connectionOf(rows, page), totalCount: () => prisma.gate.count({ where: all }) };
}

async function openGates(args: PageArgs, context: Context, info: GraphQLResolveInfo) {
  const page = pageOf(args);
  const { prisma } = context;
  const waiting = { enterpriseId: context.caller.enterpriseId, status: 'WAITING' as const };
  const { where, ...terms } = pageQuery(page, 'asc');
  const rows = await prisma.gate.findMany({ ...terms, ...selectionOf('Gate', context, info), where: { ...waiting, ...where } });
  return { ...connectionOf(rows, page), totalCount: () => prisma.gate.count({ where: waiting }) };
}

/** The sort key of a gate by cost of delay: its count and its id. */
function costKey(after: string) {
  const match = /^(\d{1,9}) (.*)$/.exec(decodeCursor(after));
  if (!match || !isId(match[2]!)) throw badCursor(after);
  return { count: Number(match[1]), id: match[2]! };
}

async function costliestGates({ first, after }: PageArgs, context: Context, info: GraphQLResolveInfo) {
  const page = { size: sizeOf(first), after: after ?? undefined };
  const {
    kernel,
    prisma,
    caller: { enterpriseId },
  } = context;
  const sorted = await gatesByCostOfDelay(
    kernel.db,
    enterpriseId,
    page.after === undefined ? undefined : costKey(page.after),
    page.size + 1,
  );
  const counts = new Map(sorted.map(({ gateId, count }) => [gateId, count]));
  const where = { enterpriseId, id: { in: [...counts.keys()] } };
  const rows = await prisma.gate.findMany({ ...selectionOf('Gate', context, info), where });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ordered = sorted.flatMap(({ gateId }) => byId.get(gateId) ?? []);
  const totalCount = () => prisma.gate.count({ where: { enterpriseId, status: 'WAITING' } });
  return { ...connectionOf(ordered, page, ({ id }) => `${counts.get(id)} ${id}`), totalCount };
}

builder.queryFields((t) => ({
  openGates: t.field({
    type: GateConnection,
    description: 'The gates that wait for a decision.',
    args: { ...pageArgs(), sort: t.arg({ type: GateSort, description: 'OLDEST when left out.' }) },
    resolve: async (_root, { sort, ...args }, context, info) =>
      (await (sort === 'COST_OF_DELAY' ? costliestGates : openGates)(args, context, info)) as never,
  }),
  gate: t.prismaField({
    type: 'Gate',
    nullable: true,
    description: 'One gate. A run token reads those of its own run.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (query, _root, { id }, { prisma, caller }) =>
      isId(id) ? prisma.gate.findFirst({ ...query, where: { ...within(caller), id } }) : null,
  }),
  gates: t.field({
    type: GateConnection,
    description: 'All gates, newest first. A run token reads those of its own run.',
    args: { filter: t.arg({ type: GateFilter, description: 'Which ones.' }), ...pageArgs() },
    resolve: async (_root, args, context, info) => (await gates(args, context, info)) as never,
  }),
}));
