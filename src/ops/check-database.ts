import pg from 'pg';
import { StartError } from './start-error.ts';

const OLDEST = 150_000;

/**
 * Connects once, to tell a wrong DATABASE_URL from everything that can fail later.
 * @throws {StartError} when the server does not answer, refuses the connection, or is older than Postgres 15
 */
export async function checkDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // a connection that breaks fails the query
  try {
    await client.connect();
    const { rows } = await client.query('SHOW server_version_num');
    const version = Number(rows[0].server_version_num);
    if (version < OLDEST) throw new Error(`it is Postgres ${Math.floor(version / 10_000)}, and 15 or newer is needed`);
  } catch (error) {
    throw new StartError(`The database of DATABASE_URL (${place(url)}) cannot be used: ${reason(error)}`);
  } finally {
    await client.end().catch(() => {});
  }
}

const place = (url: string) => {
  const { host, pathname } = new URL(url);
  return host + pathname;
};

/** A host with several addresses fails with one error for each, and no message of its own. */
function reason(error: unknown): string {
  const { message, errors } = error as Error & { errors?: Error[] };
  return message || (errors ?? []).map((each) => each.message).join(', ') || String(error);
}
