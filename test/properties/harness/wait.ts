/**
 * Looks again and again until there is something to see.
 * @throws when nothing shows within the time, which is an upper bound and no pause
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  within = 60_000,
): Promise<T> {
  const deadline = performance.now() + within;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > deadline) throw new Error(`Within ${within} ms there was no ${what}`);
    await passing(10);
  }
}

/** Resolves after these milliseconds: between two looks, and where a property is about time itself. */
export const passing = (milliseconds: number) => new Promise<void>((resolve) => void setTimeout(resolve, milliseconds));

/** The promise, or an error when it takes longer than its upper bound. */
export async function inTime<T>(what: string, promise: Promise<T>, within = 60_000): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Within ${within} ms there was no ${what}`)), within);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Does the work for each item, at most `limit` at once. Answers in the order of the items. */
export async function inFlight<T, R>(limit: number, items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index]!, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}

/** The numbers from 0 to `count` - 1. */
export const range = (count: number) => Array.from({ length: count }, (_, index) => index);
