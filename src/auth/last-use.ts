import type { Queryable } from '../db/database.ts';
import { statement } from '../db/statement.ts';

/** Rows are locked in the order of their ids, as any other batch that writes them does. */
const writeLastUse = statement<never, [ids: string[], times: Date[]]>(
  'write_last_use',
  `UPDATE "Token" t SET "lastUsedAt" = GREATEST(t."lastUsedAt", u.at)
   FROM (
     SELECT k."id", v.at FROM "Token" k JOIN unnest($1::uuid[], $2::timestamptz[]) AS v(id, at) ON v.id = k."id"
     ORDER BY k."id" FOR UPDATE OF k SKIP LOCKED
   ) u
   WHERE t."id" = u."id"`,
);

/** When each credential was last used: remembered here, written by a batch, never while a request waits. */
export class LastUse {
  #times = new Map<string, Date>();

  /** Remembers a use. */
  note(tokenId: string, at: Date) {
    this.#times.set(tokenId, at);
  }

  /** Writes what was noted since the last flush; when that fails, the next one writes it. */
  async flush(db: Queryable): Promise<void> {
    if (this.#times.size === 0) return;
    const times = this.#times;
    this.#times = new Map();
    try {
      await db.query(writeLastUse([...times.keys()], [...times.values()]));
    } catch (error) {
      this.#times = new Map([...times, ...this.#times]);
      throw error;
    }
  }
}
