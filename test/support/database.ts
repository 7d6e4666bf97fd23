import pg from 'pg';
import { inject } from 'vitest';

let made = 0;

export interface TestDatabase {
  url: string;
  /** Closes what is still connected and removes it. */
  drop(): Promise<void>;
}

async function onServer(sql: string) {
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A database of its own for a test file: an empty one with all migrations. Whatever is not dropped goes with the test run. */
export async function testDatabase(): Promise<TestDatabase> {
  const prefix = inject('databasePrefix');
  const name = `${prefix}_${process.pid}_${made++}`;
  await onServer(`CREATE DATABASE "${name}" TEMPLATE "${prefix}_template"`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`) };
}
