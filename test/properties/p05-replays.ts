import fc from 'fast-check';
import { guardJson } from '../../src/kernel/json-guard.ts';
import { invoke } from './harness/calls.ts';
import { type Claimed, Company } from './harness/company.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { sharedStage } from './harness/stage.ts';

export const name = 'P5';
export const claim = 'a replayed set_context or delete_context undoes nothing that came later';
export const sizes = { small: 25, full: 1_000 };

interface Sent {
  toolCallId: string;
  tool: string;
  arguments: { key: string; value?: unknown };
  answer: unknown;
}

/** What the store holds, and every call with its answer. */
interface Model {
  store: Map<string, unknown>;
  sent: Sent[];
}

interface Real {
  urls: string[];
  run: Claimed;
  findings: Findings;
  sends: number;
}

async function send(real: Real, call: Omit<Sent, 'answer'>): Promise<unknown> {
  const { toolCallId, tool } = call;
  const url = real.urls[real.sends++ % real.urls.length]!;
  const answer = await invoke(url, real.run.token, { toolCallId, tool, arguments: call.arguments });
  real.findings.same(answer.status, 'SUCCEEDED', `${tool} ended badly`);
  return answer.result;
}

/** Every key is looked at after every command. */
async function compare({ store }: Model, real: Real, key: string) {
  const read = (await send(real, { toolCallId: `read-${real.sends}`, tool: 'os.get_context', arguments: { key } })) as { value: unknown };
  real.findings.same(read.value, store.get(key) ?? null, 'the store differs from what was written last');
}

type Command = fc.AsyncCommand<Model, Real>;

class Write implements Command {
  constructor(
    readonly key: string,
    readonly value: unknown,
  ) {}
  check = () => true;
  async run({ store, sent }: Model, real: Real) {
    const { key, value } = this;
    const removes = value === undefined;
    const expected = removes ? { key, deleted: store.has(key) } : { key, value };
    if (removes) store.delete(key);
    else store.set(key, value);
    const call = {
      toolCallId: `c${sent.length}`,
      tool: removes ? 'os.delete_context' : 'os.set_context',
      arguments: removes ? { key } : { key, value },
    };
    const answer = await send(real, call);
    real.findings.same(answer, expected, 'the answer of a new call');
    sent.push({ ...call, answer });
    await compare({ store, sent }, real, key);
  }
  toString = () => `${this.value === undefined ? 'delete' : 'set'} ${this.key} ${JSON.stringify(this.value)}`;
}

class Replay implements Command {
  constructor(readonly which: number) {}
  check = ({ sent }: Readonly<Model>) => sent.length > 0;
  async run(model: Model, real: Real) {
    const call = model.sent[this.which % model.sent.length]!;
    real.findings.same(await send(real, call), call.answer, 'the answer of a replay');
    await compare(model, real, call.arguments.key);
  }
  toString = () => `replay ${this.which}`;
}

const key = fc.constantFrom('a', 'b', 'a/b');
const value = fc.jsonValue({ maxDepth: 2 }).filter((value) => guardJson(value).length === 0);
const commands = fc.commands<Model, Real>(
  [
    fc.tuple(key, value).map(([key, value]) => new Write(key, value)),
    key.map((key) => new Write(key, undefined)),
    fc.nat(50).map((which) => new Replay(which)),
  ] as never,
  { maxCommands: 12 },
);

/** Random interleavings of set, delete and replay, over two processes. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const company = await Company.found(stage);
  const total = new Findings();
  const property = fc.asyncProperty(commands, async (sequence) => {
    const findings = new Findings();
    const run = await company.run();
    await stage.db.prisma.contextEntry.deleteMany({ where: { enterpriseId: company.enterpriseId } });
    await fc.asyncModelRun(
      () => ({ model: { store: new Map(), sent: [] }, real: { urls: stage.urls, run, findings, sends: 0 } }),
      sequence as never,
    );
    total.checked += findings.checked;
    if (!findings.holds) throw new Error(findings.result(name, asked, '', '').result);
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, { numRuns: asked.size, seed: asked.seed });
  total.check(!failed, 'a sequence', `${String(counterexample)}: ${String((errorInstance as Error)?.message)}`);
  return total.result(
    name,
    asked,
    'a replay answers as its call did and undoes nothing',
    `${asked.size} sequences, ${total.checked} checks`,
  );
}
