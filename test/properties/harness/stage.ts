import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { Config } from '../../../src/config.ts';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import type { Timing } from '../../../src/kernel/kernel.ts';
import { type Ledger, makeLedger } from '../../fixtures/ledger.ts';
import { hasRedisServer, RedisProcess } from '../../support/redis-process.ts';
import { type Service, startProcess } from '../../support/service.ts';
import { Control } from './control.ts';
import { makeProbe, PROBE_TABLE, type Probe } from './probe.ts';

/** The Postgres on which stages make their databases, and what the names of those begin with. */
export interface PostgresServer {
  url: string;
  prefix: string;
  /** A database with all migrations, to copy. */
  template?: string;
}

let postgres: PostgresServer | undefined;
let made = 0;

/** Names the server for every stage from now on. */
export function usePostgres(server: PostgresServer): void {
  postgres = server;
}

/** What a property wants of its stage. */
export interface StageOptions {
  processes?: number;
  timing?: Partial<Timing>;
  /** The Postgres to build it on, if not everybody's. */
  server?: PostgresServer;
}

/** One process of the service, with the way to its faults. */
export interface Node extends Service {
  control: Control;
}

/** The service as properties try it: processes on one Postgres and one Redis, and a second database for effects outside. */
export interface Stage {
  db: Database;
  url: string;
  ledger: Ledger;
  probe: Probe;
  /** Undefined where there is no `redis-server`: then the processes find each other's events by polling. */
  redis: RedisProcess | undefined;
  nodes: Node[];
  /** The URLs of its processes. */
  urls: string[];
  /** Starts one more; `databaseUrl`: by which it reaches the database, if by another way. */
  startNode(databaseUrl?: string): Promise<Node>;
  close(): Promise<void>;
}

async function onServer(url: string, sql: string) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** An empty database of its own, or a copy of the template. */
export async function makeDatabase(server = postgres, template?: string): Promise<{ url: string; drop(): Promise<void> }> {
  if (!server) throw new Error('Name a Postgres with usePostgres() first');
  const name = `${server.prefix}_stage_${process.pid}_${made++}`;
  await onServer(server.url, `CREATE DATABASE "${name}" ${template ? `TEMPLATE "${template}"` : ''}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server.url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`) };
}

/** Builds a stage; whoever opened it closes it. */
export async function openStage({ processes = 2, timing, server = postgres }: StageOptions = {}): Promise<Stage> {
  const [home, second] = [await makeDatabase(server, server?.template), await makeDatabase(server)];
  const db = await openDatabase({ url: home.url, poolSize: 4 });
  await db.query({ text: PROBE_TABLE });
  const redis = hasRedisServer() ? await RedisProcess.start() : undefined;
  const dataDir = mkdtempSync(path.join(tmpdir(), 'gatehouse-stage-'));
  const config: Partial<Config> = { databaseUrl: home.url, redisUrl: redis?.url, dataDir, rateLimit: 0, development: false };
  const additions = new URL(`./faults.ts?ledger=${encodeURIComponent(second.url)}`, import.meta.url);
  const started: Node[] = [];
  const startNode = async (databaseUrl = home.url) => {
    const service = await startProcess({ ...config, databaseUrl, ...(timing && { timing }) } as never, additions);
    const node = { ...service, control: new Control(service) };
    started.push(node);
    return node;
  };
  const [ledger, probe] = [makeLedger(second.url), makeProbe(second.url)];
  const stage: Stage = {
    ...{ db, url: home.url, ledger, probe, redis, startNode },
    nodes: [],
    get urls() {
      return this.nodes.map(({ url }) => url);
    },
    async close() {
      for (const node of started) node.kill('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
      await Promise.all([ledger.close(), probe.close(), db.close(), redis?.stop()]);
      await Promise.all([home.drop(), second.drop()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  stage.nodes = await Promise.all(Array.from({ length: processes }, () => startNode()));
  return stage;
}

let shared: Promise<Stage> | undefined;

/** The stage of all properties that neither kill a process nor want other timings: each has an enterprise of its own on it. */
export const sharedStage = (): Promise<Stage> => (shared ??= openStage());

/** Closes the shared stage, if one was opened. */
export async function closeSharedStage(): Promise<void> {
  const stage = shared;
  shared = undefined;
  await (await stage)?.close();
}

/** Runs a trial on a stage of its own. */
export async function onStage<T>(options: StageOptions, trial: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = await openStage(options);
  try {
    return await trial(stage);
  } finally {
    await stage.close();
  }
}
