import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { type Applied, misfit } from '../db/schema-fit.ts';
import { statement } from '../db/statement.ts';
import type { Bus } from '../events/bus.ts';

/** Whether writes are accepted. What is counted outgrows its memory and is written to the disk, so that a full one is found out. */
const probe = statement<{ readOnly: boolean }>(
  'probe',
  `WITH "little" AS MATERIALIZED (SELECT set_config('work_mem', '64kB', true) AS "set")
   SELECT current_setting('transaction_read_only') = 'on' AS "readOnly", count(*)
   FROM "little", LATERAL generate_series(1, 10000 + 0 * length("set"))`,
);

const appliedMigrations = statement<Applied>(
  'applied_migrations',
  `SELECT "migration_name" AS "name", "finished_at" IS NOT NULL AS "finished", "logs" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`,
);

const PATIENCE = 2_000;
const PERIOD = 5_000;

/** How the service is. `reason`: what keeps it from serving. */
export interface Ready {
  database: 'up' | 'down';
  bus: 'up' | 'down';
  reason?: string;
}

interface Deps {
  db: Pick<Database, 'query'>;
  bus: Pick<Bus, 'status'>;
  log: Pick<Logger, 'warn' | 'info'>;
}

/** Looks whether the parts that the service stands on serve it: when asked, and every five seconds. */
export class Readiness {
  readonly #deps: Deps;
  #looking: Promise<Pick<Ready, 'database' | 'reason'>> | undefined;
  #told: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  watch(): void {
    this.#timer = setInterval(() => void this.look(), PERIOD);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Within two seconds. However many ask at once, the database is asked once. */
  async look(): Promise<Ready> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Pick<Ready, 'database' | 'reason'>>((resolve) => {
      timer = setTimeout(() => resolve({ database: 'down', reason: 'The database does not answer.' }), PATIENCE);
    });
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = undefined;
    });
    const { database, reason } = await Promise.race([this.#looking, late]);
    clearTimeout(timer);
    this.#tell(reason);
    return { database, bus: this.#deps.bus.status(), ...(reason && { reason }) };
  }

  async #ask(): Promise<Pick<Ready, 'database' | 'reason'>> {
    const { db } = this.#deps;
    try {
      const [found] = await db.query(probe());
      if (found?.readOnly) return { database: 'up', reason: 'The database is read-only.' };
      const reason = misfit(await db.query(appliedMigrations()));
      return { database: 'up', ...(reason && { reason }) };
    } catch (error) {
      const { state, message } = error as { state?: string; message: string };
      if (state === '53100') return { database: 'up', reason: 'The disk of the database is full.' };
      return { database: 'down', reason: `The database does not answer: ${message}` };
    }
  }

  /** One line a change. */
  #tell(reason: string | undefined) {
    if (reason === this.#told) return;
    this.#told = reason;
    if (reason) this.#deps.log.warn({ reason }, 'Not ready');
    else this.#deps.log.info('Ready again');
  }
}
