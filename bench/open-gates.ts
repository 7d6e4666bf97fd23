import type { Company } from './company.ts';
import { compareTimes } from './compare.ts';
import type { BenchServer } from './database.ts';
import { openPortal, type Portal, pastsOn } from './pasts.ts';
import { type Line, median } from './report.ts';
import { startStatementCounter } from './statement-counter.ts';

const QUERY = `query OpenGates($first: Int!) {
  openGates(first: $first) {
    totalCount
    nodes { id tool createdAt run { id task { slug name } member { name } } }
  }
}`;

interface Answer {
  openGates: { totalCount: number; nodes: unknown[] };
}

async function ask(portal: Portal, first: number) {
  const { openGates } = await portal.ask<Answer>(QUERY, { first });
  if (openGates.totalCount !== 100 || openGates.nodes.length !== first) {
    throw new Error(`openGates answered ${openGates.nodes.length} of ${openGates.totalCount} gates; it must be ${first} of 100`);
  }
}

/** What a page of waiting gates costs with little and with much behind it. */
export async function measureOpenGates(server: BenchServer): Promise<Line[]> {
  const { short, long } = await pastsOn(server);
  const statements = await countStatements(short);
  const [few, many] = [await openPortal(short), await openPortal(long)];
  const times = await compareTimes(
    { what: 'openGates(first: 20) with 1,000 ended runs', once: () => ask(few, 20) },
    { what: 'openGates(first: 20) with 1,000,000 ended runs, 200,000 decided gates', once: () => ask(many, 20) },
    1.5,
  );
  await few.close();
  await many.close();
  return [...statements, ...times];
}

/** Medians, as the service's own sweep passes now and then. */
async function countStatements(company: Company): Promise<Line[]> {
  const counter = await startStatementCounter(company.databaseUrl);
  const portal = await openPortal(company, counter.url);
  const count = async (first: number) => {
    const counts: number[] = [];
    for (let n = 0; n < 11; n++) counts.push(await counter.during(() => ask(portal, first)));
    return median(counts);
  };
  const [twenty, hundred] = [await count(20), await count(100)];
  await portal.close();
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
