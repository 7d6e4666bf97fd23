import { type Asking, tryInvoke } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { codesIn, sendBody, sendOperation } from './harness/raw-answer.ts';
import { greetedSocket } from './harness/sockets.ts';
import { sharedStage } from './harness/stage.ts';
import { inTime, range } from './harness/wait.ts';

export const name = 'P31';
export const claim = 'what has exactly the allowed size is taken, and what is one larger is refused by name';
/** Rounds, each with texts of other characters. */
export const sizes = { small: 3, full: 200 };

const MOST_BYTES = 1_048_576;
const CHARACTERS = ['a', 'é', '€', '😀', '"', '\\', '\n'];

/** A text that has exactly so many bytes as JSON, quotes included. */
function textOfBytes(bytes: number, character: string): string {
  const each = Buffer.byteLength(JSON.stringify(character)) - 2;
  const times = Math.floor((bytes - 2) / each);
  return character.repeat(times) + 'a'.repeat(bytes - 2 - times * each);
}

/** Arrays or objects, one within the other, so many. */
const nested = (levels: number, inObjects: boolean): unknown => {
  let value: unknown = inObjects ? {} : [];
  for (let level = 1; level < levels; level++) value = inObjects ? { a: value } : [value];
  return value;
};

const link = (length: number) => `https://kites.example/${'a'.repeat(length - 'https://kites.example/'.length)}`;

/** Calls at an edge: the one that fits, and the one that is one larger. */
function edges(character: string, key: string): [edge: string, tool: string, fits: unknown, larger: unknown][] {
  const set = 'os.set_context';
  const objects = character !== 'a';
  return [
    ['a value of 16,384 bytes', set, { key, value: textOfBytes(16_384, character) }, { key, value: textOfBytes(16_385, character) }],
    [
      'a key of 512 characters',
      set,
      { key: `${key}-`.padEnd(511, '-') + pair(character), value: 1 },
      { key: `${key}-`.padEnd(512, '-') + pair(character), value: 1 },
    ],
    ['64 levels', set, { key, value: nested(63, objects) }, { key, value: nested(64, objects) }],
    ['a name of 200 characters', 'os.set_execution_name', { name: 'n'.repeat(200) }, { name: 'n'.repeat(201) }],
    ['a URL of 2,048 characters', 'os.add_execution_link', { name: 'n', url: link(2_048) }, { name: 'n', url: link(2_049) }],
    ['a summary of 20,000 characters', 'os.set_gate_summary', { summary: 's'.repeat(20_000) }, { summary: 's'.repeat(20_001) }],
  ];
}

/** A character that is no line end, so that keys stay readable. */
const pair = (character: string) => (character === '\n' ? '€' : character);

/** What JSON can write and a program may stumble over: as it is sent, and as it is stored. */
const NUMBERS: [sent: string, stored: number | undefined][] = [
  ['1e400', undefined],
  ['-1e400', undefined],
  ['[1, {"a": 1e999}]', undefined],
  ['-0', 0],
  ['9007199254740993', undefined],
  ['-8202522731445525542', undefined],
  ['{"a": [8202522731445525542]}', undefined],
  ['1e300', 1e300],
  ['9007199254740991', 9_007_199_254_740_991],
  ['1e308', 1e308],
  ['5e-324', 5e-324],
  ['0.1', 0.1],
];

/** Every edge, a size on it and one past it. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const findings = new Findings();
  const random = new Random(asked.seed);
  const company = await Company.found(stage);
  const run = await company.run();
  const [url] = stage.urls as [string];
  const call = async (asking: Omit<Asking, 'toolCallId'>, toolCallId: string) =>
    (await tryInvoke(url, run.token, { toolCallId, ...asking })).data?.invokeTool;
  for (let round = 0; round < asked.size; round++) {
    const character = CHARACTERS[round % CHARACTERS.length]!;
    for (const [edge, tool, fits, larger] of edges(character, `k${random.below(1e9)}`)) {
      const kept = await call({ tool, arguments: fits }, `${round} ${edge}`);
      findings.same([kept?.status, kept?.error?.code], ['SUCCEEDED', undefined], `${edge}: the one that fits`);
      findings.same(kept?.result, fits, `${edge}: as it is stored`);
      const refused = await call({ tool, arguments: larger }, `${round} ${edge} and one`);
      findings.same([refused?.status, refused?.error?.code], ['HANDED_BACK', 'invalid_arguments'], `${edge}: one more`);
    }
    for (const [sent, stored] of NUMBERS) {
      const asking = `{"toolCallId":"${round} ${sent.replaceAll('"', '')}","tool":"os.set_context","arguments":{"key":"n","value":${sent}}}`;
      const query = 'mutation ($input: InvokeToolInput!) { invokeTool(input: $input) { status result error { code } } }';
      const answer = await sendBody(url, run.token, `{"query":${JSON.stringify(query)},"variables":{"input":${asking}}}`);
      const { invokeTool } = JSON.parse(answer.text).data;
      const expected =
        stored === undefined
          ? { status: 'HANDED_BACK', result: null, error: { code: 'invalid_arguments' } }
          : { status: 'SUCCEEDED', result: { key: 'n', value: stored }, error: null };
      findings.same(invokeTool, expected, `the number ${sent}`);
    }
  }
  for (const [toolCallId, status] of [
    ['i'.repeat(200), 'SUCCEEDED'],
    ['i'.repeat(201), 'HANDED_BACK'],
    ['', 'HANDED_BACK'],
  ] as const) {
    findings.same(
      (await call({ tool: 'os.get_context', arguments: { key: 'k' } }, toolCallId))?.status,
      status,
      `a toolCallId of ${toolCallId.length}`,
    );
  }
  await lists(url, company, findings);
  await bodies(url, company, findings);
  await frames(url, company, findings);
  return findings.result(
    name,
    asked,
    'the edge is taken, one more is refused by name',
    `${findings.checked} checks of ${asked.size} rounds: all exact`,
  );
}

/** Counts of rows and of ids. */
async function lists(url: string, company: Company, findings: Findings) {
  const { secret } = company.ceo;
  for (const [first, codes] of [
    [1, []],
    [200, []],
    [201, ['invalid_arguments']],
    [0, ['invalid_arguments']],
    [-1, ['invalid_arguments']],
    [2 ** 31, ['query_too_complex']],
    [1.5, ['BAD_USER_INPUT']],
  ] as const) {
    const answer = await sendOperation(url, secret, 'query ($first: Int) { runs(first: $first) { nodes { id } } }', { first });
    findings.same(codesIn(answer), codes, `first: ${first}`);
  }
  const missing = { gateId: company.ceoId, decision: 'APPROVE', payloadHash: 'x' };
  const decide = 'mutation ($input: [DecideGateInput!]!) { decideGates(input: $input) { error { code } } }';
  const [most, more] = [200, 201].map((count) => ({ input: range(count).map(() => missing) }));
  findings.same(
    codesIn(await sendOperation(url, secret, decide, most)),
    range(200).map(() => 'not_found'),
    '200 decisions',
  );
  findings.same(codesIn(await sendOperation(url, secret, decide, more)), ['invalid_arguments'], '201 decisions');
  const claim = 'mutation ($input: ClaimRunInput!) { claimRun(input: $input) { token } }';
  const tasks = (count: number) => ({ input: { worker: 'w', tasks: range(count).map((n) => `none-${n}`) } });
  findings.same(codesIn(await sendOperation(url, company.worker.secret, claim, tasks(200))), [], '200 tasks');
  findings.same(codesIn(await sendOperation(url, company.worker.secret, claim, tasks(201))), ['invalid_arguments'], '201 tasks');
}

/** A request of exactly so many bytes. */
function bodyOf(bytes: number): string {
  const body = (padding: number) => JSON.stringify({ query: '{ viewer { kind } }', extensions: { padding: 'p'.repeat(padding) } });
  return body(bytes - body(0).length);
}

/** Bodies: announced, and in chunks of which nobody said how many. What is not JSON is no request. */
async function bodies(url: string, company: Company, findings: Findings) {
  const { secret } = company.ceo;
  findings.same((await sendBody(url, secret, bodyOf(MOST_BYTES))).status, 200, 'a body of 1 MiB');
  const refused = await sendBody(url, secret, bodyOf(MOST_BYTES + 1));
  findings.same([refused.status, codesIn(refused)], [413, ['too_large']], 'a body of a byte more');
  const garbage = await sendBody(url, secret, '{'.repeat(MOST_BYTES + 1));
  findings.same([garbage.status, codesIn(garbage)], [413, ['too_large']], 'a body that is too large and no JSON');
  for (const [bytes, status] of [
    [MOST_BYTES, 200],
    [MOST_BYTES + 1, 413],
  ] as const) {
    const text = bodyOf(bytes);
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < text.length; at += 65_536) controller.enqueue(new TextEncoder().encode(text.slice(at, at + 65_536)));
        controller.close();
      },
    });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    findings.same(response.status, status, `a body of ${bytes} bytes in chunks`);
  }
  for (const text of ['{"query":"{ viewer { kind } }","variables":{"a":NaN}}', '{"query":Infinity}', '[', '']) {
    const answer = await sendBody(url, secret, text);
    findings.same([answer.status, codesIn(answer)], [400, ['BAD_REQUEST']], `the body ${text}`);
  }
}

/** Frames on a socket. */
async function frames(url: string, company: Company, findings: Findings) {
  const frame = (padding: number) =>
    JSON.stringify({ id: '1', type: 'subscribe', payload: { query: '{ viewer { kind } }', extensions: { padding: 'p'.repeat(padding) } } });
  const fits = await greetedSocket(url, company.ceo.secret);
  fits.send(frame(MOST_BYTES - frame(0).length));
  findings.same(
    (
      await inTime(
        'answer',
        fits.message(({ id }) => id === '1'),
      )
    ).type,
    'next',
    'a frame of 1 MiB',
  );
  fits.send(frame(MOST_BYTES + 1 - frame(0).length));
  findings.same((await inTime('close', fits.closed)).code, 1009, 'how a socket closes for a frame of a byte more');
}
