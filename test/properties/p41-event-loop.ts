import { v7 } from 'uuid';
import { graphql } from '../support/graphql-client.ts';
import { invoke, tryInvoke } from './harness/calls.ts';
import { type Claimed, Company, FREE_TOOLS, type TaskDraft } from './harness/company.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { sendBody } from './harness/raw-answer.ts';
import { onStage, type Stage } from './harness/stage.ts';
import { range } from './harness/wait.ts';

export const name = 'P41';
export const claim = 'no input that is legal holds the event loop, and none takes much memory';
/** Rounds of every operation at its largest. */
export const sizes = { small: 1, full: 20 };

/** Above the idle process, in milliseconds: as the property says, and what no busy machine exceeds for work that grows as its input. */
const HELD = { timed: 50, busy: 2_000 };
const MEMORY = 64 * 1_048_576;

const ROOM = 1_000_000;

/** A text that fills up what a request may have. */
const TEXT = 'x'.repeat(ROOM);

const nested = (levels: number, core: unknown): unknown => range(levels).reduce((value: unknown) => ({ a: value }), core);

/** Documents of about 1 MB, each hard in another way. */
const DOCUMENTS: Record<string, unknown> = {
  objects: { list: range(40_000).map((n) => ({ id: n, ok: true })) },
  keys: Object.fromEntries(range(40_000).map((n) => [`key-${n}`, n])),
  'one text': { text: TEXT },
  numbers: { list: range(150_000) },
  '60 levels': nested(60, { list: range(100_000).map((n) => n % 10) }),
  quotes: { text: '"\\\n'.repeat(ROOM / 8) },
};

interface Trial {
  what: string;
  act: () => Promise<unknown>;
}

const START = 'mutation ($input: StartRunInput!) { startRun(input: $input) { id } }';
const FINISH = 'mutation ($input: FinishRunInput!) { finishRun(input: $input) { id status } }';
const SAVE = 'mutation ($input: SaveTaskInput!) { saveTask(input: $input) { errors { code message } warnings { code } } }';
const DECIDE =
  'mutation ($input: DecideGateInput!) { decideGate(input: $input) { id status toolCall { editedByHuman } versions { payload } } }';

const pins = (count: number, from = 0) => range(count).map((n) => `os.set_context#key=${from + n}`);

/** The largest that each operation, tool and decision takes, on one company; `some`: of how many of the documents. */
async function trialsOf(stage: Stage, company: Company, some?: number): Promise<Trial[]> {
  const url = stage.urls[0]!;
  const ceo = company.ceo.secret;
  const send = (query: string, input: unknown, token = ceo) => graphql(url, token, query, { input });
  const text = (query: string) => sendBody(url, ceo, JSON.stringify({ query }));
  const call = (run: Claimed, tool: string, args: unknown) => tryInvoke(url, run.token, { toolCallId: v7(), tool, arguments: args });
  return [
    ...(await editedLists(company, send)),
    ...Object.entries(DOCUMENTS)
      .slice(0, some)
      .flatMap(([document, value]) => documents(company, document, value, send, call)),
    ...(await tasks(company, send, text)),
    ...operations(text, (query, variables) => graphql(url, ceo, query, variables)),
  ];
}

type Send = (query: string, input: unknown, token?: string) => Promise<unknown>;
type Call = (run: Claimed, tool: string, args: unknown) => Promise<unknown>;

/** Gates whose payload is a list, approved with another one. */
async function editedLists(company: Company, send: Send): Promise<Trial[]> {
  const list = range(1_300).map((n) => `item-${n}`);
  const edits: Record<string, unknown[]> = {
    'the last item changed': [...list.slice(0, -1), 'changed'],
    'the first item gone': list.slice(1),
    'every item moved': list.toReversed(),
    'every item changed': list.map((item) => `${item}!`),
  };
  return Promise.all(
    Object.entries(edits).map(async ([what, value]) => {
      const run = await company.run('gated');
      const asking = { toolCallId: what, tool: 'os.set_context', arguments: { key: 'list', value: list } };
      const { id: gateId, payloadHash } = (await invoke(company.stage.urls[0]!, run.token, asking)).gate!;
      const input = { gateId, payloadHash, decision: 'APPROVE', editedPayload: { key: 'list', value } };
      return { what: `a list of 1,300 approved with ${what}`, act: () => send(DECIDE, input) };
    }),
  );
}

/** A large document wherever one is taken. */
function documents(company: Company, document: string, value: unknown, send: Send, call: Call): Trial[] {
  const worker = company.worker.secret;
  const idempotencyKey = v7();
  return [
    { what: `startRun with ${document}`, act: () => send(START, { task: 'free', input: value, idempotencyKey }, worker) },
    { what: `startRun again with ${document}`, act: () => send(START, { task: 'free', input: value, idempotencyKey }, worker) },
    {
      what: `finishRun with ${document}`,
      act: async () => {
        const run = await company.run('stage');
        await send(FINISH, { runId: run.id, attempt: run.attempt, outcome: 'next', output: value }, run.token);
      },
    },
    ...['os.set_context', 'os.ask_ceo', 'ledger.put', 'no.such_tool'].map((tool) => ({
      what: `${tool} with ${document}`,
      act: async () => call(await company.run('free'), tool, value),
    })),
  ];
}

/** Tasks at every limit, and what compares them. */
async function tasks(company: Company, send: Send, text: (query: string) => Promise<unknown>): Promise<Trial[]> {
  await company.saveTask({ slug: 'pinned', tools: pins(299) } as TaskDraft);
  await company.saveTask({ slug: 'pinned', tools: pins(299, 1_000) } as TaskDraft);
  const task = { slug: 'large', name: 'Large', goal: 'To be tried.', tools: FREE_TOOLS };
  const differences = range(20).map((n) => `d${n}: taskDifference(task: "pinned", from: 1, to: 2)`);
  const saved: [string, object][] = [
    ['300 unknown tools of 3,300 characters', { tools: range(300).map((n) => `os.${n}${'x_'.repeat(1_650)}`) }],
    ['300 pins', { tools: pins(299) }],
    ['300 gates and 100 successors', lists()],
    ['pins of 4,000 values', { tools: pins(1).concat(range(200).map((n) => `os.set_context#value=${n},${'1,'.repeat(1_900)}`)) }],
  ];
  return [
    { what: '20 differences of 299 pins', act: () => text(`{ ${differences.join(' ')} }`) },
    ...saved.map(([what, input]) => ({ what: `saveTask with ${what}`, act: () => send(SAVE, { ...task, ...input, validateOnly: true }) })),
  ];
}

const lists = () => ({
  gates: range(300).map((n) => ({ tool: `os.tool_${n}` })),
  successors: range(100).map((n) => ({ outcome: `outcome-${n}`, task: `task-${n}` })),
  inputFields: range(100).map((n) => ({ name: `field-${n}`, type: 'TEXT', required: true, description: 'd'.repeat(2_000) })),
  guardrails: range(100).map(() => 'g'.repeat(2_000)),
});

/** Operations as long as they may be, and arguments as long as a request. */
function operations(
  text: (query: string) => Promise<unknown>,
  ask: (query: string, variables: Record<string, unknown>) => Promise<unknown>,
): Trial[] {
  const list = range(60_000).map((n) => `t${n}`);
  return [
    { what: 'one field 1,900 times', act: () => text(`{ viewer { ${'kind '.repeat(1_900)} } }`) },
    {
      what: '1,900 unknown fields',
      act: () =>
        text(
          `{ viewer { ${range(1_900)
            .map((n) => `kin${n}${'d'.repeat(100)}`)
            .join(' ')} } }`,
        ),
    },
    { what: 'a literal of 1 MB', act: () => text(`{ task(id: ${JSON.stringify(TEXT)}) { id } }`) },
    { what: 'a cursor of 1 MB', act: () => ask('query ($after: String) { runs(after: $after) { nodes { id } } }', { after: TEXT }) },
    {
      what: 'a list of 60,000 values',
      act: () => ask('query ($tool: [String!]) { gates(filter: { tool: $tool }) { totalCount } }', { tool: list }),
    },
    { what: 'the introspection', act: () => text('{ __schema { types { name description fields { name description args { name } } } } }') },
  ];
}

/** Every operation at its largest, one after the other; after each the process is asked how long it was held. */
export async function run(asked: Asked): Promise<Result> {
  return onStage({ processes: 1 }, async (stage) => {
    const findings = new Findings();
    const company = await Company.found(stage);
    const { control } = stage.nodes[0]!;
    const worst = { held: 0, memory: 0, at: '' };
    const ways = new Map<string, number>();
    for (let round = 0; round < asked.size; round++) {
      // What a process does once is none of it: compiling, first plans.
      if (asked.timed && round === 0) for (const { act } of await trialsOf(stage, company)) await act();
      const idle = await idleOf(stage, company);
      for (const { what, act } of await trialsOf(stage, company, asked.timed ? undefined : 2)) {
        const { memory } = await control.state();
        await control.strain();
        await act();
        const { held, rss } = await control.strain();
        const [above, grown] = [held - idle, rss - memory.rss];
        if (above > worst.held) Object.assign(worst, { held: above, at: what });
        worst.memory = Math.max(worst.memory, grown);
        ways.set(what, Math.max(ways.get(what) ?? 0, above));
        findings.check(above < (asked.timed ? HELD.timed : HELD.busy), `${what}: milliseconds that the event loop was held`, above);
        if (asked.timed) findings.check(grown < MEMORY, `${what}: bytes that the process grew by`, grown);
      }
    }
    const found = `${ways.size} operations: held at most ${worst.held.toFixed(1)} ms (${worst.at}), grew by ${(worst.memory / 1_048_576).toFixed(0)} MB at most`;
    return findings.result(name, asked, '< 50 ms above the idle process, < 64 MB', found);
  });
}

/** How long the event loop is held by the smallest operation. */
async function idleOf(stage: Stage, company: Company): Promise<number> {
  const { control } = stage.nodes[0]!;
  await control.strain();
  for (const _ of range(20)) await graphql(stage.urls[0]!, company.ceo.secret, '{ viewer { kind } }');
  return (await control.strain()).held;
}
