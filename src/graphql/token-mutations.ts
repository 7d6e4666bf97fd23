import { grantToken } from '../auth/grant-token.ts';
import { revokeToken } from '../auth/tokens.ts';
import { builder } from './builder.ts';
import { Token } from './token.ts';

const CreateTokenInput = builder.inputType('CreateTokenInput', {
  description: 'An API token to be.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'What it is for, 1–200 characters: shown wherever it acts.' }),
    scopes: t.stringList({
      required: true,
      description: 'What it may do: scopes that the caller’s person has.',
      extensions: { most: 100 },
    }),
    expiresAt: t.field({ type: 'DateTime', description: 'When it ends; left out: when it is revoked.' }),
  }),
});

const CreatedToken = builder.objectRef<{ id: string; secret: string }>('CreatedToken').implement({
  description: 'A token that was just made.',
  fields: (t) => ({
    token: t.prismaField({
      type: Token,
      description: 'The token.',
      resolve: (query, { id }, _args, { prisma, caller: { enterpriseId } }) =>
        prisma.token.findFirstOrThrow({ ...query, where: { enterpriseId, id } }),
    }),
    secret: t.exposeString('secret', { description: 'What to send as `Authorization: Bearer`. It is shown this once.' }),
  }),
});

builder.mutationFields((t) => ({
  createToken: t.field({
    type: CreatedToken,
    description: 'Makes an API token in the name of the session’s person, with no more than that person may do.',
    args: { input: t.arg({ type: CreateTokenInput, required: true, description: 'The token.' }) },
    resolve: (_root, { input }, { kernel, caller }) => grantToken(kernel, caller, input),
  }),
  revokeToken: t.prismaField({
    type: Token,
    description: 'Ends a credential and what it has open. The CEO ends any, everybody their own.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: async (query, _root, { id }, { kernel, prisma, caller }) => {
      await revokeToken(kernel, caller, id);
      return prisma.token.findFirstOrThrow({ ...query, where: { enterpriseId: caller.enterpriseId, id } });
    },
  }),
}));
