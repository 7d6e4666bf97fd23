import { parseValue } from 'graphql';
import { expect, it } from 'vitest';
import { jsonOfLiteral, parseDateTime, parseSafeInt } from '../../src/graphql/scalars.ts';

it.each([
  ['2030-02-04T09:00:00.000Z', '2030-02-04T09:00:00.000Z'],
  ['2030-02-04T09:00Z', '2030-02-04T09:00:00.000Z'],
  ['2030-02-04T09:00:00.123456+02:00', '2030-02-04T07:00:00.123Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
])('reads the time %s', (text, utc) => {
  expect(parseDateTime(text).toISOString()).toBe(utc);
});

it.each(['2030-02-04', '2030-02-04T09:00:00', '2030-02-30T09:00:00Z', '2030-13-01T09:00:00Z', '2030-02-04T24:00:00Z', '', 'now', 0, null])(
  'refuses %j as a time',
  (value) => {
    expect(() => parseDateTime(value)).toThrow(/^DateTime: .* is not ISO 8601 with a zone/);
  },
);

it.each([
  '0000-06-01T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00+00:01',
  '9999-01-01T00:00:00Z',
  '9998-12-31T23:59:59-00:01',
  '9999-12-31T23:59:59-12:00',
])('refuses %s, which does not lie within the years that are taken', (text) => {
  expect(() => parseDateTime(text)).toThrow('does not lie within the years 1970–9998, in UTC');
});

it.each(['1970-01-01T00:00:00Z', '1969-12-31T23:59:59-00:01', '9998-12-31T23:59:59.999Z', '9999-01-01T00:00:00+00:01'])(
  'takes %s',
  (text) => {
    expect(parseDateTime(text).getTime()).toBe(Date.parse(text));
  },
);

it.each([0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])('takes %d as a SafeInt', (value) => {
  expect(parseSafeInt(value)).toBe(value);
});

it.each([2 ** 53, -(2 ** 53), 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null])('refuses %j as a SafeInt', (value) => {
  expect(() => parseSafeInt(value)).toThrow('is not an integer within');
});

it('reads literals of JSON, variables in them too', () => {
  const literal = parseValue('{a: [1, 2.5, null, "x", true, ENUM], b: {c: $given}, d: $missing}');
  expect(jsonOfLiteral(literal, { given: { deep: 1 } })).toEqual({ a: [1, 2.5, null, 'x', true, 'ENUM'], b: { c: { deep: 1 } } });
});

it('keeps __proto__ as a key of the object itself, for the guard to find', () => {
  const value = jsonOfLiteral(parseValue('{__proto__: {polluted: true}}')) as object;
  expect(Object.getOwnPropertyNames(value)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
