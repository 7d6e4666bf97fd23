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

const selectElsewhere = statement<{ enterpriseId: string; ahead: boolean }, [enterpriseIds: string[], numbers: number[]]>(
  'select_elsewhere',
  `SELECT c."enterpriseId", c."last" > known."last" AS "ahead" FROM "EventCounter" c
   JOIN unnest($1::uuid[], $2::bigint[]) AS known("enterpriseId", "last") ON known."enterpriseId" = c."enterpriseId"
   WHERE c."last" <> known."last"`,
);

/** Which of these enterprises do not stand at the number that is known of each, and whether ahead of it. One statement, however many. */
export const enterprisesElsewhere = (db: Queryable, known: Map<string, number>): Promise<{ enterpriseId: string; ahead: boolean }[]> =>
  db.query(selectElsewhere([...known.keys()], [...known.values()]));
