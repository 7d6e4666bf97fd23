import { graphql, graphqlData } from '../support/graphql-client.ts';
import { CARD, type Card, codeOf, decide, decided, invoke, tryInvoke } from './harness/calls.ts';
import { type Claimed, Company, FREE_TOOLS } from './harness/company.ts';
import { approval, type Opened, openGate, settledCall, shownHash } from './harness/gates.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { sharedStage } from './harness/stage.ts';
import { inFlight, range } from './harness/wait.ts';

export const name = 'P11';
export const claim = 'what was shown at a gate is what runs, whatever changes while it waits';
export const sizes = { small: 40, full: 1_000 };

const TOOLS = ['os.set_context', 'ledger.put', 'os.ask_ceo'] as const;

interface Trial {
  company: Company;
  other: Claimed;
  findings: Findings;
  random: Random;
  opened: Opened;
  mark: string;
  url: string;
}

/** What can change, or be tried, while a gate waits. */
const MUTATIONS: Record<string, (trial: Trial) => Promise<unknown>> = {
  async summaryByTheRun({ url, opened, findings, mark }) {
    const answer = await invoke(url, opened.run.token, {
      toolCallId: `s-${mark}`,
      tool: 'os.set_gate_summary',
      arguments: { summary: 'later' },
    });
    findings.same(answer.error?.code, 'run_waiting', 'a summary written while the gate waits');
  },
  summaryInTheRecords: ({ company, opened }) =>
    company.stage.db.prisma.run.updateMany({ where: { id: opened.run.id }, data: { gateSummary: 'changed behind its back' } }),
  taskVersion: ({ company, random }) =>
    company.saveTask({
      slug: 'gated',
      tools: random.chance(0.5) ? FREE_TOOLS : ['os.set_context#key=none', 'ledger.put#entry=none', 'os.ask_ceo'],
      gates: random.chance(0.5) ? [{ tool: 'ledger.put' }] : [{ tool: 'os.set_context' }, { tool: 'ledger.put', timeoutMinutes: 1 }],
    }),
  context: ({ company, other, mark, random }) =>
    invoke(company.stage.urls[1]!, other.token, {
      toolCallId: `c-${mark}-${random.next()}`,
      tool: 'os.set_context',
      arguments: { key: mark, value: 'other' },
    }),
  async otherPayloadUnderItsId({ url, opened, findings }) {
    const answer = await invoke(url, opened.run.token, {
      ...opened.asking,
      arguments: { ...(opened.asking.arguments as object), text: 'x' },
    });
    findings.check(['tool_call_id_reused', 'invalid_arguments'].includes(answer.error?.code ?? ''), 'another payload under its id', answer);
  },
  async secondCall({ url, opened, findings, mark }) {
    const { data } = await tryInvoke(url, opened.run.token, { ...opened.asking, toolCallId: `again-${mark}` });
    findings.same(data?.invokeTool.error?.code, 'run_waiting', 'a second call while the gate waits');
  },
  async staleHash({ url, company, opened, findings }) {
    const answer = await decide(url, company.ceo.secret, { ...approval(opened.card), payloadHash: 'f'.repeat(64) });
    findings.same(codeOf(answer), 'payload_changed', 'a decision on another hash');
  },
  async unfitEdit({ url, company, opened, findings }) {
    const answer = await decide(url, company.ceo.secret, {
      ...approval(opened.card),
      editedPayload: { ...opened.card.payload, unknown: 1 },
    });
    findings.same(codeOf(answer), 'invalid_arguments', 'an edit that the tool would refuse');
  },
};

/** `size` gates, each with random changes behind it, then approved as shown or as edited. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const company = await Company.found(stage);
  const findings = new Findings();
  const other = await company.run();
  const random = new Random(asked.seed);
  // Runs are claimed first: a run keeps the version of its task that it began with.
  const runs = await company.runs(asked.size, 'gated');
  let mutations = 0;
  await inFlight(4, range(asked.size), async (index) => {
    const tool = TOOLS[index % TOOLS.length]!;
    const mark = `p11-${asked.seed}-${company.enterpriseId}-${index}`;
    const run = runs[index]!;
    const url = stage.urls[index % 2]!;
    await invoke(url, run.token, { toolCallId: 'summary', tool: 'os.set_gate_summary', arguments: { summary: `about ${mark}` } });
    const opened = await openGate(company, tool, mark, run, url);
    const trial = { company, other, findings, random, opened, mark, url };
    for (let left = 1 + random.below(3); left > 0; left--) {
      await MUTATIONS[random.pick(Object.keys(MUTATIONS))]!(trial);
      mutations++;
    }
    await conclude(trial);
  });
  const found = `${asked.size} gates, ${mutations} changes: 0 cards changed, ${asked.size} executed as shown`;
  return findings.result(name, asked, 'executed hash = shown hash, or refused; the summary never changes the card', found);
}

async function conclude(trial: Trial) {
  const { company, findings, opened, mark, url, random } = trial;
  const { card } = opened;
  findings.same(card.payloadHash, shownHash(card.tool, card.payload), 'the hash of the card');
  const { gate } = await graphqlData(url, company.ceo.secret, `query ($id: ID!) { gate(id: $id) { ${CARD} } }`, { id: card.id });
  findings.same(gate, { ...card, summary: `about ${mark}` }, 'the card as it is shown later');
  const edited = card.tool === 'os.ask_ceo' || random.chance(0.5) ? undefined : editedOf(card);
  await decided(url, company.ceo.secret, { ...approval(card), ...(edited && { editedPayload: edited }) });
  const call = await settledCall(opened, () => company.stage.urls);
  findings.same(call.status, 'SUCCEEDED', 'the approved call');
  const executed = await payloadOf(company, card);
  const approved = shownHash(card.tool, edited ?? card.payload);
  findings.same(shownHash(card.tool, executed), approved, 'what was executed');
  const query = 'query ($id: ID!) { gate(id: $id) { payloadHash summary versions { number payloadHash } } }';
  const after = (await graphql(url, company.ceo.secret, query, { id: card.id })).data.gate;
  const versions = [{ number: 1, payloadHash: card.payloadHash }, ...(edited ? [{ number: 2, payloadHash: approved }] : [])];
  findings.same(after, { payloadHash: card.payloadHash, summary: `about ${mark}`, versions }, 'the record of what was shown');
}

const editedOf = ({ tool, payload }: Card) =>
  tool === 'ledger.put' ? { ...payload, amount: 7 } : { ...payload, value: { edited: [1, null] } };

/** What the effect of the call says that its payload was. */
async function payloadOf({ stage, enterpriseId }: Company, { tool, payload }: Card): Promise<unknown> {
  if (tool === 'os.ask_ceo') return payload;
  if (tool === 'ledger.put') return (await stage.ledger.kept()).find(({ entry }) => entry === payload.entry);
  const entry = await stage.db.prisma.contextEntry.findFirst({ where: { enterpriseId, key: payload.key } });
  return entry && { key: entry.key, value: entry.value };
}
