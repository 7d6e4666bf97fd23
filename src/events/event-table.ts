import type { Queryable } from '../db/database.ts';
import type { EventRow } from '../db/event-row.ts';
import { statement } from '../db/statement.ts';

/** The most events that are read at once. */
export const PAGE = 500;

const selectEvents = statement<EventRow, [enterpriseId: string, after: number, limit: number]>(
  'select_events',
  `SELECT "enterpriseId", "number"::float8 AS "number", "at", "topic", "kind", "runId", "gateId", "callId"
   FROM "Event" WHERE "enterpriseId" = $1 AND "number" > $2::bigint ORDER BY "number" LIMIT $3`,
);

/** The events of an enterprise after a number, in order, `limit` (at most `PAGE`) of them. */
export const eventsAfter = (db: Queryable, enterpriseId: string, after: number, limit = PAGE): Promise<EventRow[]> =>
  db.query(selectEvents(enterpriseId, after, Math.min(limit, PAGE)));

const selectAhead = statement<{ enterpriseId: string }, [enterpriseIds: string[], numbers: number[]]>(
  'select_ahead',
  `SELECT c."enterpriseId" FROM "EventCounter" c
   JOIN unnest($1::uuid[], $2::bigint[]) AS known("enterpriseId", "last") ON known."enterpriseId" = c."enterpriseId"
   WHERE c."last" > known."last"`,
);

/** Which of these enterprises have events after the number that is known of each. One statement, however many. */
export async function enterprisesAhead(db: Queryable, known: Map<string, number>): Promise<string[]> {
  const rows = await db.query(selectAhead([...known.keys()], [...known.values()]));
  return rows.map((row) => row.enterpriseId);
}
