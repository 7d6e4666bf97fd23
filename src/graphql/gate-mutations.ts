import { decideGate } from '../kernel/decide-gate.ts';
import { ToolError } from '../kernel/errors.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { GateAnswerKind, GateDecision } from './enums.ts';
import { internal } from './errors.ts';
import { type Problem, ProblemType } from './problem.ts';

const GateAnswerInput = builder.inputType('GateAnswerInput', {
  description: 'The answer to one question of a gate.',
  fields: (t) => ({
    number: t.int({ required: true, description: 'The number of the question.' }),
    kind: t.field({ type: GateAnswerKind, required: true, description: 'How it is answered.' }),
    text: t.string({ description: 'The words: ANSWER needs them, EXPLAIN may have them.' }),
  }),
});

const DecideGateInput = builder.inputType('DecideGateInput', {
  description: 'A decision.',
  fields: (t) => ({
    gateId: t.id({ required: true, description: 'The gate.' }),
    decision: t.field({ type: GateDecision, required: true, description: 'What is decided.' }),
    choice: t.string({ description: 'With CHOICE: the value of the choice.' }),
    payloadHash: t.string({ required: true, description: 'The payloadHash that was shown: another payload is not decided.' }),
    editedPayload: t.field({
      type: 'JSON',
      description: 'With APPROVE: approve exactly this object instead. Null is the same as left out.',
    }),
    answers: t.field({ type: [GateAnswerInput], description: 'The answers to the questions.' }),
    note: t.string({ description: 'What to tell the run.' }),
  }),
});

interface Decided {
  gateId: string;
  /** The gate's id, where it was decided: what is asked of it is read when all are. */
  decidedId: string | null;
  error: Problem | null;
}

const DecideGateResult = builder.objectRef<Decided>('DecideGateResult').implement({
  description: 'What became of one decision of several: exactly one of `gate` and `error`.',
  fields: (t) => ({
    gateId: t.exposeID('gateId', { description: 'The gate.' }),
    gate: t.prismaField({
      type: 'Gate',
      nullable: true,
      description: 'The decided gate.',
      resolve: async (query, { decidedId }, _args, { prisma, caller: { enterpriseId }, reads }, info) => {
        if (!decidedId) return null;
        const gates = (ids: string[]) => prisma.gate.findMany({ ...query, where: { enterpriseId, id: { in: ids } } });
        const byId = async (ids: string[]) => new Map((await gates(ids)).map((gate) => [gate.id, gate]));
        return reads.together(`decided ${info.path.key}`, decidedId, byId);
      },
    }),
    error: t.field({ type: ProblemType, nullable: true, description: 'Why it was not decided so.', resolve: ({ error }) => error }),
  }),
});

async function decided({ kernel, caller }: Context, input: { gateId: string }): Promise<Decided> {
  try {
    const { id } = await decideGate(kernel, caller, input);
    return { gateId: input.gateId, decidedId: id, error: null };
  } catch (error) {
    if (error instanceof ToolError && error.code === 'unauthenticated') throw error;
    const { code, message, details } = error instanceof ToolError ? error : internal(error, kernel.log);
    return { gateId: input.gateId, decidedId: null, error: { code, message, details } }; // a plain object: GraphQL would throw an Error
  }
}

builder.mutationFields((t) => ({
  decideGate: t.prismaField({
    type: 'Gate',
    description:
      'Decides a waiting gate. Of many at once one wins; the others get gate_already_decided. After a failure of the service nothing was decided ' +
      'and the gate waits on: send the same again.',
    args: { input: t.arg({ type: DecideGateInput, required: true, description: 'The decision.' }) },
    resolve: (_query, _root, { input }, { kernel, caller }) => decideGate(kernel, caller, input),
  }),
  decideGates: t.field({
    type: [DecideGateResult],
    description: 'Decides several gates, in order: each answers for itself.',
    args: { input: t.arg({ type: [DecideGateInput], required: true, description: 'The decisions.' }) },
    resolve: async (_root, { input }, context) => {
      const results: Decided[] = [];
      for (const decision of input) results.push(await decided(context, decision));
      return results;
    },
  }),
}));
