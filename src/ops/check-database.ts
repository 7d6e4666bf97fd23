import pg from 'pg';
import { isPooled, SESSION, SESSION_SIGN } from '../db/pool.ts';
import { StartError } from './start-error.ts';

const OLDEST = 150_000;

/** What PgBouncer says of a start-up parameter that it was not told to ignore. */
const REFUSED = /unsupported startup parameter/i;

const POOLER =
  'it stands behind a pooler that keeps no settings of a session: add ?pgbouncer=true to DATABASE_URL (&pgbouncer=true behind a ?), or name the server itself';

/**
 * Connects once, to tell a wrong DATABASE_URL from everything that can fail later.
 * @throws {StartError} when the server does not answer, refuses the connection, is older than Postgres 15, or stands behind a
 *   pooler and the URL does not say so
 */
export async function checkDatabase(url: string): Promise<void> {
  const options = isPooled(url) ? undefined : SESSION;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, ...(options && { options }) });
  client.on('error', () => {}); // a connection that breaks fails the query
  try {
    await client.connect();
    const { rows } = await client.query(
      `SELECT current_setting('server_version_num') AS "version", current_setting('statement_timeout') AS "sign"`,
    );
    const version = Number(rows[0].version);
    if (version < OLDEST) throw new Error(`it is Postgres ${Math.floor(version / 10_000)}, and 15 or newer is needed`);
    if (options && rows[0].sign !== SESSION_SIGN) throw new Error(POOLER);
  } catch (error) {
    const why = reason(error);
    throw new StartError(`The database of DATABASE_URL (${place(url)}) cannot be used: ${REFUSED.test(why) ? POOLER : why}`);
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
