import type { Caller } from '../auth/caller.ts';
import { currentCursor } from '../events/cursor.ts';
import { mayDecideGates } from '../kernel/decision-rules.ts';
import { builder } from './builder.ts';
import { CredentialKind } from './enums.ts';

const Viewer = builder.objectRef<Caller>('Viewer').implement({
  description: 'Who the caller is, by its credential.',
  fields: (t) => ({
    kind: t.field({ type: CredentialKind, description: 'What the credential is.', resolve: ({ kind }) => kind }),
    enterprise: t.prismaField({
      type: 'Enterprise',
      description: 'The enterprise that it belongs to.',
      resolve: (query, { enterpriseId }, _args, { prisma }) =>
        prisma.enterprise.findFirstOrThrow({ ...query, where: { id: enterpriseId } }),
    }),
    person: t.prismaField({
      type: 'Person',
      nullable: true,
      description: 'Of a session and a chat the person; of an API token whoever granted it.',
      resolve: (query, { enterpriseId, person }, _args, { prisma }) =>
        person && prisma.person.findFirst({ ...query, where: { enterpriseId, id: person.id } }),
    }),
    run: t.prismaField({
      type: 'Run',
      nullable: true,
      description: 'The run of a run token.',
      resolve: (query, { enterpriseId, run }, _args, { prisma }) =>
        run && prisma.run.findFirst({ ...query, where: { enterpriseId, id: run.id } }),
    }),
    scopes: t.stringList({
      description: 'What the credential may do; empty for a session, which may what its person may.',
      resolve: ({ scopes }) => [...scopes],
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it expires; null: not by time.',
      resolve: ({ expiresAt }) => expiresAt,
    }),
    canDecideGates: t.boolean({ description: 'Whether it may decide gates.', resolve: (caller) => mayDecideGates(caller) }),
  }),
});

builder.queryFields((t) => ({
  viewer: t.field({ type: Viewer, description: 'Who the caller is.', resolve: (_root, _args, { caller }) => caller }),
  eventCursor: t.string({
    description: 'The last event that this response’s reads include: ask for it beside a list, then subscribe `after` it.',
    resolve: (_root, _args, { eventCursor, kernel, caller }) => eventCursor ?? currentCursor(kernel.db, caller.enterpriseId),
  }),
}));
