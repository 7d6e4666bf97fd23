import { v7 } from 'uuid';
import { addTeam } from '../../src/domain/company/add-team.ts';
import { invoke } from './harness/calls.ts';
import { type Claimed, Company, type TaskDraft } from './harness/company.ts';
import { LEAVES, type Leaf, leafName, variablesWith } from './harness/fields.ts';
import { openGate } from './harness/gates.ts';
import { lastEvent } from './harness/mutations.ts';
import { type Asked, Findings, percentile, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { type RawAnswer, sendOperation } from './harness/raw-answer.ts';
import { sharedStage } from './harness/stage.ts';

export const name = 'P25';
export const claim = 'what is another enterprise’s is answered like what there is not, wherever it is named';
/** Foreign values, each sent beside one that nobody has. */
export const sizes = { small: 2 * LEAVES.length, full: 10_000 };

/** A value of the other enterprise, and its twin that nobody has. */
interface Pair {
  kind: string;
  foreign: string;
  missing: string;
}

const EVENT_CURSOR = 'event cursor';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const encoded = (text: string) => Buffer.from(text).toString('base64url');

/** An id of the same moment, so that it sorts where the other does. */
const twinOf = (id: string) => id.slice(0, 15) + v7().slice(15);

/** The other enterprise's objects, under every spelling in which somebody may send them; `secret` is what they hold, and is never sent. */
async function pairsOf(company: Company, mark: string, secret: string): Promise<{ pairs: Pair[]; unsent: string[] }> {
  const { enterpriseId, stage } = company;
  const { prisma } = stage.db;
  const teamId = await addTeam(prisma, new Date(), { enterpriseId, slug: `${mark}-team`, name: secret, charter: secret });
  await company.saveTask({ slug: `${mark}-task`, name: secret, tools: [] } as TaskDraft);
  const opened = await openGate(company, 'os.set_context', `${mark}-call`, await company.run('gated', { secret }));
  const run = await company.run('free', { secret });
  await invoke(stage.urls[0]!, run.token, {
    toolCallId: `${mark}-key`,
    tool: 'os.set_context',
    arguments: { key: `${mark}-key`, value: secret },
  });
  const failed = await company.failedRun();
  const where = { where: { enterpriseId } };
  const runs = await prisma.run.findMany(where);
  const ids: Record<string, string> = {
    ...{ enterprise: enterpriseId, person: company.ceoId, token: company.worker.id, session: company.ceo.id, gate: opened.card.id },
    ...{ run: run.id, failed, team: teamId, execution: runs[0]!.executionId },
    task: (await prisma.task.findFirst(where))!.id,
    call: (await prisma.toolCall.findFirst(where))!.id,
    act: (await prisma.auditEntry.findFirst(where))?.id ?? v7(),
  };
  const fresh = () => `${v7().slice(-mark.length)}`;
  const pairs: Pair[] = Object.entries(ids).flatMap(([kind, foreign]) => {
    const missing = twinOf(foreign);
    return [
      { kind, foreign, missing },
      { kind: `${kind} in capitals`, foreign: foreign.toUpperCase(), missing: missing.toUpperCase() },
      { kind: `${kind} as a cursor`, foreign: encoded(foreign), missing: encoded(missing) },
      { kind: `${kind} as a cursor by cost`, foreign: encoded(`1 ${foreign}`), missing: encoded(`1 ${missing}`) },
      { kind: `${kind} as a global id`, foreign: encoded(`Run:${foreign}`), missing: encoded(`Run:${missing}`) },
    ];
  });
  for (const suffix of ['team', 'task', 'call', 'key']) {
    pairs.push({ kind: `name of a ${suffix}`, foreign: `${mark}-${suffix}`, missing: `${fresh()}-${suffix}` });
  }
  const last = (await lastEvent(company)) + 1_000_000; // an enterprise whose events are far ahead
  await prisma.eventCounter.updateMany({ ...where, data: { last } });
  pairs.push({ kind: EVENT_CURSOR, foreign: String(last), missing: String(last + 1) });
  const known = runs.flatMap(({ id, executionId }) => [id, executionId]).filter((id) => !Object.values(ids).includes(id));
  return { pairs, unsent: [secret, ...known] };
}

/** The answer without what differs between any two requests; every value that is ever sent is one. */
function shapes(pairs: Pair[]) {
  const sent = new RegExp(pairs.flatMap(({ foreign, missing }) => [foreign, missing]).join('|'), 'gi');
  return ({ status, text }: RawAnswer): string =>
    `${status} ${text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/"(age|ageSeconds)":\d+/g, '"$1":0')
      .replaceAll(/"payloadHash":"[0-9a-f]{64}"/g, '"payloadHash":"<hash>"') // of a payload that holds what was sent before
      .replaceAll(/"stalled":true/g, '"stalled":false')
      .replaceAll(/("(?:start|end)Cursor":)"[\w-]+"/g, '$1"<cursor>"')
      .replaceAll(/"preview":"(?:[^"\\]|\\.)*","totalChars":\d+/g, '"preview":""') // as long as the ages in it
      .replaceAll(/The answer has \d+ characters/g, 'The answer is too long')
      .replaceAll(/ Did you mean [^?"]*\?/g, '')
      .replaceAll(/"closest":\[[^\]]*\]/g, '"closest":[]')
      .replaceAll(sent, '<sent>')
      .replaceAll(UUID, '<id>')}`;
}

/** JSON holds ids where a program may look for them. */
const held = ({ type }: Leaf, value: unknown) => (type === 'JSON' ? { runId: value, key: value, id: value, note: 'n' } : value);

/** Both texts from shortly before the place where they part, so that a finding shows it. */
function fromDifference(one: string, other: string): [string, string] {
  const start = Math.max(0, [...one].findIndex((character, at) => character !== other[at]) - 100);
  return one === other ? [one, other] : [one.slice(start), other.slice(start)];
}

/** One who asks. There are two with the same past: one sends what is foreign, the other what is missing. */
class Asking {
  #run: Claimed | undefined;
  constructor(readonly company: Company) {}

  async secret(as: 'run' | 'ceo' | 'worker'): Promise<string> {
    if (as !== 'run') return this.company[as].secret;
    const { prisma } = this.company.stage.db;
    const row = this.#run && (await prisma.run.findFirst({ where: { id: this.#run.id }, select: { status: true } }));
    if (row?.status !== 'RUNNING') this.#run = await this.company.run();
    return this.#run!.token;
  }
}

/** Every leaf of every argument in turn, with values of the other enterprise, as each kind of caller. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const random = new Random(asked.seed);
  const findings = new Findings();
  const other = await Company.found(stage);
  const asking = [new Asking(await Company.found(stage)), new Asking(await Company.found(stage))];
  const mark = `m${v7().slice(-11)}`;
  const { pairs, unsent } = await pairsOf(other, mark, `secret-${v7()}`);
  const shape = shapes(pairs);
  const took: [number[], number[]] = [[], []];
  for (let index = 0; index < asked.size; index++) {
    const leaf = LEAVES[index % LEAVES.length]!;
    const pair = random.pick(pairs.filter(({ kind }) => kind !== EVENT_CURSOR || leaf.path[0] === 'after'));
    const asRun = leaf.field.name === 'invokeTool' || (leaf.field.tool && random.chance(0.7));
    const as = asRun ? 'run' : random.pick(['ceo', 'worker'] as const);
    const answers: RawAnswer[] = [];
    for (const side of random.chance(0.5) ? [0, 1] : [1, 0]) {
      const value = side === 0 ? pair.foreign : pair.missing;
      const secret = await asking[side]!.secret(as);
      const begun = performance.now();
      answers[side] = await sendOperation(stage.urls[index % 2]!, secret, leaf.field.document, variablesWith(leaf, held(leaf, value)));
      took[side]!.push(performance.now() - begun);
    }
    const [foreign, missing] = answers as [RawAnswer, RawAnswer];
    findings.same(...fromDifference(shape(foreign), shape(missing)), `${leafName(leaf)}: another enterprise’s ${pair.kind}`);
    const leaked = unsent.filter((secret) => foreign.text.includes(secret));
    findings.same(leaked, [], `${leafName(leaf)}: leaks of ${pair.kind}`);
    findings.check(foreign.status < 500 && !foreign.text.includes('INTERNAL'), `${leafName(leaf)}: failures`, foreign);
  }
  const [foreign, missing] = [percentile(took[0], 0.5), percentile(took[1], 0.5)];
  if (asked.timed) findings.check(Math.abs(foreign - missing) <= missing * 0.1, 'medians', { foreign, missing });
  const medians = `medians ${foreign.toFixed(2)} and ${missing.toFixed(2)} ms`;
  const found = `${asked.size} foreign values over ${LEAVES.length} places of ${new Set(LEAVES.map(({ field }) => field.name)).size} fields: 0 leaks; ${medians}`;
  return findings.result(name, asked, '0 leaks; foreign is answered as missing, medians within 10 %', found);
}
