import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import { expect, it } from 'vitest';
import { type PatchOperation, patchOf } from '../../src/kernel/json-patch.ts';

const range = (length: number) => Array.from({ length }, (_, index) => index);
const texts = (length: number) => range(length).map((index) => `item ${index}`);

function applied(from: unknown, patch: PatchOperation[]): unknown {
  const document = { root: structuredClone(from) }; // the library cannot replace a root
  const rooted = patch.map((operation) => ({ ...operation, path: `/root${operation.path}` }));
  expect(applyPatch(document, rooted)).toEqual(rooted.map(() => null));
  return document.root;
}

// The library that applies the patches steps over these keys.
const key = fc
  .oneof(fc.constantFrom('a', 'b', '', '~', '/', '~1', '0', '-'), fc.string())
  .filter((text) => !(text in {}) && text !== 'prototype');
const scalar = fc.oneof(
  fc.constantFrom(null, true, 0, 1, '', 'a', '1', '[', '{'),
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number || 0), // JSON writes -0 as 0
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    scalar,
    fc.array(tie('json'), { maxLength: 8 }),
    fc.dictionary(key, tie('json'), { maxKeys: 5 }),
  ),
}));

it('makes the second of the first, whatever they are', () => {
  fc.assert(
    fc.property(json, json, (from, to) => {
      expect(applied(from, patchOf(from, to))).toEqual(to);
    }),
    { numRuns: 1_000 },
  );
});

it('makes the second of the first where lists share their items, long enough to be replaced whole or not', () => {
  const items = fc.array(fc.oneof(fc.nat(6), fc.record({ n: fc.nat(3), long: fc.constant('x'.repeat(100)) })), { maxLength: 120 });
  fc.assert(
    fc.property(items, items, (from, to) => {
      const patch = patchOf({ a: [from] }, { a: [to] });
      expect(applied({ a: [from] }, patch)).toEqual({ a: [to] });
      expect(JSON.stringify(patch).length).toBeLessThan(JSON.stringify(to).length + 2_500);
    }),
    { numRuns: 500 },
  );
});

it.each<[string, unknown, unknown, PatchOperation[]]>([
  ['equal, though their fields stand in another order', { a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 }, []],
  ['a number and its text', 1, '1', [{ op: 'replace', path: '', value: '1' }]],
  ['a list and what tells of it', ['0'], '[0', [{ op: 'replace', path: '', value: '[0' }]],
  ['keys with the signs of pointers', { 'a/b': { '~': 1 } }, { 'a/b': { '~': 2 } }, [{ op: 'replace', path: '/a~1b/~0', value: 2 }]],
  ['a key of the prototype', { constructor: 1 }, { constructor: 2 }, [{ op: 'replace', path: '/constructor', value: 2 }]],
  [
    'a field gone, one new',
    { a: 1, b: 2 },
    { b: 2, c: 3 },
    [
      { op: 'remove', path: '/a' },
      { op: 'add', path: '/c', value: 3 },
    ],
  ],
  [
    'an item put in and one changed far behind',
    [...range(9)],
    [7, 0, 1, 2, 3, 4, 5, 6, 70, 8],
    [
      { op: 'add', path: '/0', value: 7 },
      { op: 'replace', path: '/8', value: 70 },
    ],
  ],
  [
    'an item moved to the end',
    [0, 1, 2, 3],
    [1, 2, 3, 0],
    [
      { op: 'remove', path: '/0' },
      { op: 'add', path: '/-', value: 0 },
    ],
  ],
  [
    'one field of one item',
    [
      { a: 1, b: 1 },
      { a: 2, b: 2 },
    ],
    [
      { a: 1, b: 1 },
      { a: 2, b: 3 },
    ],
    [{ op: 'replace', path: '/1/b', value: 3 }],
  ],
])('%s', (_, from, to, patch) => expect(patchOf(from, to)).toEqual(patch));

it.each([
  ['the first', 0],
  ['the middle', 650],
  ['the last', 1_299],
])('one item of 1,300 changed is one operation: %s', (_, index) => {
  const [from, to] = [texts(1_300), texts(1_300).with(index, 'changed')];
  expect(patchOf(from, to)).toEqual([{ op: 'replace', path: `/${index}`, value: 'changed' }]);
  expect(patchOf(from, from.toSpliced(index, 1))).toEqual([{ op: 'remove', path: `/${index}` }]);
  expect(patchOf(from.toSpliced(index, 1), from)).toEqual([{ op: 'add', path: index === 1_299 ? '/-' : `/${index}`, value: from[index] }]);
});

it('a part whose patch would be longer than itself is replaced whole', () => {
  const [from, to] = [range(1_300), range(1_300).map((number) => number + 5_000)];
  expect(patchOf({ a: from, b: 1 }, { a: to, b: 2 })).toEqual([
    { op: 'replace', path: '/a', value: to },
    { op: 'replace', path: '/b', value: 2 },
  ]);
  const under = (value: unknown) => ({ ['a long key '.repeat(300)]: value });
  const before = texts(300).map((text) => `${text}, described at some length`);
  const changed = before.map((text, index) => (index % 3 ? text : `changed ${text}`));
  expect(patchOf(before, changed)).toHaveLength(100);
  expect(patchOf(under(before), under(changed))).toEqual([{ op: 'replace', path: '', value: under(changed) }]);
});

const timeOf = (work: () => unknown) => {
  const times = range(3).map(() => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
};

it.each<[string, (length: number) => unknown, (length: number) => unknown]>([
  ['the last item changed', texts, (length) => texts(length).with(-1, 'changed')],
  ['all turned round', texts, (length) => texts(length).reverse()],
  ['all others', texts, (length) => texts(length).map((text) => `${text}!`)],
  ['every second gone', texts, (length) => texts(length).filter((_, index) => index % 2)],
  ['all alike, fewer', (length) => Array(length).fill('x'), (length) => ['y', ...Array(length / 2).fill('x'), 'z']],
  [
    'objects, a field of each changed',
    (length) => range(length).map((a) => ({ a, b: 'some words that stay' })),
    (length) => range(length).map((a) => ({ a: -a - 1, b: 'some words that stay' })),
  ],
])('20,000 items take about as long as carrying them takes: %s', (_, before, after) => {
  const [from, to] = [before(20_000), after(20_000)];
  const carried = timeOf(() => JSON.parse(JSON.stringify([from, to])));
  expect(timeOf(() => patchOf(from, to)) / carried).toBeLessThan(60); // a pass over each pair of items: hundreds
});
