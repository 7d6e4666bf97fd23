import { isDeepStrictEqual } from 'node:util';

/** How large a trial is, and the seed that repeats it. */
export interface Asked {
  size: number;
  seed: number;
  /** Whether absolute times count: only where the machine is free. Otherwise they are told, not judged. */
  timed?: boolean;
}

/** One line of the report. */
export interface Result {
  property: string;
  seed: number;
  size: number;
  result: string;
  target: string;
  holds: boolean;
}

/** A property as a file of this folder exports it. */
export interface Property {
  name: string;
  /** In a sentence, for the name of its test. */
  claim: string;
  /** `small`: within `npm test`; `full`: as the property says. */
  sizes: { small: number; full: number };
  /** It cannot be tried without a Redis of its own. */
  needsRedis?: boolean;
  /** It cannot be tried without a browser. */
  needsChromium?: boolean;
  run(asked: Asked): Promise<Result>;
}

/** Counts what contradicts a property, and keeps the first example of each kind. */
export class Findings {
  readonly #broken = new Map<string, { count: number; example: string }>();
  checked = 0;

  check(holds: boolean, what: string, example: unknown = ''): void {
    this.checked++;
    if (holds) return;
    const known = this.#broken.get(what);
    if (known) known.count++;
    else this.#broken.set(what, { count: 1, example: typeof example === 'string' ? example : JSON.stringify(example) });
  }

  same(actual: unknown, expected: unknown, what: string): void {
    this.check(isDeepStrictEqual(actual, expected), what, differenceOf(actual, expected));
  }

  get holds() {
    return this.#broken.size === 0;
  }

  /** The line of the property: what was found, and what contradicts it. */
  result(property: string, { seed, size }: Asked, target: string, found: string): Result {
    const broken = [...this.#broken].map(([what, { count, example }]) => `${what} (${count}x; ${example.slice(0, 600)})`);
    const result = this.holds ? found : `${found}; BROKEN: ${broken.join('; ')}`;
    return { property, seed, size, result, target, holds: this.holds };
  }
}

/** The value below which a share of the numbers lies. */
export function percentile(numbers: number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Of two long lists what stands around the first place at which they differ. */
function differenceOf(actual: unknown, expected: unknown): unknown {
  if (!Array.isArray(actual) || !Array.isArray(expected)) return { actual, expected };
  const place = expected.findIndex((item, index) => !isDeepStrictEqual(item, actual[index]));
  const from = Math.max(0, (place < 0 ? expected.length : place) - 2);
  const around = (list: unknown[]) => list.slice(from, from + 8);
  return { from, lengths: [actual.length, expected.length], actual: around(actual), expected: around(expected) };
}
