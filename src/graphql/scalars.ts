import { GraphQLError, Kind, type ValueNode } from 'graphql';
import { FIRST_YEAR, isTakenTime, LAST_YEAR } from '../kernel/times.ts';

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

const bad = (message: string) => new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });

/** Reads a time as the API takes it: ISO 8601 with a zone, within the years 1970–9998 in UTC. */
export function parseDateTime(value: unknown): Date {
  const match = typeof value === 'string' ? DATE_TIME.exec(value) : null;
  const date = match && new Date(value as string);
  const isDay = match && new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]))).getUTCDate() === Number(match[3]);
  const shown = JSON.stringify(value)?.slice(0, 100);
  if (date && isDay && !Number.isNaN(date.getTime())) {
    if (isTakenTime(date)) return date;
    throw bad(`DateTime: ${shown} does not lie within the years ${FIRST_YEAR}–${LAST_YEAR}, in UTC.`);
  }
  throw bad(`DateTime: ${shown} is not ISO 8601 with a zone, such as "2026-01-31T09:30:00.000Z".`);
}

export function parseSafeInt(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw bad(`SafeInt: ${(JSON.stringify(value) ?? String(value)).slice(0, 100)} is not an integer within ±(2^53−1).`);
}

/** The value of a literal of type JSON. A key is always the object's own, `__proto__` too. */
export function jsonOfLiteral(node: ValueNode, variables?: Record<string, unknown> | null): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.BOOLEAN:
    case Kind.STRING:
    case Kind.ENUM:
      return node.value;
    case Kind.VARIABLE:
      return variables?.[node.name.value];
    case Kind.LIST:
      return node.values.map((value) => jsonOfLiteral(value, variables) ?? null);
    case Kind.OBJECT: {
      const object = {};
      for (const { name, value: field } of node.fields) {
        const value = jsonOfLiteral(field, variables);
        if (value !== undefined) Object.defineProperty(object, name.value, { value, enumerable: true, configurable: true, writable: true });
      }
      return object;
    }
  }
}
