import type { Run as Row } from '../db/generated/client.ts';
import { runsHeldUp, runsHeldUpCounts } from '../domain/gate/held-up.ts';
import { builder } from './builder.ts';
import { sizeOf } from './connection.ts';
import type { Context } from './context.ts';

/** What waits behind one gate. */
export const HoldsUp = builder.objectRef<{ gateId: string }>('HoldsUp').implement({
  description: 'What waits behind a gate: pending runs of the same member or task.',
  fields: (t) => ({
    count: t.int({
      description: 'How many runs.',
      resolve: async ({ gateId }, _args, { kernel, caller, reads }) =>
        (await reads.together('heldUpCounts', gateId, (ids) => runsHeldUpCounts(kernel.db, caller.enterpriseId, ids))) ?? 0,
    }),
    runs: t.prismaField({
      type: ['Run'],
      description: 'The runs, longest pending first.',
      args: { first: t.arg.int({ description: 'How many at most: 1–200, 25 when left out.' }) },
      resolve: async (query, { gateId }, { first }, context, info) => {
        const size = sizeOf(first);
        // Fields of one alias and size share their selection, whichever gate of the list they hang on.
        const name = `heldUpRuns ${info.path.key} ${size}`;
        return (await context.reads.together(name, gateId, (ids) => load(context, query, ids, size))) ?? [];
      },
    }),
  }),
});

async function load(
  { kernel, prisma, caller: { enterpriseId } }: Context,
  query: object,
  gateIds: string[],
  size: number,
): Promise<Map<string, Row[]>> {
  const ids = await runsHeldUp(kernel.db, enterpriseId, gateIds, size);
  const runs = await prisma.run.findMany({
    ...query,
    where: { enterpriseId, id: { in: [...new Set([...ids.values()].flat())] } },
  });
  const byId = new Map(runs.map((run) => [run.id, run]));
  return new Map([...ids].map(([gateId, runIds]) => [gateId, runIds.flatMap((id) => byId.get(id) ?? [])]));
}
