import type { QueryConfig } from 'pg';
import type { EventTopic } from './generated/enums.ts';
import { statement } from './statement.ts';

/** A change that the portal shows live, as the transaction that makes it announces it. */
export interface NewEvent {
  enterpriseId: string;
  topic: EventTopic;
  kind: string;
  runId?: string | null;
  gateId?: string | null;
  /** The row id of the tool call. */
  callId?: string | null;
}

/** A stored event. `number` is gapless per enterprise, in commit order. */
export interface EventRow {
  enterpriseId: string;
  number: number;
  at: Date;
  topic: EventTopic;
  kind: string;
  runId: string | null;
  gateId: string | null;
  callId: string | null;
}

type Columns = [string, Date, string[], string[], (string | null)[], (string | null)[], (string | null)[]];

const insertEvents = statement<EventRow, Columns>(
  'insert_events',
  `WITH counter AS (
     INSERT INTO "EventCounter" AS c ("enterpriseId", "last") VALUES ($1, cardinality($3::text[]))
     ON CONFLICT ("enterpriseId") DO UPDATE SET "last" = c."last" + cardinality($3::text[]) RETURNING "last"
   )
   INSERT INTO "Event" ("enterpriseId", "number", "at", "topic", "kind", "runId", "gateId", "callId")
   SELECT $1, counter."last" - cardinality($3::text[]) + e.nth, $2, e.topic::"EventTopic", e.kind, e.run, e.gate, e.call
   FROM counter, unnest($3::text[], $4::text[], $5::uuid[], $6::uuid[], $7::uuid[])
     WITH ORDINALITY AS e(topic, kind, run, gate, call, nth)
   ORDER BY e.nth
   RETURNING "enterpriseId", "number"::float8 AS "number", "at", "topic", "kind", "runId", "gateId", "callId"`,
);

/** The one statement that numbers and stores the events of a transaction, all of one enterprise. */
export function eventStatement(events: NewEvent[], at: Date): QueryConfig {
  const enterpriseId = events[0]!.enterpriseId;
  if (events.some((event) => event.enterpriseId !== enterpriseId)) {
    throw new Error('One transaction announces events of one enterprise');
  }
  return insertEvents(
    enterpriseId,
    at,
    events.map((event) => event.topic),
    events.map((event) => event.kind),
    events.map((event) => event.runId ?? null),
    events.map((event) => event.gateId ?? null),
    events.map((event) => event.callId ?? null),
  );
}
