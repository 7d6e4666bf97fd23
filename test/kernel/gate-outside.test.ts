import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeLedger } from '../fixtures/ledger.ts';
import { fixture } from '../fixtures/tools.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { testDatabase } from '../support/database.ts';
import { type Deferred, deferred } from '../support/deferred.ts';
import { Harness } from '../support/harness.ts';

const home = await testDatabase();
const ledger = makeLedger(home.url);
afterAll(async () => {
  await ledger.close();
  await home.drop();
});

/** What the next slow call waits for, and that it has begun. */
let [begun, go]: [Deferred, Deferred] = [deferred(), deferred()];
const post = ledger.tools.find(({ name }) => name === 'ledger.post')!;
const slowly = (name: string, told: Partial<typeof post> = {}) =>
  fixture({
    ...post,
    ...told,
    name,
    handler: async (context, input) => {
      begun.resolve();
      await go.promise;
      return post.handler(context as never, input);
    },
  });
const slow = slowly('ledger.slow');
const slowPut = slowly('ledger.slow_put', { retry: 'idempotent' });
const mail = slowly('os.mail_send', { gate: { canRequestChanges: true } });
const fickle = fixture({
  ...post,
  name: 'ledger.fickle',
  input: z.strictObject({ code: z.string() }),
  output: z.strictObject({}),
  handler: async ({ fail }, { code }) => fail(code as never, `It raised ${code}.`),
});
const { kernel, url } = await testApp({
  additions: {
    families: [{ title: 'Mail', page: 'OS', intro: 'Test doubles.', tools: [mail] }],
    catalogs: [{ type: 'ledger', tools: [...ledger.tools, slow, slowPut, fickle] }],
  },
  config: { logLevel: 'silent' },
});
const company = await makeCompany(kernel);
const harness = new Harness(url, company);

let entries = 0;
const entry = () => ({ entry: `entry-${++entries}`, amount: 5 });
const EVENT = 'kind run { status } toolCall { status result error { code } }';

async function held(tool: string, args: unknown = entry(), successors: { outcome: string; task: string }[] = []) {
  const run = await harness.run({ tools: ['os.set_gate_summary', 'os.get_context', tool], gates: [{ tool }], successors });
  const call = await harness.call(run.token, 'g', tool, args);
  const { next } = await harness.listen(run.token, 'runEvents', EVENT);
  return { ...run, args, gate: call.gate!, next, again: () => harness.call(run.token, 'g', tool, args) };
}

beforeEach(() => {
  [begun, go] = [deferred(), deferred()];
});

describe.each(['ledger.post', 'ledger.put'])('%s', (tool) => {
  it('is executed once after approval, with exactly the approved payload, and the run hears it twice', async () => {
    const { args, gate, next, again } = await held(tool);
    const editedPayload = { ...(args as object), amount: 6 };
    expect((await harness.decide(gate, { decision: 'APPROVE', editedPayload })).status).toBe('APPROVED');
    expect(await next()).toMatchObject({ kind: 'DECIDED', run: { status: 'RUNNING' } });
    expect(await next()).toEqual({
      kind: 'DECIDED',
      run: { status: 'RUNNING' },
      toolCall: { status: 'SUCCEEDED', result: editedPayload, error: null },
    });
    expect((await again()).result).toEqual(editedPayload);
    const { entry } = args as { entry: string };
    expect(tool === 'ledger.post' ? await ledger.posted(entry) : (await ledger.kept()).filter((row) => row.entry === entry)).toEqual([
      editedPayload,
    ]);
  });

  it.each(['REJECT', 'REQUEST_CHANGES'])('has no effect after %s', async (decision) => {
    const { args, gate, again } = await held(tool);
    await harness.decide(gate, { decision });
    await again();
    await kernel.work.idle();
    const { entry } = args as { entry: string };
    expect([...(await ledger.posted(entry)), ...(await ledger.kept()).filter((row) => row.entry === entry)]).toEqual([]);
  });
});

describe('a holding call that executes after its approval', () => {
  it('is answered as executing, and the run does not finish meanwhile', async () => {
    const { runId, token, args, gate, again } = await held('ledger.slow');
    await harness.decide(gate, { decision: 'APPROVE' });
    await begun.promise;
    expect(await again()).toMatchObject({ status: 'EXECUTING', result: null, error: null });
    expect(await harness.drive('finishRun', token, { runId, outcome: 'done' })).toMatchObject({ code: 'call_in_progress' });
    expect(await harness.call(token, 'n', 'os.get_context', { key: 'k' })).toMatchObject({
      status: 'HANDED_BACK',
      error: { code: 'call_in_progress' },
    });
    go.resolve();
    await kernel.work.idle();
    expect((await again()).result).toEqual(args);
    expect((await harness.call(token, 'n', 'os.get_context', { key: 'k' })).status).toBe('SUCCEEDED');
    expect(await harness.drive('finishRun', token, { runId, outcome: 'done' })).toMatchObject({ status: 'FINISHED' });
  });

  it.each([
    ['failRun', { code: 'tired', reason: 'Tired.' }, 'FAILED'],
    ['blockRun', { blockClass: 'wind', reason: 'No wind.' }, 'BLOCKED'],
    ['cancelRun', {}, 'CANCELLED'],
  ])('%s takes effect at once, and the result is still recorded', async (name, told, status) => {
    const { runId, args, gate, again } = await held('ledger.slow');
    await harness.decide(gate, { decision: 'APPROVE' });
    await begun.promise;
    const attempt = name === 'cancelRun' ? {} : { attempt: 1 };
    expect(
      (await harness.drive(name, name === 'cancelRun' ? company.apiToken : company.workerToken, { runId, ...attempt, ...told })).status,
    ).toBe(status);
    go.resolve();
    await kernel.work.idle();
    expect(await again()).toMatchObject({ status: 'SUCCEEDED', result: args });
    expect((await harness.runOf(runId)).status).toBe(status);
  });

  it('that breaks off has an unknown outcome if a repeat would act again', async () => {
    const { gate, next, again, runId } = await held('ledger.slow');
    await harness.decide(gate, { decision: 'APPROVE' });
    await next();
    go.reject(new Error('The line went dead'));
    expect(await next()).toMatchObject({ kind: 'DECIDED', run: { status: 'RUNNING' }, toolCall: { error: { code: 'outcome_unknown' } } });
    expect(await again()).toMatchObject({
      status: 'OUTCOME_UNKNOWN',
      error: {
        code: 'outcome_unknown',
        handling: 'TOOL_ERROR',
        message: 'The call was interrupted: it may have happened. Look whether it did before you repeat it.',
      },
    });
    expect((await harness.runOf(runId)).status).toBe('RUNNING');
  });

  it('that breaks off is an error of ours otherwise', async () => {
    const { gate, again } = await held('ledger.slow_put');
    await harness.decide(gate, { decision: 'APPROVE' });
    go.reject(new Error('The line went dead'));
    await kernel.work.idle();
    expect(await again()).toMatchObject({ status: 'TOOL_ERROR', error: { code: 'INTERNAL' } });
  });

  it.each([
    ['not_found', 'TOOL_ERROR', 'RUNNING'],
    ['no_assigned_member', 'HANDED_BACK', 'RUNNING'],
    ['tool_value_refused', 'RUN_FAILED', 'FAILED'],
  ])('that raises %s is %s, and the run %s', async (code, status, runStatus) => {
    const { runId, gate, again } = await held('ledger.fickle', { code });
    await harness.decide(gate, { decision: 'APPROVE' });
    await kernel.work.idle();
    expect(await again()).toMatchObject({ status, error: { code } });
    expect((await harness.runOf(runId)).status).toBe(runStatus);
  });
});

describe('an approved mail', () => {
  it('keeps its run waiting until the result is recorded, which ends the run and starts what follows', async () => {
    const next = await harness.task({ tools: [] });
    const { runId, token, args, gate, again, next: event } = await held('os.mail_send', entry(), [{ outcome: 'ceo_approved', task: next }]);
    await harness.decide(gate, { decision: 'APPROVE' });
    await begun.promise;
    expect(await event()).toMatchObject({ kind: 'DECIDED', run: { status: 'WAITING' }, toolCall: { status: 'EXECUTING' } });
    expect((await again()).status).toBe('EXECUTING');
    expect(await harness.drive('finishRun', token, { runId, outcome: 'done' })).toMatchObject({
      code: 'run_waiting',
      details: { gateId: null },
    });
    expect((await harness.call(token, 'n', 'os.get_context', { key: 'k' })).error!.code).toBe('run_waiting');
    go.resolve();
    expect(await event()).toMatchObject({ kind: 'DECIDED', toolCall: { status: 'SUCCEEDED', result: args } });
    expect(await event()).toMatchObject({ kind: 'FINISHED', run: { status: 'FINISHED' } });
    expect(await harness.runOf(runId)).toMatchObject({ outcome: 'ceo_approved', output: args });
    expect((await harness.claim(next))!.input).toEqual(args);
    expect(await ledger.posted((args as { entry: string }).entry)).toEqual([args]);
  });

  it('whose outcome is unknown ends its run with that', async () => {
    const { runId, gate } = await held('os.mail_send');
    await harness.decide(gate, { decision: 'APPROVE' });
    go.reject(new Error('The line went dead'));
    await kernel.work.idle();
    expect(await harness.runOf(runId)).toMatchObject({
      ...{ status: 'FINISHED', outcome: 'ceo_approved' },
      output: {
        error: 'outcome_unknown',
        message: 'The call was interrupted: it may have happened. Look whether it did before you repeat it.',
      },
    });
  });

  it('is recorded though its run was cancelled meanwhile', async () => {
    const { runId, args, gate, again } = await held('os.mail_send');
    await harness.decide(gate, { decision: 'APPROVE' });
    await begun.promise;
    expect(await harness.drive('cancelRun', company.apiToken, { runId })).toMatchObject({ status: 'CANCELLED' });
    go.resolve();
    await kernel.work.idle();
    expect(await again()).toMatchObject({ status: 'SUCCEEDED', result: args, gate: { status: 'APPROVED' } });
    expect((await harness.runOf(runId)).status).toBe('CANCELLED');
  });
});
