import { describe, expect, it } from 'vitest';
import { gatedFamily } from '../fixtures/gated.ts';
import { testApp } from '../support/app.ts';
import { makeClock } from '../support/clock.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';
import { subscribe } from '../support/subscriber.ts';

const clock = makeClock();
const { kernel, url } = await testApp({ additions: { families: [gatedFamily], now: clock.now } });
const company = await makeCompany(kernel);
const harness = new Harness(url, company);

const RUN_EVENT = 'kind run { status outcome } gate { id status } toolCall { id status error { code } }';
const GATE_EVENT = 'kind gate { id status }';
const ARGS: Record<string, unknown> = {
  'os.set_context': { key: 'k', value: 1 },
  'os.ask_ceo': { questions: [{ number: 1, question: 'q', context: 'c', ctoRecommendation: 'r' }] },
  'os.escalate_mail': { id: 'm' },
};
const answers = [{ number: 1, kind: 'ACCEPT' }];
const expire = () => clock.advance(600_000);
const cancel = (runId: string) => harness.drive('cancelRun', company.apiToken, { runId });

/** How a gate ends, then what its run is told, the last being the end of what it waits for, and the gate's own events. */
const ENDS: [string, string, Record<string, unknown> | typeof expire | typeof cancel, string[], string[]][] = [
  ['approved', 'os.set_context', { decision: 'APPROVE' }, ['DECIDED RUNNING SUCCEEDED'], ['DECIDED']],
  [
    'approved as changed',
    'os.set_context',
    { decision: 'APPROVE', editedPayload: { key: 'k', value: 2 } },
    ['DECIDED RUNNING SUCCEEDED'],
    ['EDITED', 'DECIDED'],
  ],
  ['rejected', 'os.set_context', { decision: 'REJECT' }, ['DECIDED RUNNING gate_rejected'], ['DECIDED']],
  ['sent back', 'os.set_context', { decision: 'REQUEST_CHANGES' }, ['DECIDED RUNNING gate_changes_requested'], ['DECIDED']],
  ['expired', 'os.set_context', expire, ['DECIDED RUNNING gate_expired'], ['EXPIRED']],
  ['cancelled', 'os.set_context', cancel, ['DECIDED CANCELLED gate_cancelled', 'CANCELLED CANCELLED'], ['CANCELLED']],
  ['answered', 'os.ask_ceo', { decision: 'APPROVE', answers }, ['DECIDED FINISHED SUCCEEDED', 'FINISHED FINISHED'], ['DECIDED']],
  ['rejected', 'os.ask_ceo', { decision: 'REJECT' }, ['DECIDED FINISHED gate_rejected', 'FINISHED FINISHED'], ['DECIDED']],
  ['expired', 'os.ask_ceo', expire, ['DECIDED RUNNING gate_expired'], ['EXPIRED']],
  [
    'chosen',
    'os.escalate_mail',
    { decision: 'CHOICE', choice: 'archive' },
    ['DECIDED FINISHED SUCCEEDED', 'FINISHED FINISHED'],
    ['DECIDED'],
  ],
  [
    'left',
    'os.escalate_mail',
    { decision: 'CHOICE', choice: 'leave' },
    ['DECIDED CANCELLED gate_rejected', 'CANCELLED CANCELLED'],
    ['DECIDED'],
  ],
];

describe.each(ENDS)('%s: %s', (_, tool, end, told, gateKinds) => {
  it('wakes the harness that waits, and takes the card off', async () => {
    const run = await harness.run({
      tools: ['os.set_context', tool].filter((name, index, all) => all.indexOf(name) === index),
      gates: [{ tool, timeoutMinutes: 10 }],
    });
    const waits = await harness.listen(run.token, 'runEvents', RUN_EVENT);
    const portal = await harness.listen(company.ceoSession, 'gateEvents', GATE_EVENT);
    const { id, gate } = await harness.call(run.token, 'g', tool, ARGS[tool]);
    expect(await waits.next()).toEqual({
      kind: 'WAITING',
      run: { status: 'WAITING', outcome: null },
      gate: { id: gate!.id, status: 'WAITING' },
      toolCall: { id, status: 'WAITING', error: null },
    });
    expect(await portal.next()).toEqual({ kind: 'OPENED', gate: { id: gate!.id, status: 'WAITING' } });
    await (typeof end === 'function' ? end(run.runId) : harness.decide(gate!, end));
    const heard = [];
    while (heard.length < told.length) {
      const { kind, run: now, gate: decided, toolCall } = await waits.next();
      if (decided) expect([decided.id, toolCall.id]).toEqual([gate!.id, id]);
      heard.push([kind, now.status, ...(toolCall ? [toolCall.error?.code ?? toolCall.status] : [])].join(' '));
    }
    expect(heard).toEqual(told);
    for (const kind of gateKinds) expect(await portal.next()).toMatchObject({ kind, gate: { id: gate!.id } });
    expect(await harness.data(company.ceoSession, '{ openGates { totalCount nodes { id } } }')).toEqual({
      openGates: { totalCount: 0, nodes: [] },
    });
    await Promise.all([waits.close(), portal.close()]);
  });
});

it('a harness that comes back late reads the decision behind the cursor that it had', async () => {
  const run = await harness.run({ tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] });
  const { eventCursor } = await harness.data(run.token, '{ eventCursor }');
  const call = await harness.call(run.token, 'g', 'os.set_context', ARGS['os.set_context']);
  await harness.decide(call.gate!, { decision: 'APPROVE' });
  const query = 'subscription ($after: String) { runEvents(after: $after) { kind toolCall { status } } }';
  const late = await subscribe(url, run.token, query, { after: eventCursor });
  expect([(await late.next()).data.runEvents, (await late.next()).data.runEvents]).toEqual([
    { kind: 'WAITING', toolCall: { status: 'SUCCEEDED' } },
    { kind: 'DECIDED', toolCall: { status: 'SUCCEEDED' } },
  ]);
  await late.close();
});
