import { expect, it } from 'vitest';
import { shorten, shortenToFit } from '../../../src/kernel/shorten.ts';
import { fitList, fitSections } from '../../../src/tools/company-state/fit-rows.ts';

const rows = (count: number, reason: string) => Array.from({ length: count }, (_, index) => ({ runId: `run-${index}`, reason }));
const section = (count: number, reason: string, total = count) => ({ rows: rows(count, reason), total });
const sizeOf = (answer: unknown) => JSON.stringify(answer).length;

it('hands over what fits as it is', () => {
  const runs = rows(10, 'No wind.');
  expect(fitSections({ runs: { rows: runs, total: 10 }, tasks: section(0, '') }, { draining: false })).toEqual({
    ...{ runs, tasks: [], draining: false },
  });
  expect(fitList({ rows: runs, total: 10 })).toEqual(runs);
});

it.each([
  [10, 1_000],
  [45, 200],
  [130, 60],
])('shortens the texts of %i rows to %i characters before it leaves rows out', (count, most) => {
  const { runs, ...rest } = fitSections({ runs: section(count, '😀'.repeat(3_000)) }, {}) as any;
  expect(rest).toEqual({});
  expect(runs).toHaveLength(count);
  const last = runs[count - 1];
  expect([...last.reason].length).toBe(most);
  expect(last).toEqual({ runId: `run-${count - 1}`, reason: `${'😀'.repeat(most - 1)}…` });
});

it('keeps the first rows of each section, and counts those that are missing', () => {
  const answer = fitSections(
    { few: section(3, 'x'), many: section(400, 'w'.repeat(900), 5_000), most: section(900, 'v'.repeat(900)) },
    {},
  ) as any;
  expect(sizeOf(answer)).toBeLessThanOrEqual(25_000);
  expect(sizeOf(answer)).toBeGreaterThan(24_000);
  expect([answer.few.length, 'fewMore' in answer]).toEqual([3, false]);
  expect(answer.many.length + answer.manyMore).toBe(5_000);
  expect(answer.most.length + answer.mostMore).toBe(900);
  expect(Math.abs(answer.many.length - answer.most.length)).toBeLessThan(5);
  expect(answer.many[0]).toEqual({ runId: 'run-0', reason: `${'w'.repeat(59)}…` });
});

it('counts what is left out of a list on its last row', () => {
  const list = fitList(section(250, 'w'.repeat(900), 5_000)) as any[];
  expect(sizeOf(list)).toBeLessThanOrEqual(25_000);
  expect(list.at(-1)).toEqual({ runId: `run-${list.length - 1}`, reason: `${'w'.repeat(59)}…`, more: 5_000 - list.length });
  expect(list.slice(0, -1).some((row) => 'more' in row)).toBe(false);
});

it('leaves names whole, and counts what it leaves out of a list of texts', () => {
  const slug = 's'.repeat(64);
  expect(
    shorten({ slug, tasks: Array.from({ length: 300 }, (_, index) => `task-${index}`), on: true, at: null, rows: [{ n: 1 }] }, 60),
  ).toEqual({
    ...{ slug, tasks: ['task-0', 'task-1', 'task-2', 'task-3', 'task-4', '… 295 more'], on: true, at: null, rows: [{ n: 1 }] },
  });
});

it('shortens what a person wrote as little as it takes', () => {
  const said = (texts: string[]) => ({ ceoAnswers: texts.map((text, index) => ({ number: index + 1, text })), ceoNote: null });
  const short = said(Array.from({ length: 50 }, () => '"'.repeat(200)));
  expect(shortenToFit(short)).toBe(short);
  expect(shortenToFit(said(Array.from({ length: 50 }, () => '"'.repeat(20_000))))).toEqual(
    said(Array.from({ length: 50 }, () => `${'"'.repeat(199)}…`)),
  );
});

it('looks at no more than fits, however much there is', () => {
  const timeOf = (count: number) => {
    const given = { runs: section(count, 'w'.repeat(300)) };
    const began = performance.now();
    for (let round = 0; round < 20; round++) fitSections(given, {});
    return performance.now() - began;
  };
  timeOf(2_000);
  expect(timeOf(50_000)).toBeLessThan(10 * timeOf(2_000) + 50);
});
