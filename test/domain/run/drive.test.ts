import { describe, expect, it } from 'vitest';
import { testApp } from '../../support/app.ts';
import { makeCompany, makeToken } from '../../support/company.ts';
import { Harness } from '../../support/harness.ts';

const { kernel, url } = await testApp();
const company = await makeCompany(kernel);
const harness = new Harness(url, company);
const notActive = (status: string) => ({
  ...{
    code: 'run_not_active',
    handling: 'HAND_BACK',
    message: expect.stringMatching(`^The run is ${status.toLowerCase()}, not running\\. `),
    details: { status },
  },
});

interface End {
  name: string;
  told: Record<string, unknown>;
  other: Record<string, unknown>;
  run: Record<string, unknown>;
}

const nothing = { outcome: null, output: null, failureCode: null, reason: null, blockClass: null, leaseExpiresAt: null };
const ENDS: End[] = [
  {
    name: 'finishRun',
    told: { outcome: 'done', output: { b: 1, a: [null] } },
    other: { outcome: 'done', output: { b: 2 } },
    run: { ...nothing, status: 'FINISHED', outcome: 'done', output: { b: 1, a: [null] } },
  },
  {
    name: 'failRun',
    told: { code: 'tired', reason: 'It is tired.' },
    other: { code: 'tired', reason: 'It is bored.' },
    run: { ...nothing, status: 'FAILED', failureCode: 'tired', reason: 'It is tired.' },
  },
  {
    name: 'blockRun',
    told: { blockClass: 'no_wind', reason: 'No wind.' },
    other: { blockClass: 'no_wind', reason: 'No sun.' },
    run: { ...nothing, status: 'BLOCKED', blockClass: 'no_wind', reason: 'No wind.' },
  },
];

describe.each(ENDS)('$name', ({ name, told, other, run: expected }) => {
  it('ends the run; sent again with the same values it answers the run, with others it is refused', async () => {
    const { runId, token } = await harness.run();
    const ended = await harness.drive(name, token, { runId, ...told });
    expect(ended).toMatchObject(expected);
    expect(await harness.drive(name, token, { runId, ...told })).toEqual(ended);
    expect(await harness.drive(name, company.workerToken, { runId, attempt: 1, ...told })).toEqual(ended);
    const status = expected.status as string;
    expect(await harness.drive(name, token, { runId, ...other })).toEqual(notActive(status));
    for (const end of ENDS.filter((end) => end.name !== name)) {
      expect(await harness.drive(end.name, token, { runId, ...end.told })).toEqual(notActive(status));
    }
    expect(await harness.drive('heartbeatRun', token, { runId })).toEqual(notActive(status));
    expect(await harness.runOf(runId)).toEqual(ended);
    expect(await kernel.db.prisma.event.count({ where: { runId, kind: status } })).toBe(1);
  });

  it('is refused while the run waits', async () => {
    const run = await harness.run({ tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] });
    const { gate } = await harness.call(run.token, 'g', 'os.set_context', { key: 'k', value: 1 });
    expect(await harness.drive(name, run.token, { runId: run.runId, ...told })).toEqual({
      ...{ code: 'run_waiting', handling: 'HAND_BACK' },
      message: 'The run waits for a decision. Send this again once its gate has ended.',
      details: { gateId: gate!.id },
    });
    expect((await harness.gate(gate!.id)).status).toBe('WAITING');
  });

  it('is its own worker’s alone', async () => {
    const [one, two] = [await harness.run(), await harness.run()];
    const input = { runId: one.runId, ...told };
    expect(await harness.drive(name, two.token, input)).toMatchObject({ code: 'not_allowed' });
    expect(await harness.drive(name, company.personSession, { ...input, attempt: 1 })).toMatchObject({ code: 'not_allowed' });
    const reader = await makeToken(kernel, company, ['runs:read']);
    expect(await harness.drive(name, reader, { ...input, attempt: 1 })).toMatchObject({
      code: 'scope_missing',
      details: { scope: 'runs:work' },
    });
    expect(await harness.drive(name, company.workerToken, input)).toMatchObject({
      code: 'invalid_arguments',
      details: { issues: [{ path: 'attempt', message: 'is required with a token that is not the run’s own' }] },
    });
    const stranger = await makeCompany(kernel, 'Test Soup');
    expect(await harness.drive(name, stranger.workerToken, { ...input, attempt: 1 })).toMatchObject({ code: 'not_found' });
    expect((await harness.runOf(one.runId)).status).toBe('RUNNING');
  });

  it('is refused before the run was claimed', async () => {
    const { id } = await harness.start(await harness.task());
    expect(await harness.drive(name, company.workerToken, { runId: id, attempt: 0, ...told })).toEqual(notActive('QUEUED'));
  });
});

it('without an output the output is an empty object', async () => {
  const { runId, token } = await harness.run();
  expect(await harness.drive('finishRun', token, { runId, outcome: 'done' })).toMatchObject({ output: {} });
  expect(await harness.drive('finishRun', token, { runId, outcome: 'done', output: {} })).toMatchObject({ status: 'FINISHED' });
});

it.each([
  ['finishRun', { outcome: '' }, 'outcome'],
  ['finishRun', { outcome: 'done', output: [1] }, 'output'],
  ['finishRun', { outcome: 'done', spentCents: -1 }, 'spentCents'],
  ['failRun', { code: 'x', reason: '' }, 'reason'],
  ['blockRun', { blockClass: 'x\0', reason: 'y' }, 'blockClass'],
])('%s refuses %j', async (name, told, path) => {
  const { runId, token } = await harness.run();
  expect(await harness.drive(name, token, { runId, ...told })).toMatchObject({
    code: 'invalid_arguments',
    details: { issues: [{ path }] },
  });
  expect((await harness.runOf(runId)).status).toBe('RUNNING');
});

describe('cancelRun', () => {
  const states: [string, () => Promise<string>][] = [
    ['QUEUED', async () => (await harness.start(await harness.task())).id],
    ['RUNNING', async () => (await harness.run()).runId],
    [
      'BLOCKED',
      async () => {
        const { runId, token } = await harness.run();
        await harness.drive('blockRun', token, { runId, blockClass: 'x', reason: 'y' });
        return runId;
      },
    ],
    [
      'PENDING',
      async () => {
        const task = await harness.task();
        await harness.start(task);
        return (await harness.start(task)).id;
      },
    ],
  ];

  it.each(states)('cancels a %s run, once', async (status, make) => {
    const runId = await make();
    expect((await harness.runOf(runId)).status).toBe(status);
    const cancelled = await harness.drive('cancelRun', company.apiToken, { runId, note: 'Not now.' });
    expect(cancelled).toMatchObject({ status: 'CANCELLED', reason: 'Not now.', leaseExpiresAt: null });
    expect(await harness.drive('cancelRun', company.ceoSession, { runId, note: 'Never.' })).toEqual(cancelled);
    expect(await kernel.db.prisma.auditEntry.findMany({ where: { subjectId: runId } })).toMatchObject([
      { action: 'run.cancelled', via: 'token all', personId: company.ceo.id, details: { note: 'Not now.' } },
    ]);
  });

  it('refuses a run that has ended, and whoever may not', async () => {
    const { runId, token } = await harness.run();
    for (const who of [token, company.personSession])
      expect(await harness.drive('cancelRun', who, { runId })).toMatchObject({ code: 'not_allowed' });
    expect(await harness.drive('cancelRun', company.workerToken, { runId })).toMatchObject({ code: 'scope_missing' });
    await harness.drive('finishRun', token, { runId, outcome: 'done' });
    expect(await harness.drive('cancelRun', company.apiToken, { runId })).toEqual(notActive('FINISHED'));
    const stranger = await makeCompany(kernel, 'Test Soup');
    const missing = { code: 'not_found', handling: 'TOOL_ERROR', message: `There is no run "${runId}" in this enterprise.` };
    expect(await harness.drive('cancelRun', stranger.ceoSession, { runId })).toEqual(missing);
    expect(await harness.drive('cancelRun', company.apiToken, { runId: 'x' })).toMatchObject({ code: 'not_found' });
  });
});
