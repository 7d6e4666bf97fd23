import { type Company, foundCompany } from './company.ts';
import type { BenchServer } from './database.ts';
import { fillHistory, type History } from './history.ts';
import { Poster } from './post.ts';
import { startService } from './processes.ts';

const SHORT: History = { endedRuns: 1_000, standing: 100 };
const LONG: History = { endedRuns: 1_000_000, standing: 100 };

/** Two companies that differ in how much has happened in them. */
export interface Pasts {
  short: Company;
  long: Company;
}

const made = new WeakMap<BenchServer, Promise<Pasts>>();

/** The companies with a short and a long past, made once a server. */
export function pastsOn(server: BenchServer): Promise<Pasts> {
  const known = made.get(server) ?? makePasts(server);
  made.set(server, known);
  return known;
}

const makePasts = async (server: BenchServer): Promise<Pasts> => ({
  short: await make(server, 'short_past', SHORT),
  long: await make(server, 'long_past', LONG),
});

async function make(server: BenchServer, name: string, history: History): Promise<Company> {
  const started = performance.now();
  const company = await foundCompany(await server.createDatabase(name));
  await fillHistory(company, history);
  console.log(`${history.endedRuns} ended runs are there after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  return company;
}

/** A portal of one company: a service on its database, asked over one connection. */
export interface Portal {
  ask<Data>(query: string, variables?: object): Promise<Data>;
  close(): Promise<void>;
}

/** Opens the portal of a company's CEO; `databaseUrl` is another way to the same database. */
export async function openPortal({ session, ...company }: Company, databaseUrl = company.databaseUrl): Promise<Portal> {
  const service = await startService(databaseUrl);
  const poster = new Poster(`${service.url}/graphql`, 1);
  return {
    ask: (query, variables = {}) => poster.send(session, query, variables),
    async close() {
      poster.close();
      await service.stop();
    },
  };
}
