import { expect, it } from 'vitest';
import { LISTS, leafName, PLACES, ROOT_FIELDS, variablesWith } from '../properties/harness/fields.ts';
import { codesIn, sendOperation } from '../properties/harness/raw-answer.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';

const app = await testApp();
const company = await makeCompany(app.kernel);
const harness = new Harness(app.url, company);
const run = await harness.run({ tools: ['os.set_context', 'os.get_context'] });

/** Values at and past the edges of each type. What is no value of it at all GraphQL refuses by itself. */
const TEXTS = ['', 'a', 'a'.repeat(200), 'a'.repeat(500_000), '漢'.repeat(200), '\0', '\ud800', '\u202ea\u2066', '__proto__'];
const INTEGERS = [0, -1, 1, 200, 201, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 2 ** 53, 8_202_522_731_445_526_000, 1.5, 1e300];
const EDGES: Record<string, unknown[]> = {
  String: TEXTS,
  ID: [...TEXTS, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', company.enterpriseId],
  Int: INTEGERS,
  SafeInt: INTEGERS,
  Float: [...INTEGERS, 5e-324],
  Boolean: [true, false],
  DateTime: [
    ...['0000-06-01T00:00:00Z', '0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '1970-01-01T00:00:00Z', '9998-12-31T23:59:59.999Z'],
    ...['9999-12-31T23:59:59Z', '9999-12-31T23:59:59-12:00', '9999-12-31T23:59:59-00:01', '2030-01-01T00:00:00+23:59', 'now', ''],
  ],
  JSON: [null, 0, '', [], {}, 2 ** 53, { a: 8_202_522_731_445_526_000 }, nested(64), nested(65), Array.from({ length: 50_000 }, () => 1)],
};

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}

/** Nobody waits this long unless something hangs. */
const HANGS = 20_000;

async function answered(place: (typeof PLACES)[number], value: unknown) {
  const own = place.field.name === 'invokeTool';
  const begun = performance.now();
  const answer = await sendOperation(app.url, own ? run.token : company.ceoSession, place.field.document, variablesWith(place, value));
  return { answer, slow: performance.now() - begun > HANGS };
}

const fails = ({ answer, slow }: Awaited<ReturnType<typeof answered>>) =>
  slow || answer.status >= 500 || codesIn(answer).includes('INTERNAL');

it('every type of an argument has its table of edges', () => {
  const types = new Set(PLACES.map(({ type }) => type));
  const enums = new Set(['GateSort', 'GateStatus', 'RunStatus', 'GateDecision', 'GateAnswerKind', 'EscalateTo', 'TaskInputFieldType']);
  const others = [...types].filter((type) => !EDGES[type] && !enums.has(type)).sort();
  expect(others).toEqual(['CredentialKind', 'MemoryLayer', 'OsEscalateRunInputTo']);
});

it.each(ROOT_FIELDS.map(({ name }) => name))('%s fails at no edge of its arguments', { timeout: 120_000 }, async (name) => {
  const failed: unknown[] = [];
  for (const place of PLACES.filter(({ field }) => field.name === name)) {
    for (const value of EDGES[place.type] ?? []) {
      const outcome = await answered(place, value);
      if (fails(outcome)) failed.push([leafName(place), JSON.stringify(value)?.slice(0, 80), outcome.answer.text.slice(0, 300)]);
    }
  }
  expect(failed).toEqual([]);
});

const EXAMPLES: Record<string, unknown> = { String: 'x', ID: 'x', Int: 1, Boolean: true, JSON: {} };

const listPath = (path: (string | 0)[]) => path.slice(0, path.indexOf(0));
const lists = [...new Map(LISTS.map((place) => [`${place.field.name}.${listPath(place.path).join('.')}`, place])).entries()];

it.each(lists)('%s takes no more values than the schema tells', { timeout: 120_000 }, async (_, place) => {
  const path = listPath(place.path);
  const [item] = path.reduce((value: any, key) => value[key], variablesWith(place, EXAMPLES[place.type])) as unknown[];
  for (const count of [0, 301, 5_000]) {
    const values = Array.from({ length: count }, () => item);
    const outcome = await answered({ ...place, path }, values);
    expect(fails(outcome), outcome.answer.text.slice(0, 300)).toBe(false);
    if (count > 300) expect(codesIn(outcome.answer)[0]).toMatch(/^(invalid_arguments|BAD_USER_INPUT|not_allowed|query_too_complex)$/);
  }
});

it('a list of 50,000 values is refused before it reaches the database, with what is allowed', async () => {
  const query = 'query ($tool: [String!]) { gates(filter: { tool: $tool }) { totalCount } }';
  const ask = async (count: number) =>
    (await sendOperation(app.url, company.ceoSession, query, { tool: Array.from({ length: count }, (_, n) => `t${n}`) })).text;
  expect(JSON.parse(await ask(200)).data).toEqual({ gates: { totalCount: 0 } });
  for (const count of [201, 5_000]) {
    const issues = [{ path: 'filter.tool', message: `holds ${count} values; at most 200 are allowed` }];
    expect(JSON.parse(await ask(count)).errors[0].extensions).toEqual({
      code: 'invalid_arguments',
      handling: 'HAND_BACK',
      details: { issues },
    });
  }
  const details = { limit: 'values', found: 10_001, allowed: 10_000 };
  expect(JSON.parse(await ask(50_000)).errors[0].extensions).toEqual({ code: 'query_too_complex', details });
});
