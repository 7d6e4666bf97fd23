import type { Queryable } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { ToolError } from '../kernel/errors.ts';

/** Where an enterprise's events stand: the last number, and the least cursor that nothing kept is missing after. */
export interface Bounds {
  last: number;
  oldest: number;
}

const selectBounds = statement<Bounds, [enterpriseId: string]>(
  'event_bounds',
  `SELECT c."last"::float8 AS "last",
     coalesce((SELECT min(e."number") FROM "Event" e WHERE e."enterpriseId" = $1) - 1, c."last")::float8 AS "oldest"
   FROM "EventCounter" c WHERE c."enterpriseId" = $1`,
);

const selectLast = statement<{ last: number }, [enterpriseId: string]>(
  'event_last',
  `SELECT "last"::float8 AS "last" FROM "EventCounter" WHERE "enterpriseId" = $1`,
);

/** The bounds of an enterprise; an enterprise without events stands at 0. */
export async function eventBounds(db: Queryable, enterpriseId: string): Promise<Bounds> {
  const [bounds] = await db.query(selectBounds(enterpriseId));
  return bounds ?? { last: 0, oldest: 0 };
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
  return printCursor(await lastNumber(db, enterpriseId));
}

/** A cursor is the decimal number of an event. */
export const printCursor = (number: number) => String(number);

/** @throws {ToolError} `invalid_arguments` when the text is no cursor */
export function parseCursor(text: string): number {
  const number = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw badCursor(`${JSON.stringify(text.slice(0, 100))} is no event cursor: send one that this service gave, such as "42"`);
}

/** The error of a cursor that cannot have come from the enterprise's events. */
export const badCursor = (message: string) => new ToolError('invalid_arguments', message, { issues: [{ path: 'after', message }] });

/** The error of a cursor behind which events were pruned. */
export const cursorExpired = (after: number, oldest: number) =>
  new ToolError('cursor_expired', `The events after ${after} are no longer kept: load anew, then subscribe after ${oldest} or later.`, {
    oldest: printCursor(oldest),
  });
