import { type Company, foundCompany } from './company.ts';
import type { BenchServer } from './database.ts';
import { fillHistory, type History } from './history.ts';
import { Poster } from './post.ts';
import { startService } from './processes.ts';
import { type Line, median, milliseconds } from './report.ts';
import { startStatementCounter } from './statement-counter.ts';

const QUERY = `query OpenGates($first: Int!) {
  openGates(first: $first) {
    totalCount
    nodes { id tool createdAt run { id task { slug name } member { name } } }
  }
}`;

const SHORT_PAST: History = { endedRuns: 1_000, waitingGates: 100 };
const LONG_PAST: History = { endedRuns: 1_000_000, waitingGates: 100 };

const ROUNDS = 15;
const REQUESTS = 20;

interface Answer {
  openGates: { totalCount: number; nodes: unknown[] };
}

async function ask(poster: Poster, session: string, first: number) {
  const { openGates } = await poster.send<Answer>(session, QUERY, { first });
  if (openGates.totalCount !== 100 || openGates.nodes.length !== first) {
    throw new Error(`openGates answered ${openGates.nodes.length} of ${openGates.totalCount} gates; it must be ${first} of 100`);
  }
}

/** What a page of waiting gates costs with little and with much behind it. */
export async function measureOpenGates(server: BenchServer): Promise<Line[]> {
  const short = await made(server, 'short_past', SHORT_PAST);
  const long = await made(server, 'long_past', LONG_PAST);
  return [...(await countStatements(short)), ...(await compareTimes(short, long))];
}

async function made(server: BenchServer, name: string, history: History): Promise<Company> {
  const started = performance.now();
  const company = await foundCompany(await server.createDatabase(name));
  await fillHistory(company, history);
  console.log(`${history.endedRuns} ended runs are there after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  return company;
}

/** Medians, as the service's own sweep passes now and then. */
async function countStatements({ databaseUrl, session }: Company): Promise<Line[]> {
  const counter = await startStatementCounter(databaseUrl);
  const service = await startService(counter.url);
  const poster = new Poster(`${service.url}/graphql`, 1);
  const count = async (first: number) => {
    const counts: number[] = [];
    for (let n = 0; n < 11; n++) counts.push(await counter.during(() => ask(poster, session, first)));
    return median(counts);
  };
  const [twenty, hundred] = [await count(20), await count(100)];
  poster.close();
  await service.stop();
  counter.stop();
  return [
    {
      what: 'openGates: SQL statements for 20 and for 100 gates',
      figure: `${twenty} and ${hundred}`,
      target: 'the same',
      passed: twenty === hundred,
    },
  ];
}

async function compareTimes(short: Company, long: Company): Promise<Line[]> {
  const places = await Promise.all(
    [short, long].map(async ({ databaseUrl, session }) => ({ service: await startService(databaseUrl), session })),
  );
  const clients = places.map(({ service, session }) => ({
    poster: new Poster(`${service.url}/graphql`, 1),
    session,
    times: [] as number[],
  }));
  const ratios: number[] = [];
  for (let round = -3; round < ROUNDS; round++) {
    const medians: number[] = [];
    for (const client of clients) {
      const times = await timesOf(client);
      medians.push(median(times));
      if (round >= 0) client.times.push(...times);
    }
    if (round >= 0) ratios.push(medians[1]! / medians[0]!);
  }
  for (const { poster } of clients) poster.close();
  for (const { service } of places) await service.stop();
  const ratio = median(ratios);
  return [
    { what: 'openGates(first: 20) with 1,000 ended runs', figure: milliseconds(median(clients[0]!.times)) },
    { what: 'openGates(first: 20) with 1,000,000 ended runs, 200,000 decided gates', figure: milliseconds(median(clients[1]!.times)) },
    { what: '  ratio, median of the rounds', figure: ratio.toFixed(2), target: '≤ 1.5', passed: ratio <= 1.5 },
  ];
}

async function timesOf({ poster, session }: { poster: Poster; session: string }): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    const started = performance.now();
    await ask(poster, session, 20);
    times.push(performance.now() - started);
  }
  return times;
}
