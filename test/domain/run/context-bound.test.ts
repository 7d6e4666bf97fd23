import { expect, it } from 'vitest';
import { MOST_CONTEXT } from '../../../src/domain/context/run-context.ts';
import { testApp } from '../../support/app.ts';
import { makeCompany } from '../../support/company.ts';
import { Harness } from '../../support/harness.ts';

const { kernel, url } = await testApp({ timing: { sweep: 3_600_000 } });
const fresh = async () => new Harness(url, await makeCompany(kernel));

/** Keys of ten characters with a text of `bytes` as JSON each, the first one the newest. */
const store = (of: Harness, many: number, bytes: number) =>
  kernel.db.query({
    text: `INSERT INTO "ContextEntry" ("enterpriseId", "key", "value", "updatedAt")
      SELECT $1, 'plan/' || lpad(n::text, 5, '0'), to_jsonb(repeat('x', $3 - 2)), now() - n * interval '1 s' FROM generate_series(1, $2) n`,
    values: [of.company.enterpriseId, many, bytes],
  });

const keys = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `plan/${String(from + index).padStart(5, '0')}`);

async function claimed(of: Harness, told: Record<string, unknown> = {}, input: unknown = {}) {
  return of.run({ contextPrefixes: ['plan/'], ...told }, input);
}

it('a run gets the newest 256 KiB of the context, and is told how many keys were left out', async () => {
  const of = await fresh();
  await store(of, 800, MOST_CONTEXT / 16 - 10);
  const { input } = await claimed(of, {}, { a: 1 });
  expect(Object.keys(input).sort()).toEqual(['a', 'context', 'contextMore']);
  expect([Object.keys(input.context).sort(), input.contextMore]).toEqual([keys(1, 16), 784]);
});

it('one byte more, and the last one no longer fits', async () => {
  const of = await fresh();
  await store(of, 16, MOST_CONTEXT / 16 - 9);
  const { input } = await claimed(of);
  expect([Object.keys(input.context).sort(), input.contextMore]).toEqual([keys(1, 15), 1]);
});

it('many small ones are all there', async () => {
  const of = await fresh();
  await store(of, 1_000, 20);
  const { input } = await claimed(of);
  expect([Object.keys(input.context).sort(), 'contextMore' in input]).toEqual([keys(1, 1_000), false]);
});

it('what was left out is said to each run anew, and is not passed on', async () => {
  const of = await fresh();
  await store(of, 17, MOST_CONTEXT / 16 - 10);
  const next = await of.task();
  const { runId, token, input } = await claimed(of, { successors: [{ outcome: 'done', task: next }] }, { a: 1 });
  expect(input.contextMore).toBe(1);
  await of.drive('finishRun', token, { runId, outcome: 'done' });
  expect((await of.claim(next))!.input).toEqual({ a: 1 });
});
