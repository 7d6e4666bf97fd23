import type { PGlite } from '@electric-sql/pglite';
import type pg from 'pg';
import { ServiceClient } from './client.ts';
import { PGliteSocket } from './pglite-socket.ts';
import { JoiningPool, socketOf } from './transaction.ts';

/** How long anything is waited for, in milliseconds: a connection, a turn, a lock. */
export const PATIENCE = 4_000;

/**
 * How statements are planned. A connection keeps the plan that it made when a table was small, and reading all of a small table is
 * the cheapest plan: it is the slowest once the table has grown. What is asked for here is found by an index, row by row. Without
 * these costs the planner would take our statements for so large that they are worth compiling.
 */
const PLANNING = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off', jit: 'off' };

/**
 * Of each session. A server in another zone would make Prisma's adapter read times hours off. A process that is frozen within a
 * transaction loses it, and with it its locks, before those who wait for them give up.
 */
const SETTINGS = {
  ...{ TimeZone: 'UTC', statement_timeout: 15_000, lock_timeout: PATIENCE, idle_in_transaction_session_timeout: 3_000 },
  ...PLANNING,
};

const settingOf = (settings: object, set = 'SET') =>
  Object.entries(settings)
    .map(([name, value]) => `${set} ${name} = '${value}'`)
    .join('; ');

/** The settings as a start-up parameter, and what then answers `current_setting('statement_timeout')`. */
export const SESSION = Object.entries(SETTINGS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');
export const SESSION_SIGN = '15s';

/** For a server that died without a word, in milliseconds: no statement goes on for so long. */
const MUTE = SETTINGS.statement_timeout + 5_000;

/** Whether the URL says that transactions are all that one gets of a connection: `?pgbouncer=true`. */
export const isPooled = (url: string) => new URL(url).searchParams.get('pgbouncer') === 'true';

const connecting = { connectionTimeoutMillis: PATIENCE, pipeline: true };

/** The pool on a Postgres. `pipeline`: statements that need no answer in between go out together. */
export const onPostgres = (url: string, max = 8): JoiningPool =>
  isPooled(url)
    ? new PooledPool({ ...connecting, connectionString: url, max, query_timeout: MUTE, Client: PooledClient } as pg.PoolConfig)
    : new JoiningPool({
        ...{ ...connecting, connectionString: url, max, query_timeout: MUTE, options: SESSION, Client: ServiceClient },
      } as pg.PoolConfig);

/** A connection for what may take its time: migrations. */
export const withoutHurry = (url: string) =>
  new JoiningPool({
    ...{ ...connecting, connectionString: url, max: 1, Client: ServiceClient },
    ...(!isPooled(url) && { options: '-c TimeZone=UTC' }),
  } as pg.PoolConfig);

/** The same pool on a PGlite. `idleTimeoutMillis: 0` keeps its one client; a query that waits 10 s for it fails instead of hanging. */
export const onPGlite = (database: PGlite) =>
  new JoiningPool({
    stream: () => new PGliteSocket(database, settingOf(PLANNING)) as never,
    user: 'postgres',
    database: 'postgres',
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 10_000,
    options: '-c timezone=UTC',
    pipeline: true,
    Client: ServiceClient,
  } as pg.PoolConfig);

const SET_LOCAL = settingOf(SETTINGS, 'SET LOCAL');

/** The text that begins a transaction for which so many milliseconds were waited already: for its locks it waits so much less. */
export const beginning = (pooled: boolean) => (waited: number) => {
  const left = waited > PATIENCE / 8 ? `; SET LOCAL lock_timeout = ${Math.round(Math.max(PATIENCE - waited, PATIENCE / 8))}` : '';
  return `BEGIN${pooled ? `; ${SET_LOCAL}` : ''}${left}`;
};

/** A connection whose transactions may each run in another session: no statement is kept in it, and it has no settings. */
class PooledClient extends ServiceClient {
  override async query(...args: unknown[]): Promise<never> {
    const [config, values] = args as [string | pg.QueryConfig, unknown[] | undefined];
    const { name: _, ...query } = typeof config === 'string' ? { name: '', text: config, values } : config;
    return super.query(query.text === 'BEGIN' ? { text: `BEGIN; ${SET_LOCAL}` } : query);
  }
}

class PooledPool extends JoiningPool {
  /** In a transaction, for its settings; all of it goes out in one write. */
  protected override async alone(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> {
    const socket = socketOf(client);
    socket.cork();
    const sent = [client.query('BEGIN'), client.query(query), client.query('COMMIT')] as const;
    socket.uncork();
    return (await Promise.all(sent))[1];
  }
}
