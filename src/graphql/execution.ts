import { builder } from './builder.ts';
import { isId, nestedPage, pageArgs, paged } from './connection.ts';
import { RunConnection } from './run.ts';

builder.prismaObject('ExecutionLink', {
  description: 'A link that a run put on its execution.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'What it is called.' }),
    url: t.exposeString('url', { description: 'Where it leads: http or https.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
  }),
});

export const Execution = builder.prismaObject('Execution', {
  description: 'The chain of runs that one start set off.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name: that of its first task until a run names it.' }),
    links: t.relation('links', { description: 'The links that its runs added, oldest first.', query: { orderBy: { id: 'asc' } } }),
    runs: t.field({ type: RunConnection, description: 'Its runs, oldest first.', args: pageArgs(), ...nestedPage('runs', 'Run', 'asc') }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was started.' }),
  }),
});

const ExecutionConnection = builder.connectionObject(
  { type: Execution, name: 'ExecutionConnection', description: 'A page of executions.' },
  { name: 'ExecutionEdge', description: 'An execution in a list.' },
);

builder.queryFields((t) => ({
  execution: t.prismaField({
    type: 'Execution',
    nullable: true,
    description: 'One execution.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (query, _root, { id }, { prisma, caller: { enterpriseId } }) =>
      isId(id) ? prisma.execution.findFirst({ ...query, where: { enterpriseId, id } }) : null,
  }),
  executions: t.field({
    type: ExecutionConnection,
    description: 'The executions of the enterprise, newest first.',
    args: pageArgs(),
    resolve: paged('Execution', 'desc', ({ prisma, query, where }) => prisma.execution.findMany({ ...query, where })),
  }),
}));
