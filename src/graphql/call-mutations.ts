import type { ToolCall } from '../db/generated/client.ts';
import { unrecorded } from '../kernel/call-row.ts';
import { ToolError } from '../kernel/errors.ts';
import { invoke } from '../kernel/invoke.ts';
import { builder } from './builder.ts';

const InvokeToolInput = builder.inputType('InvokeToolInput', {
  description: 'A call of a tool.',
  fields: (t) => ({
    toolCallId: t.string({
      required: true,
      description: 'The caller’s own id of this call, 1–200 characters: sent again with the same content it is the same call.',
    }),
    tool: t.string({ required: true, description: 'The name of the tool, with dots or as the model was offered it.' }),
    arguments: t.field({ type: 'JSON', description: 'The arguments: an object.' }),
  }),
});

builder.mutationFields((t) => ({
  invokeTool: t.prismaField({
    type: 'ToolCall',
    description:
      'Calls a tool as the run. Answers at once, always as data: a call held by a gate is WAITING. Then read `runEvents`, or ask again with the same toolCallId.',
    args: { input: t.arg({ type: InvokeToolInput, required: true, description: 'The call.' }) },
    resolve: (_query, _root, { input }, { kernel, caller, limited }) => {
      const { toolCallId, tool, arguments: args } = input;
      if (!limited) return invoke(kernel, caller, { toolCallId, tool, arguments: args }) as Promise<ToolCall>;
      if (!caller.run) throw new ToolError('not_allowed', 'invokeTool is a run’s own: send it with the run token.');
      return unrecorded({ ...caller, id: caller.run.id }, { toolCallId, name: tool, arguments: args }, limited, kernel.now()) as ToolCall;
    },
  }),
}));
