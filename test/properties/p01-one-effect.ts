import { type Call, invoke, invokeText } from './harness/calls.ts';
import { CATALOGUE, testOnly } from './harness/catalogue.ts';
import { Company } from './harness/company.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { sharedStage } from './harness/stage.ts';
import { eventually, range } from './harness/wait.ts';

export const name = 'P1';
export const claim = 'one idempotent call sent many times at once acts once and answers the same bytes';
export const sizes = { small: 40, full: 200 };

/** Every built-in tool that is marked idempotent, and test-only ones with an effect outside. */
const TOOLS = [
  ...CATALOGUE.filter(({ retry }) => retry === 'idempotent'),
  testOnly('ledger.put', 'idempotent', { entry: 'p1', amount: 1 }),
  testOnly('probe.act', 'idempotent', { entry: 'p1' }),
];

const ROWS = ['Run', 'Execution', 'ExecutionLink', 'ContextEntry', 'Gate'];

/** How many rows the enterprise has in each table that a tool of today writes. */
async function rowsOf({ stage, enterpriseId }: Company): Promise<number[]> {
  const counts = ROWS.map((table) => `(SELECT count(*)::int FROM "${table}" WHERE "enterpriseId" = $1) AS "${table}"`);
  const [row] = await stage.db.query<Record<string, number>>({ text: `SELECT ${counts.join(', ')}`, values: [enterpriseId] });
  return Object.values(row!);
}

/** `size` times the same call, over two processes, for each tool. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const company = await Company.found(stage);
  const findings = new Findings();
  const { db, urls } = stage;
  for (const tool of TOOLS) {
    const run = await company.run();
    const { id, token } = run;
    const input = { toolCallId: `p1-${asked.seed}`, tool: tool.name, arguments: await tool.prepare(company, run) };
    const before = await rowsOf(company);
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
    const added = (await rowsOf(company)).map((count, index) => count - before[index]!);
    findings.check(
      added.every((count) => count <= 1),
      `${tool.name}: acted more than once`,
      { ROWS, added },
    );
    const [{ calls, labels }] = (await db.query(counts(id, input.toolCallId))) as [{ calls: number; labels: number }];
    findings.same(calls, 1, `${tool.name}: rows of the call`);
    findings.check(labels <= 1, `${tool.name}: told more than once`, { labels });
  }
  const acts = await stage.probe.acts('p1');
  findings.same(new Set(acts.map(({ callId }) => callId)).size, acts.length, 'probe.act: acted twice');
  const found = `${TOOLS.length} tools × ${asked.size} calls: 1 effect and 1 body each`;
  return findings.result(name, asked, '1 effect, identical bodies, no error other than call_in_progress', found);
}

const counts = (runId: string, toolCallId: string) => ({
  text: `SELECT (SELECT count(*)::int FROM "ToolCall" WHERE "runId" = $1 AND "toolCallId" = $2) AS calls,
    (SELECT count(*)::int FROM "Event" WHERE "runId" = $1 AND "kind" = 'LABELLED') AS labels`,
  values: [runId, toolCallId],
});
