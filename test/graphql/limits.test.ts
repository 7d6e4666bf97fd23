import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { graphql } from '../support/graphql-client.ts';
import { over, RawSocket, TRANSPORTS } from './transports.ts';

const app = await testApp();
const company = await makeCompany(app.kernel);
const token = company.ceoSession;

/** How often a resolver read from the database since the last look. */
const reads = (() => {
  let count = 0;
  const db = app.kernel.db.of(company.enterpriseId);
  const { enterprise, gate, run } = db.prisma;
  for (const delegate of [enterprise, gate, run]) {
    const original = delegate.findFirstOrThrow.bind(delegate);
    const counted = (...args: never[]) => {
      count++;
      return (original as (...args: never[]) => unknown)(...args);
    };
    Object.assign(delegate, { findFirstOrThrow: counted });
  }
  return () => {
    const seen = count;
    count = 0;
    return seen;
  };
})();

const repeat = (times: number, text: (n: number) => string, separator = ' ') =>
  Array.from({ length: times }, (_, n) => text(n)).join(separator);

const EXECUTION = ['execution { runs(first: 1) { nodes { ', ' } } }'] as const;
const deep = (levels: number) => `{ runs(first: 1) { nodes { ${EXECUTION[0].repeat(levels)} id ${EXECUTION[1].repeat(levels)} } } }`;

const BAD: [name: string, query: string, limit: { limit: string; found: number; allowed: number }][] = [
  ['nests 15 levels', deep(4), { limit: 'depth', found: 15, allowed: 12 }],
  ['has 31 aliases', `{ enterprise { ${repeat(31, (n) => `a${n}: id`)} } }`, { limit: 'aliases', found: 31, allowed: 30 }],
  [
    'has 40 aliases of __typename',
    `{ ${repeat(20, (n) => `a${n}: __typename`)} enterprise { ${repeat(20, (n) => `b${n}: __typename`)} } }`,
    { limit: 'aliases', found: 40, allowed: 30 },
  ],
  [
    'has 21 fields at its root',
    `{ enterprise { id } ${repeat(20, () => 'eventCursor')} }`,
    { limit: 'rootFields', found: 21, allowed: 20 },
  ],
  ['has 51 directives', `{ enterprise { ${repeat(51, () => 'id @include(if: true)')} } }`, { limit: 'directives', found: 51, allowed: 50 }],
  ['is more than 2,000 tokens long', `{ enterprise { ${repeat(2_000, () => 'id')} } }`, { limit: 'tokens', found: 2_001, allowed: 2_000 }],
  ['has a name of 201 characters', `{ ${'a'.repeat(201)} }`, { limit: 'name', found: 201, allowed: 200 }],
  [
    'asks for 10^9',
    '{ openGates(first: 1000000000) { nodes { id } } enterprise { id } }',
    { limit: 'cost', found: 1_000_000_002, allowed: 5_000 },
  ],
  [
    'multiplies lists',
    '{ runs(first: 200) { nodes { toolCalls(first: 200) { nodes { id } } } } }',
    { limit: 'cost', found: 40_401, allowed: 5_000 },
  ],
  [
    'walks the introspection in circles',
    '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
    { limit: 'introspection', found: 3, allowed: 2 },
  ],
  [
    'spreads a small document to a bomb',
    `query { ...f0 } ${repeat(12, (n) => `fragment f${n} on Query { ${n === 11 ? 'a: eventCursor' : `...f${n + 1} ...f${n + 1}`} }`)}`,
    { limit: 'aliases', found: 2_048, allowed: 30 },
  ],
];

describe.each(TRANSPORTS)('over %s', (transport) => {
  it.each(BAD)('refuses what %s', async (_, query, limit) => {
    const { data, errors } = await over(transport, app.url, token, { query });
    expect(data ?? null).toBeNull();
    expect(errors!.map(({ extensions }) => extensions)).toContainEqual({ code: 'query_too_complex', details: limit });
    expect(reads()).toBe(0);
  });

  it('counts `first` of a variable, and its default', async () => {
    const query = 'query ($n: Int = 200, $m: Int) { runs(first: $n) { nodes { toolCalls(first: $m) { nodes { id } } } } }';
    const found = async (variables: Record<string, unknown>) =>
      (await over(transport, app.url, token, { query, variables })).errors?.[0]?.extensions?.details;
    expect(await found({ m: 100 })).toEqual({ limit: 'cost', found: 20_401, allowed: 5_000 });
    expect(await found({ n: 10, m: 20 })).toBeUndefined();
  });

  it('refuses a cycle of fragments as invalid', async () => {
    const query = '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a enterprise { id } }';
    const { errors } = await over(transport, app.url, token, { query });
    expect(errors!.map(({ extensions }) => extensions!.code)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(reads()).toBe(0);
  });

  it('refuses more than 10,000 values in the variables', async () => {
    const query = 'query ($filter: RunFilter) { runs(filter: $filter) { nodes { id } } }';
    const filter = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, 0]));
    // A query string has no room for so many.
    if (transport === 'GET') return;
    const { errors } = await over(transport, app.url, token, { query, variables: { filter } });
    expect(errors!.map(({ extensions }) => extensions)).toEqual([
      { code: 'query_too_complex', details: { limit: 'values', found: 10_001, allowed: 10_000 } },
    ]);
    expect(reads()).toBe(0);
  });

  it('tells the first thing wrong with a variable, and not all of the variable', async () => {
    const query = 'query ($filter: RunFilter) { runs(filter: $filter) { nodes { id } } }';
    const filter = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`k${n}`, 0]));
    const { errors } = await over(transport, app.url, token, { query, variables: { filter } });
    expect(errors!.map(({ extensions }) => extensions)).toEqual([{ code: 'BAD_USER_INPUT' }]);
    expect(errors![0]!.message).toMatch(/^Variable "\$filter" got invalid value \{ k0: 0, k1: 0,/);
    expect(errors![0]!.message).toHaveLength(1_000);
  });

  it('answers the standard introspection', async () => {
    const { data, errors } = await over(transport, app.url, token, { query: getIntrospectionQuery({ descriptions: false }) });
    expect(errors).toBeUndefined();
    expect(data.__schema.queryType.name).toBe('Query');
  });

  it('lets pass what is just within', async () => {
    const query = `{ ${repeat(15, (n) => `a${n}: __typename`)} enterprise { ${repeat(15, (n) => `b${n}: id`)} } }`;
    expect((await over(transport, app.url, token, { query })).errors).toBeUndefined();
    expect((await over(transport, app.url, token, { query: deep(3) })).errors).toBeUndefined();
    reads();
  });
});

it('refuses several operations in one request', async () => {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify([{ query: '{ enterprise { id } }' }, { query: '{ enterprise { id } }' }]),
  });
  const { errors } = (await response.json()) as { errors: { extensions: unknown }[] };
  expect(errors.map(({ extensions }) => extensions)).toEqual([
    { code: 'query_too_complex', details: { limit: 'batch', found: 2, allowed: 1 } },
  ]);
  expect(reads()).toBe(0);
});

it('refuses the 101st subscription on a socket, and lets the others go on', async () => {
  const socket = await RawSocket.acknowledged(app.url, token);
  for (let n = 1; n <= 101; n++) socket.subscribe(`s${n}`, 'subscription { runEvents { kind } }');
  const { id, ...refusal } = await socket.next();
  expect(refusal).toEqual({
    type: 'error',
    payload: [
      {
        message: 'Too complex: 101 subscriptions on one socket, and 100 are allowed.',
        extensions: { code: 'query_too_complex', details: { limit: 'subscriptions', found: 101, allowed: 100 } },
      },
    ],
  });
  socket.send({ id: id === 's1' ? 's2' : 's1', type: 'complete' });
  socket.subscribe('s102', 'subscription { runEvents { kind } }');
  socket.send({ type: 'ping' });
  expect(await socket.next()).toEqual({ type: 'pong' });
  await socket.close();
});

it.each([
  [
    'a hundred fragments that each spread the next three times',
    `query { ...f0 } ${repeat(100, (n) => `fragment f${n} on Query { ${n === 99 ? 'eventCursor' : `...f${n + 1} ...f${n + 1} ...f${n + 1}`} }`)}`,
  ],
  ['600 aliases of one field', `{ ${repeat(600, (n) => `a${n}: viewer { kind }`)} }`],
  ['a name of one MB', `{ ${'a'.repeat(1_000_000)} }`],
  ['800 brackets', `{ ${'[['.repeat(400)} }`],
])('refuses %s without trying', async (_, query) => {
  expect((await graphql(app.url, token, query)).errors).toBeDefined();
  expect(reads()).toBe(0);
});
