import { type Line, median, milliseconds } from './report.ts';

const ROUNDS = 15;
const WARM_UPS = 3;
const REQUESTS = 20;

/** Something that is timed. */
export interface Contender {
  what: string;
  /** Does it once, and throws when the outcome is not what it must be. */
  once(): Promise<void>;
}

/** Times two in turns, and holds the second to at most so many times the first: the median of the rounds' ratios. */
export async function compareTimes(first: Contender, second: Contender, most: number): Promise<Line[]> {
  const all: [number[], number[]] = [[], []];
  const ratios: number[] = [];
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    const times = [await timesOf(first), await timesOf(second)] as const;
    if (round < 0) continue;
    all[0].push(...times[0]);
    all[1].push(...times[1]);
    ratios.push(median(times[1]) / median(times[0]));
  }
  const ratio = median(ratios);
  return [
    { what: first.what, figure: milliseconds(median(all[0])) },
    { what: second.what, figure: milliseconds(median(all[1])) },
    { what: '  ratio, median of the rounds', figure: ratio.toFixed(2), target: `≤ ${most}`, passed: ratio <= most },
  ];
}

async function timesOf({ once }: Contender): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    const started = performance.now();
    await once();
    times.push(performance.now() - started);
  }
  return times;
}
