import { expect, it } from 'vitest';
import { gathered } from '../../src/db/gather.ts';

it('looks up together what is asked for in one turn, at most so many at a time', async () => {
  const loads: string[][] = [];
  const find = gathered(2, async (keys) => {
    loads.push(keys);
    return new Map(keys.filter((key) => key !== 'nobody').map((key) => [key, key.toUpperCase()]));
  });
  expect(await Promise.all(['a', 'a', 'b', 'nobody'].map(find))).toEqual(['A', 'A', 'B', undefined]);
  expect(await find('a')).toBe('A');
  expect(loads).toEqual([['a', 'b'], ['nobody'], ['a']]);
});

it('fails whoever asked together, and nobody later', async () => {
  let broken = true;
  const find = gathered(8, async (keys) => {
    if (broken) throw new Error('away');
    return new Map(keys.map((key) => [key, key]));
  });
  const ends = await Promise.allSettled([find('a'), find('b')]);
  expect(ends.map((end) => end.status === 'rejected' && end.reason.message)).toEqual(['away', 'away']);
  broken = false;
  expect(await find('a')).toBe('a');
});
