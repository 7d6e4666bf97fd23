import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/auth/caller.ts';
import { DatabaseTrouble } from '../../src/db/trouble.ts';
import { claimRun } from '../../src/domain/run/claim-run.ts';
import { finishRun } from '../../src/domain/run/drive-run.ts';
import { invoke } from '../../src/kernel/invoke.ts';
import { settleInterrupted } from '../../src/kernel/sweep-calls.ts';
import { makeLedger } from '../fixtures/ledger.ts';
import { calls, fixture } from '../fixtures/tools.ts';
import { testKernel } from '../support/app.ts';
import { makeClock } from '../support/clock.ts';
import { makeCompany } from '../support/company.ts';
import { testDatabase } from '../support/database.ts';
import { type Deferred, deferred } from '../support/deferred.ts';
import { ceoCaller, storeRun } from '../support/run.ts';

const home = await testDatabase();
const ledger = makeLedger(home.url);
afterAll(async () => {
  await ledger.close();
  await home.drop();
});

/** Acts, then hangs until the test lets it go: as a process that dies before it can record what it did. */
let [acted, go]: [Deferred, Deferred] = [deferred(), deferred()];
const hanging = ledger.tools.map((tool) =>
  fixture({
    ...tool,
    name: `${tool.name}_and_hang`,
    handler: async (context, input) => {
      const done = await tool.handler(context as never, input);
      acted.resolve();
      await go.promise;
      return done;
    },
  }),
);
const look = fixture({ ...ledger.tools[0]!, name: 'ledger.look', effect: 'read', retry: 'safe', handler: async (_, input) => input });
const raise = fixture({ ...ledger.tools[0]!, name: 'ledger.raise', handler: async ({ fail }, { entry }) => fail(entry as never, 'No.') });
const troubles: DatabaseTrouble[] = [];
const [troubled, troubledUnsafe] = (['idempotent', 'unsafe'] as const).map((retry) =>
  fixture({
    ...ledger.tools[0]!,
    name: `ledger.troubled_${retry}`,
    retry,
    handler: async (_, input) => {
      const trouble = troubles.pop();
      if (trouble) throw trouble;
      return input;
    },
  }),
);
const OUTSIDE = [...ledger.tools, ...hanging, look, raise, troubled!, troubledUnsafe!];
const clock = makeClock();
const kernel = await testKernel({
  additions: { catalogs: [{ type: 'ledger', tools: OUTSIDE }], now: clock.now },
  timing: { callRenew: 3_600_000 },
  config: { logLevel: 'silent' },
});
const company = await makeCompany(kernel);
const ceo = ceoCaller(company);
const TOOLS = ['os.set_context', ...OUTSIDE.map(({ name }) => name)];
const call = (caller: Caller, toolCallId: string, tool: string, args: unknown) =>
  invoke(kernel, caller, { toolCallId, tool, arguments: args });
const told = async (what: Promise<unknown>) =>
  what.then(
    () => 'done',
    ({ code }) => code,
  );

let entries = 0;
const entry = () => ({ entry: `e-${++entries}`, amount: 5 });

beforeEach(() => {
  [acted, go] = [deferred(), deferred()];
  calls.length = 0;
});

it('acts, and records what came of it', async () => {
  const run = await storeRun(kernel, company, TOOLS);
  const args = entry();
  const first = await call(run, 'a', 'ledger.post', args);
  expect(first).toMatchObject({ status: 'SUCCEEDED', result: args, leaseOwner: null, leaseExpiresAt: null });
  expect(await call(run, 'a', 'ledger.post', args)).toMatchObject({ id: first.id, result: args });
  expect(await ledger.posted(args.entry)).toEqual([args]);
  await call(run, 'b', 'ledger.post', args);
  expect(await ledger.posted(args.entry)).toEqual([args, args]);
});

it('a read outside runs again under its id', async () => {
  const run = await storeRun(kernel, company, TOOLS);
  const args = entry();
  for (let turn = 0; turn < 3; turn++)
    expect(await call(run, 'a', 'ledger.look', args)).toMatchObject({ status: 'SUCCEEDED', result: args });
  expect(calls.length).toBe(3);
  expect(await kernel.db.prisma.toolCall.findMany({ where: { runId: run.run!.id } })).toMatchObject([{ result: null, resultSize: 26 }]);
});

describe('what it raises is its answer', () => {
  it.each([
    ['not_found', 'TOOL_ERROR', 'a', 'RUNNING'],
    ['binding_required', 'HANDED_BACK', null, 'RUNNING'],
    ['tool_value_refused', 'RUN_FAILED', 'a', 'FAILED'],
  ])('%s is %s, holds the id %s, and the run is %s', async (code, status, boundId, runStatus) => {
    const run = await storeRun(kernel, company, TOOLS);
    expect(await call(run, 'a', 'ledger.raise', { entry: code, amount: 1 })).toMatchObject({ status, errorCode: code, boundId });
    expect(await kernel.db.prisma.run.findFirstOrThrow({ where: { id: run.run!.id } })).toMatchObject({ status: runStatus });
    if (boundId === null) expect(await call(run, 'a', 'ledger.post', entry())).toMatchObject({ status: 'SUCCEEDED' });
  });
});

describe('trouble of the database within it', () => {
  it('is no answer: the call is made again once its claim has run out', async () => {
    const run = await storeRun(kernel, company, TOOLS);
    const args = entry();
    troubles.push(new DatabaseTrouble('busy', 'A lock was held'));
    await expect(call(run, 'a', 'ledger.troubled_idempotent', args)).rejects.toThrow('A lock was held');
    expect(await call(run, 'a', 'ledger.troubled_idempotent', args)).toMatchObject({ status: 'EXECUTING' });
    clock.advance(30_001);
    expect(await settleInterrupted(kernel)).toBe(1);
    expect(await call(run, 'a', 'ledger.troubled_idempotent', args)).toMatchObject({ status: 'SUCCEEDED', result: args });
  });

  it('leaves unknown what an unsafe call did', async () => {
    const run = await storeRun(kernel, company, TOOLS);
    troubles.push(new DatabaseTrouble('busy', 'A lock was held'));
    expect(await call(run, 'a', 'ledger.troubled_unsafe', entry())).toMatchObject({ status: 'OUTCOME_UNKNOWN' });
  });
});

it('while it executes it is answered as executing, and the run does not finish', async () => {
  const run = await storeRun(kernel, company, TOOLS);
  const args = entry();
  const first = call(run, 'a', 'ledger.post_and_hang', args);
  await acted.promise;
  expect(await call(run, 'a', 'ledger.post_and_hang', args)).toMatchObject({ status: 'EXECUTING' });
  expect(await told(finishRun(kernel, run, { runId: run.run!.id, outcome: 'done' }))).toBe('call_in_progress');
  go.resolve();
  expect(await first).toMatchObject({ status: 'SUCCEEDED', result: args });
  expect(await ledger.posted(args.entry)).toEqual([args]);
});

it('while it executes no other call of the run is made, whichever home its effect has; afterwards it is', async () => {
  const run = await storeRun(kernel, company, TOOLS);
  const [first, second] = [entry(), entry()];
  const executing = call(run, 'a', 'ledger.post_and_hang', first);
  await acted.promise;
  const early = [
    await call(run, 'b', 'ledger.post', second),
    await call(run, 'c', 'os.set_context', { key: 'k', value: 1 }),
    await call(run, 'd', 'ledger.look', second),
  ];
  for (const row of early) expect(row).toMatchObject({ status: 'HANDED_BACK', errorCode: 'call_in_progress', boundId: null });
  expect(early[0]!.errorMessage).toBe(
    'ledger.post_and_hang of this run is still executing. Send this call again once that one has been answered.',
  );
  expect(await ledger.posted(second.entry)).toEqual([]);
  go.resolve();
  await executing;
  expect(await call(run, 'b', 'ledger.post', second)).toMatchObject({ status: 'SUCCEEDED', result: second });
  expect(await ledger.posted(second.entry)).toEqual([second]);
});

describe('when its process dies before recording', () => {
  const lose = async (tool: string) => {
    const run = await storeRun(kernel, company, TOOLS);
    const args = entry();
    const first = call(run, 'a', tool, args);
    await acted.promise;
    clock.advance(30_000);
    expect(await settleInterrupted(kernel)).toBe(0);
    clock.advance(1);
    return { run, args, first, settled: settleInterrupted(kernel) };
  };

  it('an idempotent call is made again, and the late process records nothing', async () => {
    const { run, args, first, settled } = await lose('ledger.put_and_hang');
    const before = await kernel.db.prisma.toolCall.findFirstOrThrow({ where: { runId: run.run!.id } });
    go.resolve();
    expect(await settled).toBe(1);
    expect((await first).id).toBe(before.id);
    expect(await call(run, 'a', 'ledger.put_and_hang', args)).toMatchObject({ id: before.id, status: 'SUCCEEDED', result: args });
    expect((await ledger.kept()).filter((row) => row.entry === args.entry)).toEqual([args]);
    expect(calls.filter(({ name }) => name === 'ledger.put_and_hang')).toHaveLength(2);
  });

  it('an unsafe one ends as unknown, and stays so', async () => {
    const { run, args, first, settled } = await lose('ledger.post_and_hang');
    expect(await settled).toBe(1);
    go.resolve();
    for (const row of [await first, await call(run, 'a', 'ledger.post_and_hang', args)]) {
      expect(row).toMatchObject({ status: 'OUTCOME_UNKNOWN', errorCode: 'outcome_unknown', errorHandling: 'TOOL_ERROR' });
    }
    expect(await ledger.posted(args.entry)).toEqual([args]);
  });

  it('one process takes it, of many', async () => {
    const { settled } = await lose('ledger.post_and_hang');
    const others = await Promise.all(Array.from({ length: 8 }, () => settleInterrupted(kernel)));
    expect((await settled) + others.reduce((sum, one) => sum + one, 0)).toBe(1);
    go.resolve();
  });

  it('its run is handed out again once the call is settled', async () => {
    const { run, first, settled } = await lose('ledger.post_and_hang');
    await settled;
    go.resolve();
    await first;
    clock.advance(90_001);
    const { slug } = await kernel.db.prisma.task.findFirstOrThrow({ where: { runs: { some: { id: run.run!.id } } } });
    const again = await claimRun(kernel, ceo, { worker: 'w', tasks: [slug] });
    expect(again!.run).toMatchObject({ id: run.run!.id, attempt: 2 });
  });
});
