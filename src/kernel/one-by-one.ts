import { DatabaseTrouble } from '../db/trouble.ts';
import type { Kernel } from './kernel.ts';

/** A failure that took so many milliseconds was a wait in vain; so many of one enterprise are enough. */
const SLOW = 500;
const MOST_SLOW = 3;

/**
 * What a job of the sweep does with many rows: one after another, each by itself. A row whose work fails is passed over and tried
 * again after `timing.sweepRetry`; one whose work takes longer than `timing.sweepPatience` is let go on alone, and is passed over
 * meanwhile. So nothing that ails one row keeps the job from those behind it.
 */
export class OneByOne {
  /** Until when a row is passed over, in milliseconds since 1970. */
  readonly #until = new Map<string, number>();

  constructor(
    readonly kernel: Kernel,
    readonly job: string,
  ) {}

  /** The ids, of rows and of enterprises, that a job leaves out when it looks for rows. */
  passedOver(): string[] {
    const now = this.kernel.now().getTime();
    for (const [id, until] of this.#until) if (until <= now) this.#until.delete(id);
    return [...this.#until.keys()];
  }

  /**
   * Does the work for each row. Where several of one enterprise are waited for in vain its others are passed over too: what is locked
   * may be all of it. Failures are logged, one line for all of these rows.
   */
  async each<Row extends { enterpriseId: string }>(rows: Row[], idOf: (row: Row) => string, work: (row: Row) => Promise<unknown>) {
    const failures: { id: string; error: unknown }[] = [];
    const slow = new Map<string, number>();
    for (const row of rows) {
      const { enterpriseId } = row;
      if ((slow.get(enterpriseId) ?? 0) >= MOST_SLOW) continue;
      const id = idOf(row);
      const begun = performance.now();
      await this.#patiently(id, work(row)).catch((error: unknown) => {
        failures.push({ id, error });
        if (performance.now() - begun > SLOW) slow.set(enterpriseId, (slow.get(enterpriseId) ?? 0) + 1);
      });
      if (slow.get(enterpriseId) === MOST_SLOW) this.#until.set(enterpriseId, this.#retryAt());
    }
    if (failures.length === 0) return;
    const ids = failures.slice(0, 10).map(({ id }) => id);
    this.kernel.log.error({ err: failures[0]!.error, job: this.job, ids, failed: failures.length }, 'rows were passed over for a while');
  }

  #retryAt() {
    return this.kernel.now().getTime() + this.kernel.timing.sweepRetry;
  }

  async #patiently(id: string, work: Promise<unknown>): Promise<void> {
    this.#until.set(id, Number.POSITIVE_INFINITY);
    const done = work.then(
      () => void this.#until.delete(id),
      (error) => {
        const ailing = !(error instanceof DatabaseTrouble && error.kind === 'away'); // which ails no row more than another
        this.#until.set(id, ailing ? this.#retryAt() : 0);
        throw error;
      },
    );
    await within(this.kernel.timing.sweepPatience, done);
  }
}

/** Waits for a promise, but no longer than so many milliseconds: then it goes on alone. Its own rejection is passed on. */
export async function within(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It was not done within ${milliseconds} ms, and goes on alone`)), milliseconds);
  });
  promise.catch(() => {}); // what comes too late concerns nobody
  await Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

const jobs = new WeakMap<Kernel, Map<string, OneByOne>>();

/** The rows of a job of this process: what is passed over is remembered from one round to the next. */
export function oneByOne(kernel: Kernel, job: string): OneByOne {
  const known = jobs.get(kernel) ?? new Map<string, OneByOne>();
  jobs.set(kernel, known);
  const found = known.get(job) ?? new OneByOne(kernel, job);
  known.set(job, found);
  return found;
}
