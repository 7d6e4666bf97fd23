import { invoke } from './harness/calls.ts';
import { CATALOGUE, type TriedTool, testOnly } from './harness/catalogue.ts';
import { Company } from './harness/company.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { type Stage, sharedStage } from './harness/stage.ts';

export const name = 'P3';
export const claim = 'a call repeated under its id or a new one changes what its retry class says';
export const sizes = { small: 1, full: 20 };

/** The tools that a round tries; what acts outside does so under an entry of the round's own. */
const toolsOf = (entry: string): TriedTool[] => [
  ...CATALOGUE,
  testOnly('ledger.put', 'idempotent', { entry, amount: 1 }),
  testOnly('ledger.post', 'unsafe', { entry, amount: 1 }),
  testOnly('probe.add', 'unsafe', { entry }),
];

/** Everything that a tool of today can change, the record of the calls themselves left out. */
const STATE = `SELECT jsonb_build_object(
  'context', (SELECT jsonb_object_agg("key", "value") FROM "ContextEntry" WHERE "enterpriseId" = $1),
  'executions', (SELECT jsonb_object_agg("id", "name") FROM "Execution" WHERE "enterpriseId" = $1),
  'links', (SELECT jsonb_agg(jsonb_build_array("executionId", "name", "url") ORDER BY "id") FROM "ExecutionLink" WHERE "enterpriseId" = $1),
  'runs', (SELECT jsonb_object_agg("id", to_jsonb(r) - 'leaseExpiresAt') FROM "Run" r WHERE "enterpriseId" = $1),
  'gates', (SELECT jsonb_object_agg("id", jsonb_build_array("status", "payload")) FROM "Gate" WHERE "enterpriseId" = $1),
  'tasks', (SELECT count(*) FROM "TaskVersion" WHERE "enterpriseId" = $1),
  'added', (SELECT count(*) FROM probe_add WHERE entry = $2)) AS state`;

async function stateOf({ db, ledger }: Stage, enterpriseId: string, of: string): Promise<string> {
  const [{ state }] = (await db.query({ text: STATE, values: [enterpriseId, of] })) as [{ state: object }];
  return JSON.stringify({ ...state, posted: await ledger.posted(of), kept: (await ledger.kept()).filter(({ entry }) => entry === of) });
}

/** Each tool of the catalogue twice: under the same id, then under a new one. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const findings = new Findings();
  for (let round = 0; round < asked.size; round++) {
    for (const tool of toolsOf(`p3-${round}`)) await trial(stage, findings, tool, `p3-${round}`);
  }
  const found = `${CATALOGUE.length} built-in and ${toolsOf('').length - CATALOGUE.length} test-only tools are of their class`;
  return findings.result(name, asked, '100 % of the catalogue', found);
}

async function trial(stage: Stage, findings: Findings, tool: TriedTool, entry: string) {
  const company = await Company.found(stage);
  const run = await company.run();
  const { token } = run;
  const [one, two] = stage.urls as [string, string];
  const args = await tool.prepare(company, run);
  const looks = [await stateOf(stage, company.enterpriseId, entry)];
  const answers = [];
  for (const [toolCallId, url] of [
    ['a', one],
    ['a', two],
    ['b', two],
  ] as const) {
    answers.push(await invoke(url, token, { toolCallId, tool: tool.name, arguments: args }));
    looks.push(await stateOf(stage, company.enterpriseId, entry));
  }
  const [before, first, again, anew] = looks;
  const [answer, repeat, other] = answers;
  findings.same([repeat!.status, repeat!.result], [answer!.status, answer!.result], `${tool.name}: the same id answers otherwise`);
  findings.same(again, first, `${tool.name}: the same id acts again`);
  findings.check(['SUCCEEDED', 'WAITING'].includes(answer!.status), `${tool.name}: the first call`, answer);
  findings.check((first !== before) === (tool.retry !== 'safe'), `${tool.name}: what the first call changes`, { before, first });
  findings.check((anew !== again) === (tool.retry === 'unsafe'), `${tool.name}: what a new id changes`, { again, anew });
  findings.same(other!.error?.code, tool.refused, `${tool.name}: how a new id is answered`);
}
