import { describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany, makeToken } from '../support/company.ts';
import { graphql } from '../support/graphql-client.ts';
import { Harness } from '../support/harness.ts';

const app = await testApp();
const company = await makeCompany(app.kernel);
const harness = new Harness(app.url, company);
const MISSING = '01900000-0000-7000-8000-000000000000';

const codeOf = async (token: string, query: string) => (await graphql(app.url, token, query)).errors?.[0]?.extensions?.code ?? 'none';

/** A run that waits at a gate, of a task of its own. */
async function waiting() {
  const run = await harness.run({ tools: ['os.set_context', 'os.get_context'], gates: [{ tool: 'os.set_context' }] });
  const call = await harness.call(run.token, 'c-1', 'os.set_context', { key: 'k', value: 1 });
  return { ...run, gate: call.gate!, callId: call.id };
}

describe('access', () => {
  const READS: [string, string][] = [
    ['{ openGates { nodes { id } } }', 'gates:read'],
    ['{ gates { nodes { id } } }', 'gates:read'],
    [`{ gate(id: "${MISSING}") { id } }`, 'gates:read'],
    ['{ runs { nodes { id } } }', 'runs:read'],
    [`{ run(id: "${MISSING}") { id } }`, 'runs:read'],
    ['{ executions { nodes { id } } }', 'runs:read'],
    [`{ execution(id: "${MISSING}") { id } }`, 'runs:read'],
    ['{ tasks { nodes { id } } }', 'tasks:read'],
    ['{ task(id: "none") { id } }', 'tasks:read'],
    ['{ enterprise { id } }', 'enterprise:read'],
    ['{ people { nodes { id } } }', 'enterprise:read'],
    ['{ members { nodes { id } } }', 'members:read'],
    ['{ teams { nodes { id } } }', 'teams:read'],
    ['{ roles { nodes { id } } }', 'roles:read'],
  ];

  it.each(READS)('%s takes the scope %s, or a session', async (query, scope) => {
    const { extensions } = (await graphql(app.url, company.workerToken, query)).errors![0]!;
    expect(extensions).toEqual({ code: 'scope_missing', details: { scope } });
    expect(await codeOf(await makeToken(app.kernel, company, [scope]), query)).toBe('none');
    expect(await codeOf(company.personSession, query)).toBe('none');
  });

  it('of a run token is its own run, its calls and gates, and nothing else', async () => {
    const run = await waiting();
    const stranger = await waiting();
    const own = `{ run(id: "${run.runId}") { id task { slug } toolCalls { nodes { id } } gates { id } } gate(id: "${run.gate.id}") { id } gates { totalCount nodes { id } } eventCursor }`;
    expect(await harness.data(run.token, own)).toMatchObject({
      run: { id: run.runId, toolCalls: { nodes: [{ id: run.callId }] }, gates: [{ id: run.gate.id }] },
      gate: { id: run.gate.id },
      gates: { totalCount: 1, nodes: [{ id: run.gate.id }] },
    });
    expect(await harness.data(run.token, `{ gate(id: "${stranger.gate.id}") { id } }`)).toEqual({ gate: null });
    for (const [query] of READS.filter(([text]) => !/\{ (gates?|run)\W/.test(text)))
      expect([query, await codeOf(run.token, query)]).toEqual([query, 'not_allowed']);
    for (const id of [stranger.runId, MISSING]) expect(await codeOf(run.token, `{ run(id: "${id}") { id } }`)).toBe('not_allowed');
    for (const reach of [
      'execution { runs { nodes { id } } }',
      'retriedFrom { id }',
      'routedFrom { id }',
      'task { versions { version } }',
      'gates { holdsUp { runs { id } } }',
    ]) {
      expect([reach, await codeOf(run.token, `{ run(id: "${run.runId}") { ${reach} } }`)]).toEqual([reach, 'not_allowed']);
    }
  });

  it('of lists that hang on an object takes the scope of what they list', async () => {
    const run = await waiting();
    const reads = await makeToken(app.kernel, company, ['gates:read']);
    expect(
      await codeOf(
        reads,
        `{ gate(id: "${run.gate.id}") { run { id task { slug name } member { name } } toolCall { status } holdsUp { count } } }`,
      ),
    ).toBe('none');
    expect(await codeOf(reads, `{ gate(id: "${run.gate.id}") { run { toolCalls { nodes { id } } } } }`)).toBe('scope_missing');
  });
});
