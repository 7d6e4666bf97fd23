import type { Queryable } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { ToolError } from '../kernel/errors.ts';

/** A place in an enterprise's events: a number, in the epoch that the database had when it was given out. */
export interface Place {
  epoch: string;
  number: number;
}

/** Where an enterprise's events stand: the epoch, the last number, and the least cursor that nothing kept is missing after. */
export interface Bounds {
  epoch: string;
  last: number;
  oldest: number;
}

/** An enterprise without events stands at 0. */
const selectBounds = statement<Bounds, [enterpriseId: string]>(
  'event_bounds_in_epoch',
  `SELECT p."epoch", coalesce(c."last", 0)::float8 AS "last",
     coalesce((SELECT min(e."number") FROM "Event" e WHERE e."enterpriseId" = $1) - 1, c."last", 0)::float8 AS "oldest"
   FROM "EventEpoch" p LEFT JOIN "EventCounter" c ON c."enterpriseId" = $1`,
);

const selectLast = statement<{ last: number }, [enterpriseId: string]>(
  'event_last',
  `SELECT "last"::float8 AS "last" FROM "EventCounter" WHERE "enterpriseId" = $1`,
);

const selectCurrent = statement<Place, [enterpriseId: string]>(
  'event_current',
  `SELECT p."epoch", coalesce(c."last", 0)::float8 AS "number"
   FROM "EventEpoch" p LEFT JOIN "EventCounter" c ON c."enterpriseId" = $1`,
);

/** The bounds of an enterprise. */
export async function eventBounds(db: Queryable, enterpriseId: string): Promise<Bounds> {
  const [bounds] = await db.query(selectBounds(enterpriseId));
  return bounds!;
}

/** The number of the last event of an enterprise, 0 before its first. */
export async function lastNumber(db: Queryable, enterpriseId: string): Promise<number> {
  const [counter] = await db.query(selectLast(enterpriseId));
  return counter?.last ?? 0;
}

/**
 * The cursor of the last committed event of an enterprise. What is read after it includes that event, so a list read
 * beside it and a stream `after` it leave nothing out.
 */
export async function currentCursor(db: Queryable, enterpriseId: string): Promise<string> {
  const [current] = await db.query(selectCurrent(enterpriseId));
  return printCursor(current!);
}

/** A cursor is the decimal number of an event; in a database that was restored its epoch stands before it. */
export const printCursor = ({ epoch, number }: Place): string => (epoch === '' ? String(number) : `${epoch}-${number}`);

/** @throws {ToolError} `invalid_arguments` when the text is no cursor */
export function parseCursor(text: string): Place {
  const [, epoch = '', digits] = /^(?:([a-z0-9]{1,32})-)?(0|[1-9]\d{0,15})$/.exec(text) ?? [];
  const number = Number(digits);
  if (Number.isSafeInteger(number)) return { epoch, number };
  const message = `${JSON.stringify(text.slice(0, 100))} is no event cursor: send one that this service gave, such as "42"`;
  throw new ToolError('invalid_arguments', message, { issues: [{ path: 'after', message }] });
}

/**
 * Whether nothing is missing behind this place.
 * @throws {ToolError} `cursor_expired` {oldest}: events behind it were pruned, or it is from before the database was restored
 */
export function checkPlace(place: Place, bounds: Bounds): void {
  const after = printCursor(place);
  if (place.epoch !== bounds.epoch) throw fromBefore(place, bounds);
  if (place.number < bounds.oldest) throw notKept(place, bounds);
  if (place.number <= bounds.last) return;
  const last = printCursor({ epoch: bounds.epoch, number: bounds.last });
  throw expired(`The cursor ${after} is later than the last event, ${last}: the database was restored since`, bounds);
}

/** The error of a place in the events of before a restore. */
export const fromBefore = (place: Place, bounds: Bounds) =>
  expired(`The cursor ${printCursor(place)} is from before the database was restored`, bounds);

/** The error of a place behind which events were pruned. */
export const notKept = (place: Place, bounds: Bounds) => expired(`The events after ${printCursor(place)} are no longer kept`, bounds);

function expired(why: string, { epoch, oldest }: Bounds) {
  const cursor = printCursor({ epoch, number: oldest });
  return new ToolError('cursor_expired', `${why}: load anew, then subscribe after ${cursor} or later.`, { oldest: cursor });
}

const resumable = (code: string, why: string) => (cursor: string | null) =>
  new ToolError(code, `${why}: subscribe again${cursor === null ? '' : ` after ${cursor}`}.`, { cursor });

/** The errors with which the service ends a stream that may be resumed. `cursor`: of the last event that was told. */
export const RESUMABLE = {
  slow_consumer: resumable('slow_consumer', 'Events came faster than they were read'),
  service_unavailable: resumable('service_unavailable', 'Events cannot be read at present'),
};
