import { addRunningRuns, type Company, foundCompany } from './company.ts';
import { compareTimes } from './compare.ts';
import { type BenchServer, onDatabase } from './database.ts';
import { openPortal, type Portal } from './pasts.ts';
import { Poster } from './post.ts';
import { startBareServer } from './processes.ts';
import type { Line } from './report.ts';

const RUNS = 20;
const CALLS = 5;
const [FEW, MANY] = [20, 2_000];

const QUERY = `query { runs(first: ${RUNS}) { nodes { id status toolCalls(first: ${CALLS}) { nodes { id tool status } } } } }`;

const FILL = `
  INSERT INTO "ToolCall" ("id", "enterpriseId", "runId", "toolCallId", "boundId", "tool", "arguments", "contentHash", "status", "result", "createdAt", "finishedAt")
  SELECT gen_random_uuid(), r."enterpriseId", r."id", 'call-' || n, 'call-' || n, 'os.set_context', jsonb_build_object('key', 'figure', 'value', n),
    md5(n::text), 'SUCCEEDED', jsonb_build_object('key', 'figure', 'value', n), now(), now()
  FROM "Run" r CROSS JOIN generate_series(1, $2::int) AS n WHERE r."enterpriseId" = $1`;

/** A company with some runs that each made so many calls. */
async function made(server: BenchServer, name: string, calls: number): Promise<Company> {
  const company = await foundCompany(await server.createDatabase(name));
  await addRunningRuns(company, company.openTaskIds[0]!, RUNS);
  await onDatabase(company.databaseUrl, async (client) => {
    await client.query(FILL, [company.enterpriseId, calls]);
    await client.query('VACUUM (ANALYZE)');
  });
  return company;
}

interface Answer {
  runs: { nodes: { toolCalls: { nodes: unknown[] } }[] };
}

interface BareRun {
  toolCalls: unknown[];
}

function insist(found: number) {
  if (found !== RUNS * CALLS) throw new Error(`${found} calls were answered; it must be ${RUNS * CALLS}`);
}

async function ask(portal: Portal) {
  const { runs } = await portal.ask<Answer>(QUERY);
  insist(runs.nodes.flatMap(({ toolCalls }) => toolCalls.nodes).length);
}

/** What the first calls of each run of a page cost, beside a LATERAL join by hand and with few calls behind them. */
export async function measureNestedCalls(server: BenchServer): Promise<Line[]> {
  const [short, long] = [await made(server, 'few_calls', FEW), await made(server, 'many_calls', MANY)];
  const [few, many] = [await openPortal(short), await openPortal(long)];
  const bare = await startBareServer(long.databaseUrl);
  const poster = new Poster(`${bare.url}/runs`, 1);
  const asked = JSON.stringify({ first: RUNS, calls: CALLS });
  const byHand = async () => insist(JSON.parse(await poster.post(long.session, asked)).flatMap((run: BareRun) => run.toolCalls).length);
  const what = `runs(first: ${RUNS}) { toolCalls(first: ${CALLS}) }`;
  const nested = { what: `${what} with 2,000 calls a run`, once: () => ask(many) };
  const lines = [
    ...(await compareTimes({ what: 'the same by hand: one LATERAL join, node:http and pg', once: byHand }, nested, 10)),
    ...(await compareTimes({ what: `${what} with 20 calls a run`, once: () => ask(few) }, nested, 1.5)),
  ];
  poster.close();
  await bare.stop();
  await few.close();
  await many.close();
  return lines;
}
