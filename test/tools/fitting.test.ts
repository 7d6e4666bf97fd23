import { expect, it } from 'vitest';
import { fitting } from '../../src/tools/company-state/shorten-texts.ts';

const stopped = (count: number, reason: string) => ({
  runs: Array.from({ length: count }, (_, index) => ({ runId: `run-${index}`, reason })),
  stoppedPipelines: [{ runId: 'run-0' }, { runId: `run-${count - 1}` }],
});

it('hands over what fits as it is', () => {
  const answer = stopped(10, 'No wind.');
  expect(fitting(answer)).toBe(answer);
});

it('cuts long texts before it leaves runs out', () => {
  const answer = fitting(stopped(50, 'w'.repeat(1_000)));
  expect(answer.runs).toHaveLength(50);
  expect(answer.runs[49]!.reason).toBe(`${'w'.repeat(199)}…`);
  expect(answer).not.toHaveProperty('runsLeftOut');
});

it('keeps those that stopped longest ago, and tells how many are missing', () => {
  const answer = fitting(stopped(1_000, 'w'.repeat(200))) as ReturnType<typeof stopped> & { runsLeftOut: number };
  expect(JSON.stringify(answer).length).toBeLessThanOrEqual(25_000);
  expect(answer.runs.length + answer.runsLeftOut).toBe(1_000);
  expect(answer.runs.length).toBeGreaterThan(90);
  expect([answer.runs[0]!.runId, answer.stoppedPipelines]).toEqual(['run-0', [{ runId: 'run-0' }]]);
});
