import pino from 'pino';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { RedisBus } from '../../../src/events/redis-bus.ts';
import type { Company } from './company.ts';
import type { Stage } from './stage.ts';
import { eventually } from './wait.ts';

/**
 * Writes events as a process of the service does, many in one transaction, and rings the bell of the others: for trials
 * that need more events than calls would make in their time. Needs the stage's Redis.
 */
export class Flood {
  readonly #db: Database;
  readonly #bus: RedisBus;

  private constructor(db: Database, bus: RedisBus) {
    this.#db = db;
    this.#bus = bus;
  }

  static async open(stage: Stage): Promise<Flood> {
    const db = await openDatabase({ url: stage.url, poolSize: 2 });
    const bus = new RedisBus({ url: stage.redis!.url, timing: { redisPing: 5_000 }, log: pino({ level: 'silent' }) });
    db.onEvents = (events) => bus.publish(events);
    await eventually('bus of the flood', () => bus.status() === 'up');
    return new Flood(db, bus);
  }

  /** `count` events about a run, in one transaction. */
  async write({ enterpriseId }: Company, runId: string, count: number): Promise<void> {
    await this.#db.transaction(async (tx) => {
      for (let left = count; left > 0; left--) tx.emit({ enterpriseId, topic: 'RUN', kind: 'LABELLED', runId });
    });
  }

  async close(): Promise<void> {
    await this.#bus.close();
    await this.#db.close();
  }
}
