import { builder } from './builder.ts';
import { pageArgs, paged } from './connection.ts';
import { CredentialKind } from './enums.ts';

export const Token = builder.prismaObject('Token', {
  description: 'A credential of a person or an integration. Its secret is kept nowhere.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id, for revokeToken.' }),
    kind: t.field({ type: CredentialKind, description: 'What it is.', select: { kind: true }, resolve: ({ kind }) => kind as never }),
    name: t.exposeString('name', { description: 'What whoever made it called it.' }),
    scopes: t.stringList({
      description: 'What it may do; empty for a session.',
      select: { scopes: true },
      resolve: ({ scopes }) => scopes,
    }),
    person: t.relation('person', { nullable: true, description: 'Of a session whose it is, of an API token who granted it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was issued.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'When it expires, used or not; null: never.' }),
    idleSeconds: t.exposeInt('idleSeconds', {
      nullable: true,
      description: 'It ends when it was not used for this long; null: idling does not end it.',
    }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, description: 'When it was last used; null: never.' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'When it was revoked; null: it was not.' }),
  }),
});

const TokenConnection = builder.connectionObject(
  { type: Token, name: 'TokenConnection', description: 'A page of credentials.' },
  { name: 'TokenEdge', description: 'A credential in a list.' },
);

const LISTED = ['API_TOKEN', 'SESSION', 'CHAT'] as const;

builder.queryFields((t) => ({
  tokens: t.field({
    type: TokenConnection,
    description: 'The credentials of people and integrations, newest first; those of runs come and go with their runs.',
    args: { kind: t.arg({ type: [CredentialKind], description: 'Only these kinds.' }), ...pageArgs() },
    resolve: paged(
      'Token',
      'desc',
      ({ prisma, query, where }, { kind }: { kind?: readonly string[] | null; first?: number | null; after?: string | null }) =>
        prisma.token.findMany({ ...query, where: { ...where, kind: { in: LISTED.filter((listed) => !kind || kind.includes(listed)) } } }),
    ),
  }),
}));
