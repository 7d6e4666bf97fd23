import { over, TRANSPORTS, type Transport } from '../graphql/transports.ts';
import { Company } from './harness/company.ts';
import { type Asked, Findings, percentile, type Result } from './harness/property.ts';
import { type RawAnswer, sendBody } from './harness/raw-answer.ts';
import { sharedStage } from './harness/stage.ts';
import { range } from './harness/wait.ts';

export const name = 'P30';
export const claim = 'operations made to wear the service out are refused over every transport, and nothing of them runs';
/** Rounds of every shape over every transport. */
export const sizes = { small: 1, full: 50 };

const TOO_COMPLEX = 'query_too_complex';
const INVALID = 'GRAPHQL_VALIDATION_FAILED';

const repeat = (times: number, text: (n: number) => string) => range(times).map(text).join(' ');

/** A selection of a run that goes down so many levels. */
const deep = (levels: number) => `${'execution { runs(first: 1) { nodes { '.repeat(levels)} id ${'} } }'.repeat(levels)}`;

const bomb = (type: string, times: number, last: string) =>
  repeat(times, (n) => `fragment f${n} on ${type} { ${n === times - 1 ? last : `...f${n + 1} ...f${n + 1}`} }`);

/** What is selected of a run, with the fragments that it needs, and the codes that refuse it. */
const SHAPES: [name: string, selection: string, fragments: string, codes: string[]][] = [
  ['depth 100', deep(34), '', [TOO_COMPLEX]],
  ['1,000 aliases', repeat(1_000, (n) => `a${n}: id`), '', [TOO_COMPLEX]],
  ['100 aliases', repeat(100, (n) => `a${n}: id`), '', [TOO_COMPLEX]],
  ['1,000 aliases of __typename', repeat(1_000, (n) => `a${n}: __typename`), '', [TOO_COMPLEX]],
  ['500 directives', `id ${repeat(500, () => '@include(if: true)')}`, '', [TOO_COMPLEX]],
  ['100 unknown directives', `id ${repeat(100, () => '@aa')}`, '', [TOO_COMPLEX]],
  ['3,000 times one field', repeat(3_000, () => 'id'), '', [TOO_COMPLEX]],
  ['a cycle of fragments', '...a', 'fragment a on Run { ...b } fragment b on Run { ...a id }', [INVALID]],
  ['a bomb of fragments', '...f0', bomb('Run', 30, 'a: id'), [TOO_COMPLEX]],
  ['first: 10^9', 'toolCalls(first: 1000000000) { nodes { id } }', '', [TOO_COMPLEX]],
];

const CIRCULAR = `{ __schema { types { ${'fields { type { '.repeat(6)} name ${'} }'.repeat(6)} } } }`;

/** Every shape below one run that is read, or below one that is started: a resolver that ran would leave a run behind. */
const operations = (transport: Transport) => [
  ...SHAPES.map(([shape, selection, fragments, codes]) => {
    const root =
      transport === 'GET' ? 'query { runs(first: 1) { nodes' : 'mutation { startRun(input: { task: "free", input: { abuse: true } })';
    return { shape, query: `${root} { ${selection} } }${transport === 'GET' ? ' }' : ''} ${fragments}`, codes };
  }),
  { shape: 'a circular introspection', query: CIRCULAR, codes: [TOO_COMPLEX] },
];

/** A URL takes no more than the headers may have. */
const fits = (transport: Transport, query: string) => transport !== 'GET' || encodeURIComponent(query).length < 14_000;

/** Every shape over every transport; then one large body, an array, and what scanners of GraphQL servers look for. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const findings = new Findings();
  const company = await Company.found(stage);
  const { secret } = company.worker;
  const runs = () => stage.db.prisma.run.count({ where: { enterpriseId: company.enterpriseId } });
  const took: number[] = [];
  const url = stage.urls[0]!;
  const control = 'mutation { startRun(input: { task: "free" }) { id } }';
  await over('SOCKET', url, secret, { query: control });
  findings.same(await runs(), 1, 'runs that a harmless operation of the same kind leaves behind');
  for (let round = 0; round < asked.size; round++) {
    for (const transport of TRANSPORTS) {
      for (const { shape, query, codes } of operations(transport)) {
        if (!fits(transport, query)) continue;
        const begun = performance.now();
        const answer = await over(transport, stage.urls[round % 2]!, secret, { query });
        took.push(performance.now() - begun);
        const told = [...new Set(answer.errors?.map(({ extensions }) => extensions?.code))];
        findings.same(told, codes, `${shape} over ${transport}: codes`);
        findings.check(answer.data === undefined || answer.data === null, `${shape} over ${transport}: data`, answer);
      }
    }
    for (const [shape, answer, status, code] of await wholeRequests(url, secret)) {
      findings.check(answer.status === status && answer.text.includes(`"code":"${code}"`), `${shape}: refusal`, answer);
    }
  }
  findings.same(await runs(), 1, 'runs after all of them');
  await scanned(url, secret, findings);
  const slow = percentile(took, 0.99);
  if (asked.timed) findings.check(slow < 50, 'milliseconds at the 99th percentile', slow);
  const found = `${took.length} operations refused, p99 ${slow.toFixed(1)} ms, 0 resolvers ran, 0 hits of the scanner's checks`;
  return findings.result(name, asked, 'refused in < 50 ms, resolver count 0, 0 hits', found);
}

/** Requests that are refused as they are. */
async function wholeRequests(url: string, secret: string): Promise<[string, RawAnswer, number, string][]> {
  const start = 'mutation { startRun(input: { task: "free" }) { id } }';
  const accept = { accept: 'application/graphql-response+json' };
  const batch = JSON.stringify(range(10).map(() => ({ query: start })));
  const large = JSON.stringify({ query: `${start} #${'a'.repeat(1_048_576)}` });
  const wide = JSON.stringify({ query: `mutation { ${'a'.repeat(1_000_000)} }` });
  return [
    ['an array of operations', await sendBody(url, secret, batch, accept), 400, TOO_COMPLEX],
    ['a body of more than 1 MB', await sendBody(url, secret, large, accept), 413, 'too_large'],
    ['a name of 1 MB', await sendBody(url, secret, wide, accept), 400, TOO_COMPLEX],
  ];
}

/** The checks of common scanners that no shape above stands for. */
async function scanned(url: string, secret: string, findings: Findings) {
  const start = 'mutation { startRun(input: { task: "free" }) { id } }';
  const authorization = `Bearer ${secret}`;
  const form = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ query: '{ viewer { kind } }' }),
  });
  findings.same(form.status, 415, 'a form that is posted');
  const byGet = await fetch(`${url}/graphql?${new URLSearchParams({ query: start })}`, { headers: { authorization } });
  findings.same(byGet.status, 405, 'a mutation by GET');
  const page = await fetch(`${url}/graphql`, { headers: { authorization, accept: 'text/html' } });
  const pageText = await page.text();
  findings.check(!/graphiql|playground|<html/i.test(pageText), 'a page to type queries into', pageText);
  const nobody = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __schema { queryType { name } } }' }),
  });
  findings.same(nobody.status, 401, 'the schema without a credential');
  const traced = await sendBody(url, secret, JSON.stringify({ query: '{ viewer { kind } }' }), { 'x-apollo-tracing': '1' });
  findings.same(Object.keys(JSON.parse(traced.text)), ['data'], 'traces in an answer');
  const wrong = await sendBody(url, secret, JSON.stringify({ query: '{ viewer { kind }' }));
  findings.check(!/stack|node_modules|\.ts:/.test(wrong.text), 'places of our code in an error', wrong);
}
