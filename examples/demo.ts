// A scripted agent plans the week of the sample company, and the CEO decides beside it: `npm run demo -- [url]`.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { GatehouseClient } from './gatehouse-client.ts';
import { ClaimedRun, type ToolCall } from './harness.ts';
import { Steps } from './steps.ts';

interface WaitingGate {
  id: string;
  tool: string;
  payload: unknown;
  payloadHash: string;
  summary: string | null;
  run: { id: string };
}

const { GATEHOUSE_URL = 'http://127.0.0.1:4000', DATA_DIR = 'data' } = process.env;
const url = (process.argv[2] ?? GATEHOUSE_URL).replace(/\/+$/, '');
const steps: Steps = new Steps();

/** The CEO's client: told of each gate as it opens, it decides it. */
async function decideNext(ceo: GatehouseClient, after: string, runId: string, decision: Record<string, unknown>): Promise<WaitingGate> {
  const selection = 'kind gate { id tool payload payloadHash summary run { id } }';
  for await (const { kind, gate } of ceo.events<{ cursor: string; kind: string; gate: WaitingGate }>(
    'gateEvents',
    selection,
    undefined,
    after,
  )) {
    if (kind !== 'OPENED' || gate.run.id !== runId) continue;
    steps.done(`the CEO's client sees the gate of ${gate.tool} on gateEvents${gate.summary ? `: "${gate.summary}"` : ''}`);
    await ceo.send('mutation ($input: DecideGateInput!) { decideGate(input: $input) { status } }', {
      input: { gateId: gate.id, payloadHash: gate.payloadHash, ...decision },
    });
    steps.done('the CEO decides it');
    return gate;
  }
  throw new Error('gateEvents ended before the gate opened');
}

function succeeded(call: ToolCall, what: string) {
  steps.expect(call.status === 'SUCCEEDED', `${what} should succeed`, call);
  steps.done(what);
}

async function planWeek(ceo: GatehouseClient, worker: GatehouseClient): Promise<{ executionId: string; plan: unknown }> {
  const { startRun } = await ceo.send<{ startRun: { id: string; status: string } }>(
    'mutation ($input: StartRunInput!) { startRun(input: $input) { id status } }',
    { input: { task: 'weekly-plan', input: { week: '2030-W07' }, idempotencyKey: randomUUID() } },
  );
  steps.expect(startRun.status === 'QUEUED', 'a run of weekly-plan should be queued (is an earlier one still open?)', startRun);
  steps.done(`the CEO starts a run of weekly-plan: ${startRun.id}`);

  const claimed = await ClaimedRun.claim(worker, 'demo', ['weekly-plan']);
  steps.expect(claimed?.run.id === startRun.id, 'the worker should claim that run', claimed?.run);
  steps.done('the harness claims it');
  const offered = claimed.tools.map(({ name }) => name);
  steps.expect(offered.includes('os__set_context') && offered.includes('os__ask_ceo'), 'its tools should be offered', offered);
  steps.done(`and offers its model ${offered.length} tools: ${offered.join(', ')}`);

  succeeded(await claimed.call('os__set_execution_name', { name: 'Plan of 2030-W07' }), 'the run names its execution');
  const plan = { week: '2030-W07', kites: ['red delta', 'paper lantern', 'box kite'] };
  succeeded(await claimed.call('os__set_context', { key: 'plan/draft', value: plan }), 'it stores its draft');
  await recoverFromMisspelling(claimed);
  succeeded(
    await claimed.call('os__set_gate_summary', { summary: 'Three kites fit this week. May I plan them?' }),
    'it sums up what is asked',
  );

  const after = await ceo.cursor();
  const questions = [{ number: 1, question: 'Do we start with the red delta?', context: 'It sold best.', ctoRecommendation: 'Yes.' }];
  const deciding = decideNext(ceo, after, startRun.id, { decision: 'APPROVE', answers: [{ number: 1, kind: 'ACCEPT' }], note: 'Go.' });
  const asked = await claimed.call('os__ask_ceo', { questions }, 'the-question');
  steps.expect(asked.status === 'WAITING' && asked.gate, 'the question should wait at a gate', asked);
  steps.done('it asks the CEO: the call is held by a gate, and the harness waits on runEvents');
  const [{ call, run }] = await Promise.all([claimed.decided('the-question', after), deciding]);
  steps.expect(call.status === 'SUCCEEDED' && run.status === 'FINISHED' && run.outcome === 'ceo_approved', 'it should end approved', run);
  steps.done('the decision reaches the harness: the run is finished, ceo_approved');
  claimed.close();
  return { executionId: run.execution.id, plan };
}

/** What a model does that is told the closest names of a tool that does not exist. */
async function recoverFromMisspelling(claimed: ClaimedRun) {
  const wrong = await claimed.call('os__get_contxt', { key: 'plan/draft' });
  const [closest] = (wrong.error?.details?.closest ?? []) as string[];
  steps.expect(wrong.error?.code === 'unknown_tool_name' && closest === 'os.get_context', 'the closest name should be told', wrong);
  steps.done(`a misspelt call is handed back, naming ${closest}`);
  succeeded(await claimed.call(closest, { key: 'plan/draft' }), 'the run calls that, and reads its draft back');
}

async function publishPlan(ceo: GatehouseClient, worker: GatehouseClient, { executionId, plan }: { executionId: string; plan: unknown }) {
  const claimed = await ClaimedRun.claim(worker, 'demo', ['publish-plan']);
  steps.expect(claimed?.run.execution.id === executionId, 'the successor should have started in the same execution', claimed?.run);
  const { ceoAnswers, context } = claimed.run.input as { ceoAnswers?: unknown[]; context?: Record<string, unknown> };
  steps.expect(ceoAnswers?.length === 1 && context?.['plan/draft'], 'its input should hold the answers and the draft', claimed.run.input);
  steps.done('its successor publish-plan has started, with the answers and the draft in its input; the harness claims it');

  const after = await ceo.cursor();
  const deciding = decideNext(ceo, after, claimed.run.id, { decision: 'APPROVE' });
  const held = await claimed.call('os__set_context', { key: 'plan/current', value: plan }, 'publish');
  steps.expect(held.status === 'WAITING', 'publishing should wait at a gate', held);
  steps.done('it publishes: that call is held too, as its task says');
  const [{ call, run }] = await Promise.all([claimed.decided('publish', after), deciding]);
  steps.expect(call.status === 'SUCCEEDED' && run.status === 'RUNNING', 'the approved call should be done and the run go on', {
    call,
    run,
  });
  steps.done('approved: the service has made the call, and the run goes on');
  const finished = await claimed.finish('published');
  steps.expect(finished.status === 'FINISHED' && finished.outcome === 'published', 'the run should be finished', finished);
  steps.done('the run finishes: published');
  claimed.close();
}

/** What the service's first start wrote. */
function readCredentials() {
  const file = path.join(DATA_DIR, 'credentials.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Error(
      `${file} cannot be read: start the service first, and give DATA_DIR and GATEHOUSE_URL where they are not the defaults.`,
    );
  }
}

async function demo() {
  const credentials = readCredentials();
  const ceo = new GatehouseClient(url, credentials.ceoSession);
  const worker = new GatehouseClient(url, credentials.workerToken);
  await publishPlan(ceo, worker, await planWeek(ceo, worker));
  steps.end('everything held');
}

demo().then(
  () => process.exit(0),
  (error) => {
    console.error(`The demo failed: ${error.message}`);
    process.exit(1);
  },
);
