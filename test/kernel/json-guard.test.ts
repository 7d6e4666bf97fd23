import { expect, it } from 'vitest';
import { guardJson } from '../../src/kernel/json-guard.ts';

const REFUSAL = 'is an integer beyond ±(2^53−1), which cannot be carried exactly: send it as text';

it.each([
  '9007199254740992',
  '-9007199254740992',
  '9007199254740993',
  '8202522731445525542',
  '9007199254740993.0',
  '1e16',
  '99999999999999999999',
])('refuses the integer %s by name and place', (text) => {
  expect(guardJson(JSON.parse(`{"a":[{"id":${text}}]}`))).toEqual([{ path: 'a[0].id', message: REFUSAL }]);
});

it.each(['9007199254740991', '-9007199254740991', '1e21', '1e300', '0.1', '9007199254740991.0', '1.5e15', '-0'])(
  'takes the number %s',
  (text) => {
    expect(guardJson(JSON.parse(`{"a":[{"id":${text}}]}`))).toEqual([]);
  },
);

it('cuts paths, and tells no more than 20 issues', () => {
  const issues = guardJson({ ['k'.repeat(1_000_000)]: Array.from({ length: 1_000 }, () => '\0') });
  expect(issues).toHaveLength(20);
  expect(issues[0]!.path).toBe(`${'k'.repeat(200)}…`);
});
