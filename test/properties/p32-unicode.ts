import fc from 'fast-check';
import { v7 } from 'uuid';
import { families } from '../../src/tools/families.ts';
import { tryInvoke } from './harness/calls.ts';
import { type Claimed, Company, FREE_TOOLS } from './harness/company.ts';
import { LEAVES, leafName, variablesWith } from './harness/fields.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { codesIn, sendOperation } from './harness/raw-answer.ts';
import { sharedStage } from './harness/stage.ts';

export const name = 'P32';
export const claim = 'any text in any argument is kept as it is or refused by name';
/** Texts, each in a text argument of a tool and in a text argument of the schema. */
export const sizes = { small: 2 * LEAVES.length, full: 100_000 };

/** What strings are made of: what programs stumble over, and everything else. */
const HARD = [
  ...['\0', '\u0001', '\u001b[31m', '\u007f', '\u0085', '\ufeff', '\ufffe', '\uffff', '\u2028', '\u2029', '\r\n', '\t', '\u3000', '\u00a0'],
  ...['\ud800', '\udbff', '\udc00', '\udfff', '\ud83d\ude00', '\ud83d', '👩‍👩‍👧', '🇩🇪', '\u{10ffff}', '\u{1f1e6}'],
  ...['\u202e', '\u2066', '\u2069', '\u200b', '\u200d', '\u200f', '\u061c', '\u00ad', '\u{e0041}', '\u0301', 'é', 'e\u0301', 'ﬁ', 'İ', 'ß'],
  ...[
    '\\u0000',
    '\\',
    '"',
    "'",
    '$1',
    '%00',
    '#{x}',
    '{{x}}',
    '<script>',
    '-- ',
    '; DROP TABLE "Run"',
    '__proto__',
    'constructor',
    'NaN',
    'null',
  ],
  ...['a'.repeat(199), 'a'.repeat(200), 'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L', 'الإسلام', '表ポあ', '田中さん'],
];

const text = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom(...HARD), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 6 })
    .map((parts) => parts.join('')),
  fc.constantFrom(...HARD),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
);

interface Place {
  tool: string;
  path: (string | number)[];
  example: Record<string, unknown>;
}

function textsIn(value: unknown, path: Place['path'] = []): Place['path'][] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]));
}

function withText(value: unknown, path: Place['path'], sent: string): unknown {
  if (path.length === 0) return sent;
  const copy: any = Array.isArray(value) ? [...value] : { ...(value as object) };
  copy[path[0]!] = withText(copy[path[0]!], path.slice(1), sent);
  return copy;
}

/** Every place of a tool's arguments that an example or its schema says is a text; whatever may be any JSON is one too. */
const PLACES: Place[] = families
  .flatMap(({ tools }) => tools)
  .filter(({ name }) => FREE_TOOLS.includes(name))
  .flatMap(({ name, examples, input }) => {
    const example = examples[0]!.arguments as Record<string, unknown>;
    const fields = Object.entries((input as unknown as { shape?: Record<string, any> }).shape ?? {});
    const texts = fields.flatMap(([field, schema]) =>
      schema.safeParse('some text').success || schema.safeParse(v7()).success || schema.safeParse('https://a.example').success
        ? [[field]]
        : [],
    );
    const paths = [...texts, ...textsIn(example)];
    const seen = new Map(paths.map((path) => [path.join('.'), path]));
    return [...seen.values()].map((path) => ({ tool: name, path, example }));
  });

const isStorable = (value: string) => value.isWellFormed() && !value.includes('\0');

/** Keeps one run that is running: some calls make theirs wait or fail. */
class Caller {
  #run: Claimed | undefined;
  constructor(readonly company: Company) {}

  async token(): Promise<string> {
    const { prisma } = this.company.stage.db;
    const row = this.#run && (await prisma.run.findFirst({ where: { id: this.#run.id }, select: { status: true } }));
    if (row?.status !== 'RUNNING') this.#run = await this.company.run();
    return this.#run!.token;
  }
}

/** Texts in every place in turn; then keys that differ by normal form alone. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const findings = new Findings();
  const company = await Company.found(stage);
  const caller = new Caller(company);
  const texts = fc.sample(text, { numRuns: asked.size, seed: asked.seed });
  const counts = { kept: 0, refused: 0 };
  for (const [index, sent] of texts.entries()) {
    const place = PLACES[index % PLACES.length]!;
    const where = `${place.tool} ${place.path.join('.')}`;
    const args = withText(place.example, place.path, sent);
    const asking = { toolCallId: v7(), tool: place.tool, arguments: args };
    const answer = await tryInvoke(stage.urls[index % 2]!, await caller.token(), asking);
    const call = answer.data?.invokeTool as ({ arguments?: unknown } & NonNullable<typeof answer.data>['invokeTool']) | undefined;
    const code = call?.error?.code ?? answer.errors?.[0]?.extensions?.code;
    findings.check(call !== undefined && code !== 'INTERNAL', `${where}: failures`, { sent, answer });
    if (!isStorable(sent))
      findings.same([call?.status, code], ['HANDED_BACK', 'invalid_arguments'], `${where}: a text that cannot be stored`);
    if (call?.status === 'SUCCEEDED' || call?.status === 'WAITING') {
      findings.same(call.arguments, args, `${where}: the arguments as they are kept`);
      if (place.tool === 'os.set_context') findings.same(call.result, args, `${where}: what is stored`);
      counts.kept++;
    } else counts.refused++;
    const leaf = LEAVES[index % LEAVES.length]!;
    const secret = leaf.field.name === 'invokeTool' ? await caller.token() : company.ceo.secret;
    const raw = await sendOperation(
      stage.urls[index % 2]!,
      secret,
      leaf.field.document,
      variablesWith(leaf, leaf.type === 'JSON' ? { a: sent, [sent]: 1 } : sent),
    );
    findings.check(raw.status < 500 && !codesIn(raw).includes('INTERNAL'), `${leafName(leaf)}: failures`, { sent, raw });
  }
  await normalForms(company, await caller.token(), findings);
  await cutTexts(company, findings);
  const found = `${asked.size} texts in ${PLACES.length} places of tools (${counts.kept} kept, ${counts.refused} refused by name) and in ${LEAVES.length} of the schema: 0 failures`;
  return findings.result(name, asked, '0 failures; kept as it is, or refused by name', found);
}

/** Keys are compared as they are: composed and decomposed are two. */
async function normalForms(company: Company, token: string, findings: Findings) {
  const url = company.stage.urls[0]!;
  const keys = ['caf\u00e9', 'cafe\u0301', '\u212b', '\u00c5', 'A\u030a'];
  for (const key of keys)
    await tryInvoke(url, token, { toolCallId: v7(), tool: 'os.set_context', arguments: { key, value: [...key].length + key } });
  for (const key of keys) {
    const { data } = await tryInvoke(url, token, { toolCallId: v7(), tool: 'os.get_context', arguments: { key } });
    findings.same(data?.invokeTool.result, { key, value: [...key].length + key }, 'keys of another normal form');
  }
}

/** Where a text is cut to a length, it is not cut within a character. */
async function cutTexts(company: Company, findings: Findings) {
  const url = company.stage.urls[0]!;
  const long = `${'a'.repeat(199)}😀😀`;
  for (const input of [
    { repo: long, issue: long, pr: long },
    { repo: long, number: 1 },
  ])
    await company.fail(await company.run('free', input));
  const { token } = await company.run();
  const { data } = await tryInvoke(url, token, { toolCallId: v7(), tool: 'os.list_blockers', arguments: {} });
  findings.same([data?.invokeTool.status, data?.invokeTool.error], ['SUCCEEDED', null], 'Blockers with long texts');
  findings.check(JSON.stringify(data).isWellFormed() && !/\\ud[89a-f]/i.test(JSON.stringify(data)), 'pairs that were cut', data);
}
