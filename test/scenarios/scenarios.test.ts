import { describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { graphql } from '../support/graphql-client.ts';
import { type Call, Harness } from '../support/harness.ts';
import { type Outcome, SCENARIOS, type Scenario } from './scenarios.ts';
import { typedFields } from './typed-field.ts';

const { kernel, url } = await testApp();
const typed = typedFields(kernel.registry);

/** Sends a call of a run, and answers its outcome in the same terms whatever the transport. */
type Transport = (harness: Harness, token: string, tool: string, args: Record<string, unknown>) => Promise<Outcome>;

const outcomeOf = ({ status, result, error, gate }: Call): Outcome => {
  if (status === 'WAITING') return { code: 'gate_waiting', details: { gateId: gate!.id, timesOutAt: null } };
  return error ? { code: error.code, handling: error.handling, details: error.details } : { result };
};

const TRANSPORTS: Record<string, Transport> = {
  invokeTool: async (harness, token, tool, args) => outcomeOf(await harness.call(token, 'c', tool, args)),
  'invokeTool with the offered name': async (harness, token, tool, args) =>
    outcomeOf(await harness.call(token, 'c', tool.replaceAll('.', '__'), args)),
  'the typed field': async (_, token, tool, args) => {
    const field = typed(tool);
    const { data, errors } = await graphql(url, token, field.query, field.variables(args, 'c'));
    if (!errors) return { result: field.read(data) };
    const { code, handling, details } = errors[0]!.extensions!;
    return { code: code!, ...(handling && { handling }), details };
  },
};

async function play({ tool, args, task, before = [], ended, decision }: Scenario, send: Transport): Promise<Outcome> {
  const harness = new Harness(url, await makeCompany(kernel));
  const run = await harness.run({ tools: [...new Set(['os.set_context', tool])], ...task });
  for (const [index, [name, given]] of before.entries()) await harness.call(run.token, `b${index}`, name, given);
  if (ended) await harness.drive('finishRun', run.token, { runId: run.runId, outcome: 'done' });
  const outcome = await send(harness, run.token, tool, args);
  if (!decision) return outcome;
  const gate = await kernel.db.prisma.gate.findFirstOrThrow({ where: { runId: run.runId } });
  expect(outcome).toEqual({ code: 'gate_waiting', details: { gateId: gate.id, timesOutAt: null } });
  await harness.decide(gate, decision);
  return send(harness, run.token, tool, args);
}

describe.each(Object.entries(TRANSPORTS))('%s', (_, send) => {
  it.each(SCENARIOS)('$name', async (scenario) => {
    const outcome = await play(scenario, send);
    if ('result' in scenario.answers) expect(outcome).toEqual(scenario.answers);
    else expect(outcome).toMatchObject(scenario.answers);
  });
});
