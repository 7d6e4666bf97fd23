import { expect, it } from 'vitest';
import { checkInput, type TaskInputFieldType } from '../../../src/domain/task/input-fields.ts';

const field = (type: TaskInputFieldType, required = true, name = 'it') => ({ name, type, required, description: null });

const fits: [TaskInputFieldType, unknown[], unknown[]][] = [
  ['STRING', ['', 'a'], [1, true, {}, ['a']]],
  ['TEXT', ['a\nb'], [0, false]],
  ['INTEGER', [0, -0, 2 ** 53 - 1], [1.5, 2 ** 53, '1', true]],
  ['NUMBER', [1.5, -3], ['1.5', true, []]],
  ['BOOLEAN', [true, false], ['true', 1]],
  ['URL', ['https://a.example/', 'file:///tmp/a.git', 'ssh://git@a.example/b'], ['a.example', '', '/a', 5]],
  ['DATE_TIME', ['2030-02-04T09:00:00Z', '2030-02-04T09:00:00.000+01:00'], ['2030-02-04', '2030-02-04T09:00:00', 'today', 5]],
  ['JSON', [null, 0, 'a', [], { a: 1 }], []],
];

it.each(fits)('%s', (type, good, bad) => {
  for (const it of good) expect(checkInput([field(type)], { it })).toEqual({ missing: [], invalid: [] });
  for (const it of bad) expect(checkInput([field(type, false)], { it })).toEqual({ missing: [], invalid: ['it'] });
});

it('tells what is missing from what does not fit, and lets other keys be', () => {
  const fields = [field('STRING', true, 'a'), field('INTEGER', true, 'b'), field('URL', false, 'c'), field('JSON', true, 'd')];
  expect(checkInput(fields, { a: null, b: '1', c: null, e: 'free' })).toEqual({ missing: ['a', 'd'], invalid: ['b'] });
});

it('finds no value on the prototype', () => {
  expect(checkInput([field('JSON', true, 'toString')], {})).toEqual({ missing: ['toString'], invalid: [] });
});
