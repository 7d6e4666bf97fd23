import { isDeepStrictEqual } from 'node:util';
import { Company } from './harness/company.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { codesIn, sendBody } from './harness/raw-answer.ts';
import { sharedStage } from './harness/stage.ts';

export const name = 'P33';
export const claim = 'names that every object has are data like any other, and __proto__ is refused by name';
/** Shapes of JSON, besides every place that takes a name. */
export const sizes = { small: 100, full: 1_000 };

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'length', 'hasOwnProperty', 'valueOf', '__defineGetter__'];
const INVOKE = 'mutation ($input: InvokeToolInput!) { invokeTool(input: $input) { status result error { code message } } }';

/** The text of an object with the key, which JavaScript would read as its prototype. */
const object = (key: string, value: string) => `{${JSON.stringify(key)}:${value}}`;

/** A random JSON text with such keys in it. */
function shape(random: Random, depth = 0): string {
  if (depth > 3 || random.chance(0.2)) return random.pick(['1', '"a"', 'null', 'true', '{}', '[]', '{"polluted":true}']);
  if (random.chance(0.25)) return `[${shape(random, depth + 1)},${shape(random, depth + 1)}]`;
  const [one, other] = [random.pick(NAMES), random.pick(['a', ...NAMES])];
  const entries = one === other ? [one] : [one, other];
  return `{${entries.map((key) => `${JSON.stringify(key)}:${shape(random, depth + 1)}`).join(',')}}`;
}

/** JSON shapes as values, names as keys, variables, aliases and query strings. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const findings = new Findings();
  const random = new Random(asked.seed);
  const company = await Company.found(stage);
  const run = await company.run();
  const invoke = async (index: number | string, args: string, tool = 'os.set_context') => {
    const input = `{"toolCallId":"${index}","tool":${JSON.stringify(tool)},"arguments":${args}}`;
    const url = stage.urls[typeof index === 'number' ? index % 2 : 0]!;
    const answer = await sendBody(url, run.token, `{"query":${JSON.stringify(INVOKE)},"variables":{"input":${input}}}`);
    return JSON.parse(answer.text).data?.invokeTool ?? answer;
  };
  let refused = 0;
  for (let index = 0; index < asked.size; index++) {
    const value = shape(random);
    const call = await invoke(index, `{"key":"shape","value":${value}}`);
    if (value.includes('"__proto__"')) {
      findings.same([call.status, call.error?.code], ['HANDED_BACK', 'invalid_arguments'], 'a shape with __proto__');
      findings.check(Boolean(call.error?.message.includes('__proto__')), 'that __proto__ is named', call);
      refused++;
    } else {
      findings.same([call.status, call.error], ['SUCCEEDED', null], 'a shape');
      findings.check(isDeepStrictEqual(call.result?.value, JSON.parse(value)), 'a shape as it is stored', { value, call });
    }
    await unpolluted(stage.urls[index % 2]!, company, findings, index % 25 === 0);
  }
  for (const key of NAMES) {
    const own = key === '__proto__';
    const args = JSON.stringify({ key, value: key });
    const set = await invoke(`set ${key}`, args);
    findings.same([set.status, set.result?.value], own ? ['HANDED_BACK', undefined] : ['SUCCEEDED', key], `the context key ${key}`);
    const unknown = await invoke(`extra ${key}`, `{"key":"k","value":1,${object(key, '{"polluted":true}').slice(1)}`);
    findings.same([unknown.status, unknown.error?.code], ['HANDED_BACK', 'invalid_arguments'], `the argument ${key}`);
    await names(stage.urls[0]!, company, key, findings);
    await unpolluted(stage.urls[0]!, company, findings, true);
  }
  findings.same(Object.keys(Object.prototype), [], 'what Object.prototype has here');
  const found = `${asked.size} shapes (${refused} with __proto__, all refused), ${NAMES.length} names in every place: stored as given, no prototype changed`;
  return findings.result(name, asked, 'Object.prototype unchanged, values as given, __proto__ refused by name', found);
}

/** Were a process's Object.prototype changed, its answers and what it takes for given would be. */
async function unpolluted(url: string, company: Company, findings: Findings, look: boolean) {
  if (!look) return;
  const answer = await sendBody(url, company.ceo.secret, '{"query":"{ viewer { kind } }"}');
  findings.same(answer.text, '{"data":{"viewer":{"kind":"SESSION"}}}', 'what a harmless query is answered');
  findings.check(!answer.text.includes('polluted'), 'prototypes that changed');
}

/** A name as a variable, an alias, an operation, a query parameter, a slug, an input of a run, and in the body itself. */
async function names(url: string, company: Company, key: string, findings: Findings) {
  const { secret } = company.ceo;
  const post = (body: string) => sendBody(url, secret, body);
  const query = JSON.stringify('{ viewer { kind } }');
  const own = key === '__proto__';
  const sane = (what: string, { status, text }: { status: number; text: string }) =>
    findings.check(status < 500 && !text.includes('INTERNAL'), `${what} ${key}`, { status, text });
  const variables = await post(`{"query":${query},"variables":${object(key, '{"polluted":true}')}}`);
  findings.same(codesIn(variables), own ? ['invalid_arguments'] : [], `the variable ${key}, which nobody declared`);
  sane(
    'a declared variable',
    await post(`{"query":${JSON.stringify(`query ($${key}: ID!) { run(id: $${key}) { id } }`)},"variables":${object(key, '"x"')}}`),
  );
  const aliased = await post(JSON.stringify({ query: `{ ${key}: viewer { ${key}: kind } }` }));
  sane('an alias', aliased);
  if (aliased.status === 200) findings.same(aliased.text, `{"data":{"${key}":{"${key}":"SESSION"}}}`, `the alias ${key}`);
  sane('a field', await post(JSON.stringify({ query: `{ ${key} }` })));
  sane('a field of an object', await post(JSON.stringify({ query: `{ viewer { ${key} } }` })));
  sane('a directive', await post(JSON.stringify({ query: `{ viewer @${key} { kind } }` })));
  sane('a fragment', await post(JSON.stringify({ query: `{ ...${key} } fragment ${key} on Query { viewer { kind } }` })));
  sane('a type', await post(JSON.stringify({ query: `query ($a: ${key}) { viewer { kind } }` })));
  const named = await post(JSON.stringify({ query: `query ${key} { viewer { kind } }`, operationName: key }));
  findings.same(named.text, '{"data":{"viewer":{"kind":"SESSION"}}}', `the operation ${key}`);
  sane('an operation that is not there', await post(JSON.stringify({ query: '{ viewer { kind } }', operationName: key })));
  sane('a field of the body', await post(`{"query":${query},${object(key, '{"polluted":true}').slice(1)}`));
  sane('an extension', await post(`{"query":${query},"extensions":${object(key, '{"polluted":true}')}}`));
  sane('a value of an enum', await post(JSON.stringify({ query: `{ openGates(sort: ${key}) { nodes { id } } }` })));
  sane(
    'a field of a filter',
    await post(
      `{"query":${JSON.stringify('query ($filter: RunFilter) { runs(filter: $filter) { nodes { id } } }')},"variables":{"filter":${object(key, '1')}}}`,
    ),
  );
  sane('a slug', await post(JSON.stringify({ query: `{ task(id: "${key}") { id } }` })));
  sane(
    'a tool',
    await post(
      JSON.stringify({
        query: `mutation { saveTask(input: { slug: "p", name: "p", goal: "p", tools: ["${key}", "os.get_context#${key}=1"], validateOnly: true }) { errors { code } } }`,
      }),
    ),
  );
  sane('a scope', await post(JSON.stringify({ query: `mutation { createToken(input: { name: "n", scopes: ["${key}"] }) { secret } }` })));
  const search = new URLSearchParams({ query: '{ viewer { kind } }', [key]: 'polluted', [`${key}[polluted]`]: 'true' });
  const byGet = await fetch(`${url}/graphql?${search}`, { headers: { authorization: `Bearer ${secret}` } });
  findings.same(await byGet.text(), '{"data":{"viewer":{"kind":"SESSION"}}}', `the query parameter ${key}`);
  const given = `{"query":${JSON.stringify('mutation ($input: StartRunInput!) { startRun(input: $input) { input } }')},"variables":{"input":{"task":"free","input":${object(key, '{"a":1}')}}}}`;
  const started = await post(given);
  if (own) findings.same(codesIn(started), ['invalid_arguments'], 'an input of a run with __proto__');
  else findings.same(started.text, `{"data":{"startRun":{"input":${object(key, '{"a":1}')}}}}`, `an input of a run with ${key}`);
}
