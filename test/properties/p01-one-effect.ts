import { families } from '../../src/tools/families.ts';
import { type Call, invoke, invokeText } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { sharedStage } from './harness/stage.ts';
import { eventually, range } from './harness/wait.ts';

export const name = 'P1';
export const claim = 'one idempotent call sent many times at once acts once and answers the same bytes';
export const sizes = { small: 40, full: 200 };

/** Every built-in tool that is marked idempotent, and test-only ones with an effect outside. */
const TOOLS = [
  ...families
    .flatMap(({ tools }) => tools)
    .filter(({ retry, calledBy }) => retry === 'idempotent' && calledBy.includes('run'))
    .map(({ name, examples }) => ({ name, arguments: examples[0]!.arguments })),
  { name: 'ledger.put', arguments: { entry: 'p1', amount: 1 } },
  { name: 'probe.act', arguments: { entry: 'p1' } },
];

/** `size` times the same call, over two processes, for each tool. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const company = await Company.found(stage);
  const findings = new Findings();
  const { db, urls } = stage;
  for (const tool of TOOLS) {
    const { id, token } = await company.run();
    const input = { toolCallId: `p1-${asked.seed}`, tool: tool.name, arguments: tool.arguments };
    const texts = await Promise.all(range(asked.size).map((index) => invokeText(urls[index % urls.length]!, token, input)));
    const final = await eventually(`end of ${tool.name}`, async () => {
      const text = await invokeText(urls[0]!, token, input);
      return text.includes('"status":"EXECUTING"') ? undefined : text;
    });
    for (const text of texts) {
      const answer = JSON.parse(text) as { data?: { invokeTool: Call } };
      if (answer.data?.invokeTool.status === 'EXECUTING') continue;
      findings.check(text === final, `${tool.name}: an answer differs`, { text, final });
    }
    const { status, error } = (await invoke(urls[1]!, token, input)) as Call;
    findings.check(status === 'SUCCEEDED' || status === 'WAITING', `${tool.name}: ended badly`, { status, error });
    const [{ calls, gates, labels }] = (await db.query(counts(id))) as [{ calls: number; gates: number; labels: number }];
    findings.same(calls, 1, `${tool.name}: rows of the call`);
    findings.check(gates <= 1 && labels <= 1, `${tool.name}: told or asked more than once`, { gates, labels });
  }
  const acts = await stage.probe.acts('p1');
  findings.same(new Set(acts.map(({ callId }) => callId)).size, acts.length, 'probe.act: acted twice');
  const found = `${TOOLS.length} tools × ${asked.size} calls: 1 effect and 1 body each`;
  return findings.result(name, asked, '1 effect, identical bodies, no error other than call_in_progress', found);
}

const counts = (runId: string) => ({
  text: `SELECT (SELECT count(*)::int FROM "ToolCall" WHERE "runId" = $1) AS calls, (SELECT count(*)::int FROM "Gate" WHERE "runId" = $1) AS gates,
    (SELECT count(*)::int FROM "Event" WHERE "runId" = $1 AND "kind" = 'LABELLED') AS labels`,
  values: [runId],
});
