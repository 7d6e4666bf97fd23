import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Caller } from '../../src/auth/caller.ts';
import { invoke } from '../../src/kernel/invoke.ts';
import { testKernel } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { storeRun } from '../support/run.ts';

const kernel = await testKernel();
const company = await makeCompany(kernel);
const KEYS = ['a', 'b', 'a/b'];

type Sent = { tool: string; arguments: { key: string; value?: unknown } };

/** What is stored, and what was sent with what it answered. */
interface Model {
  stored: Map<string, unknown>;
  answered: { id: string; sent: Sent; result: unknown }[];
}

interface Real {
  caller: Caller;
}

const send = async ({ caller }: Real, id: string, sent: Sent) => {
  const row = await invoke(kernel, caller, { toolCallId: id, ...sent });
  expect(row.status).toBe('SUCCEEDED');
  return row.result;
};

/** The value under each key, as a read tells it. */
async function compare(model: Model, real: Real) {
  for (const key of KEYS) {
    const result = await send(real, `read ${key}`, { tool: 'os.get_context', arguments: { key } });
    expect(result).toEqual({ key, value: model.stored.get(key) ?? null });
  }
}

class Step implements fc.AsyncCommand<Model, Real> {
  constructor(
    readonly name: string,
    readonly act: (model: Model, real: Real) => Promise<void>,
    readonly check: (model: Readonly<Model>) => boolean = () => true,
  ) {}

  async run(model: Model, real: Real) {
    await this.act(model, real);
    await compare(model, real);
  }

  toString = () => this.name;
}

/** A call under an id that was not used yet. */
const fresh = (name: string, sent: Sent, apply: (stored: Model['stored']) => unknown) =>
  new Step(name, async (model, real) => {
    const id = `c${model.answered.length}`;
    const result = apply(model.stored);
    expect(await send(real, id, sent)).toEqual(result);
    model.answered.push({ id, sent, result });
  });

const key = fc.constantFrom(...KEYS);
const set = fc.record({ key, value: fc.oneof(fc.integer(), fc.constantFrom(null, '', [], { x: 1 })) }).map(({ key, value }) =>
  fresh(`set ${key} ${JSON.stringify(value)}`, { tool: 'os.set_context', arguments: { key, value } }, (stored) => {
    stored.set(key, value);
    return { key, value };
  }),
);
const remove = key.map((key) =>
  fresh(`delete ${key}`, { tool: 'os__delete_context', arguments: { key } }, (stored) => ({ key, deleted: stored.delete(key) })),
);
const replay = fc.nat().map(
  (which) =>
    new Step(
      `replay ${which}`,
      async ({ answered }, real) => {
        const { id, sent, result } = answered[which % answered.length]!;
        expect(await send(real, id, sent)).toEqual(result);
      },
      ({ answered }) => answered.length > 0,
    ),
);

it('a replay answers what its own call answered, and undoes nothing that came later', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands([set, set, remove, replay, replay], { maxCommands: 30, size: 'max' }), async (commands) => {
      const caller = await storeRun(kernel, company, ['os.set_context', 'os.get_context', 'os.delete_context']);
      await kernel.db.prisma.contextEntry.deleteMany({ where: { enterpriseId: company.enterpriseId } });
      const made = { model: { stored: new Map(), answered: [] }, real: { caller } };
      await fc.asyncModelRun(() => made, commands);
    }),
    { numRuns: 25 },
  );
});
