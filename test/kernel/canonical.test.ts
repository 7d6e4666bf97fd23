import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../src/kernel/canonical.ts';

const reference = canonicalize as unknown as (value: unknown) => string;

it.each([
  ['{"10":1,"9":2,"a":{"a":{},"b":[]}}', { 9: 2, 10: 1, a: { b: [], a: {} } }],
  ['{"\\r":1,"1":2,"ö":3,"€":4,"😀":5,"\ufb33":6}', { '€': 4, '\r': 1, '\ufb33': 6, 1: 2, '😀': 5, ö: 3 }],
  ['[1e+21,1e-7,0,0.1,333333333.3333333]', [1e21, 1e-7, -0, 0.1, 333333333.3333333]],
  ['{"at":"2030-01-01T00:00:00.000Z"}', { at: new Date('2030-01-01T00:00:00Z'), left: undefined }],
])('writes %s', (text, value) => {
  expect(canonicalJson(value)).toBe(text);
});

it('writes what the reference implementation writes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' }), (value) => {
      expect(canonicalJson(value)).toBe(reference(value));
    }),
    { numRuns: 2_000 },
  );
});
