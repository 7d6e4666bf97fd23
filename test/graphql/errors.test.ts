import { describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';
import { over } from './transports.ts';

const app = await testApp();
const company = await makeCompany(app.kernel);
const harness = new Harness(app.url, company);

describe('errors', () => {
  const code = async (query: string, variables?: Record<string, unknown>) => {
    const answers = [
      await over('POST', app.url, company.ceoSession, { query, ...(variables && { variables }) }),
      await over('SOCKET', app.url, company.ceoSession, { query, ...(variables && { variables }) }),
    ];
    const codes = answers.map(({ errors }) => errors![0]!.extensions!.code);
    expect(codes[1]).toBe(codes[0]);
    return codes[0];
  };

  it('of GraphQL carry its codes, over HTTP and over a socket', async () => {
    expect(await code('{ viewer {')).toBe('GRAPHQL_PARSE_FAILED');
    expect(await code('{ nothing }')).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(await code('{ gate(id: [1]) { id } }')).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(await code('query ($id: ID!) { gate(id: $id) { id } }', {})).toBe('BAD_USER_INPUT');
    expect(await code('query ($id: ID!) { gate(id: $id) { id } }', { id: { a: 1 } })).toBe('BAD_USER_INPUT');
    expect(await code('query ($n: Int) { openGates(first: $n) { totalCount } }', { n: 1.5 })).toBe('BAD_USER_INPUT');
    expect(await code('query ($f: GateFilter) { gates(filter: $f) { totalCount } }', { f: { openedAfter: 'yesterday' } })).toBe(
      'BAD_USER_INPUT',
    );
    expect(await code('query ($f: GateFilter) { gates(filter: $f) { totalCount } }', { f: { unknown: 1 } })).toBe('BAD_USER_INPUT');
    expect(await code('{ gates(filter: {openedAfter: "yesterday"}) { totalCount } }')).toBe('BAD_USER_INPUT');
  });

  it('of ours carry code, details and, where there is one, handling', async () => {
    const { errors } = await over('POST', app.url, company.ceoSession, { query: '{ openGates(first: 500) { totalCount } }' });
    expect(errors).toEqual([
      {
        message: expect.stringContaining('500 is not within 1–200'),
        locations: [{ line: 1, column: 3 }],
        path: ['openGates'],
        extensions: {
          code: 'invalid_arguments',
          handling: 'HAND_BACK',
          details: { issues: [{ path: 'first', message: '500 is not within 1–200' }] },
        },
      },
    ]);
  });

  it('that nobody foresaw are INTERNAL with an id, and tell nothing else', async () => {
    const { run } = app.kernel.db.of(company.enterpriseId).prisma;
    const original = run.findMany.bind(run);
    const logged: { id: string; err: Error }[] = [];
    const { error } = app.kernel.log;
    app.kernel.log.error = ((line: { id: string; err: Error }) => void logged.push(line)) as never;
    Object.assign(run, { findMany: () => Promise.reject(new Error('the password is swordfish')) });
    try {
      for (const transport of ['POST', 'SOCKET'] as const) {
        const answer = await over(transport, app.url, company.ceoSession, { query: '{ runs { nodes { id } } }' });
        expect(JSON.stringify(answer)).not.toContain('swordfish');
        expect(answer.errors![0]!.extensions).toEqual({ code: 'INTERNAL', handling: 'TOOL_ERROR', details: { id: logged.at(-1)!.id } });
        expect(logged.at(-1)!.err.message).toBe('the password is swordfish');
      }
    } finally {
      Object.assign(run, { findMany: original });
      app.kernel.log.error = error;
    }
  });

  it('name __proto__ among the variables, and nothing is polluted', async () => {
    for (const transport of ['POST', 'SOCKET'] as const) {
      const answer = await over(transport, app.url, company.ceoSession, {
        query: '{ viewer { kind } }',
        variables: JSON.parse('{"__proto__": {"polluted": 1}}'),
      });
      expect(answer.errors![0]!.extensions).toMatchObject({
        code: 'invalid_arguments',
        details: { issues: [{ path: 'variables.__proto__' }] },
      });
    }
    const run = await harness.run({ tools: ['os.set_context'] });
    const call = await harness.call(run.token, 'c', 'os.set_context', JSON.parse('{"key": "k", "value": {"__proto__": 1}}'));
    expect(call).toMatchObject({
      status: 'HANDED_BACK',
      error: { code: 'invalid_arguments', details: { issues: [{ path: 'value.__proto__' }] } },
    });
    const inline =
      'mutation { invokeTool(input: { toolCallId: "d", tool: "os.set_context", arguments: { key: "k", value: { __proto__: 1 } } }) { status error { code details } } }';
    expect((await harness.data(run.token, inline)).invokeTool).toMatchObject({
      status: 'HANDED_BACK',
      error: { code: 'invalid_arguments' },
    });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const kept = { constructor: 1, prototype: 2, toString: 3, length: 4 };
    expect((await harness.call(run.token, 'e', 'os.set_context', { key: 'k', value: kept })).result).toEqual({ key: 'k', value: kept });
  });
});
