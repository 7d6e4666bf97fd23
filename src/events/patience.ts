import { ToolError } from '../kernel/errors.ts';

/** The codes of what is no answer to the caller: the service failed, and the same may succeed later. */
const FAILURES: readonly unknown[] = ['INTERNAL', 'service_unavailable', 'service_busy'];

export const isFailureCode = (code: unknown): boolean => FAILURES.includes(code);

/** Whether an error is a failure of the service. */
export const isFailure = (error: unknown): boolean => !(error instanceof ToolError) || isFailureCode(error.code);

/** How long to wait before what failed is tried again: little at first, then up to a second, for so many milliseconds in all. */
export class Patience {
  readonly #most: number;
  #since: number | undefined;
  #failures = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The next wait in milliseconds, or undefined: it has failed for too long. */
  wait(): number | undefined {
    this.#since ??= performance.now();
    if (performance.now() - this.#since >= this.#most) return undefined;
    return Math.min(25 * 2 ** this.#failures++, 1_000);
  }

  /** It succeeded. */
  renew() {
    this.#since = undefined;
    this.#failures = 0;
  }
}
