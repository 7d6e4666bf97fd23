import type { ToolHandling as Handling } from '../db/generated/enums.ts';
import { builder } from './builder.ts';
import { ToolCallStatus, ToolHandling } from './enums.ts';

interface Failure {
  errorCode: string | null;
  errorMessage: string | null;
  errorHandling: Handling | null;
  errorDetails: unknown;
}

const ToolFailure = builder.objectRef<Failure>('ToolFailure').implement({
  description: 'Why a call did not succeed.',
  fields: (t) => ({
    code: t.string({ description: 'The code, for programs.', resolve: ({ errorCode }) => errorCode! }),
    message: t.string({
      description: 'What is wrong, with which value, and what is allowed: for the model.',
      resolve: ({ errorMessage }) => errorMessage!,
    }),
    handling: t.field({ type: ToolHandling, description: 'What becomes of the call.', resolve: ({ errorHandling }) => errorHandling! }),
    details: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What the code’s row in the error table names.',
      resolve: ({ errorDetails }) => errorDetails,
    }),
  }),
});

export const ToolCall = builder.prismaObject('ToolCall', {
  description: 'One call of a tool by a run, identified by the run and the toolCallId.',
  select: { id: true, runId: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id. A call that was refused before it was recorded is found nowhere under it.' }),
    toolCallId: t.exposeString('toolCallId', { description: 'The id that the caller gave it.' }),
    tool: t.exposeString('tool', { description: 'The dotted name of the tool.' }),
    arguments: t.expose('arguments', { type: 'JSON', nullable: true, description: 'The arguments as they were sent.' }),
    status: t.expose('status', { type: ToolCallStatus, description: 'Where it stands.' }),
    result: t.expose('result', { type: 'JSON', nullable: true, description: 'What it answered. The results of reads are not kept.' }),
    error: t.field({
      type: ToolFailure,
      nullable: true,
      description: 'Why it did not succeed.',
      select: { errorCode: true, errorMessage: true, errorHandling: true, errorDetails: true },
      resolve: (call) => (call.errorCode === null ? null : call),
    }),
    gate: t.relation('gate', {
      nullable: true,
      description: 'The gate that it opened.',
      resolve: (query, { id }, _args, { prisma }) => prisma.gate.findUnique({ ...query, where: { callId: id } }),
    }),
    editedByHuman: t.expose('editedByHuman', {
      type: 'JSON',
      nullable: true,
      description: 'The RFC 6902 patch from what the model asked to what a person approved: do not send the original again.',
    }),
    run: t.relation('run', {
      nullable: true,
      description: 'The run that called.',
      // By the call's run, not through the call: a call that was refused before it was recorded has no row.
      resolve: (query, { runId }, _args, { prisma, caller: { enterpriseId } }) =>
        prisma.run.findUnique({ ...query, where: { enterpriseId_id: { enterpriseId, id: runId } } }) as never,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was sent.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
  }),
});

export const ToolCallConnection = builder.connectionObject(
  { type: ToolCall, name: 'ToolCallConnection', description: 'A page of tool calls.' },
  { name: 'ToolCallEdge', description: 'A tool call in a list.' },
);
