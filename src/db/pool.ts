import type { PGlite } from '@electric-sql/pglite';
import type pg from 'pg';
import { PGliteSocket } from './pglite-socket.ts';
import { JoiningPool } from './transaction.ts';

// A server in another zone would make Prisma's adapter read times hours off.
const SESSION = '-c timezone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000';

/** The pool on a Postgres. `pipeline`: statements that need no answer in between go out together. */
export const onPostgres = (url: string, max = 8) =>
  new JoiningPool({ connectionString: url, max, options: SESSION, connectionTimeoutMillis: 10_000, pipeline: true } as pg.PoolConfig);

/** The same pool on a PGlite. `idleTimeoutMillis: 0` keeps its one client; a query that waits 10 s for it fails instead of hanging. */
export const onPGlite = (database: PGlite) =>
  new JoiningPool({
    stream: () => new PGliteSocket(database) as never,
    user: 'postgres',
    database: 'postgres',
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 10_000,
    options: '-c timezone=UTC',
    pipeline: true,
  } as pg.PoolConfig);
