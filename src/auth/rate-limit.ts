import { ToolError } from '../kernel/errors.ts';

const WINDOW = 10_000;

/** What is counted apart, and how often the limit it may happen: streams that are subscribed anew together take nothing from acting. */
const SHARES = { operations: 1, subscriptions: 4 };

export type Counted = keyof typeof SHARES;

interface Window {
  startedAt: number;
  requests: number;
}

/** Counts the requests of each credential in windows of ten seconds, in this process: subscriptions apart from the rest. */
export class RateLimiter {
  #windows = new Map<string, Window>();
  #clearedAt = 0;

  /** `limit` requests a window, and four times as many subscriptions; 0 lets everything pass. */
  constructor(
    readonly limit: number,
    readonly now: () => Date,
  ) {}

  /**
   * Counts one request of this credential.
   * @throws {ToolError} `rate_limited` with `retryAfterSeconds`, the whole seconds until its window ends
   */
  take(tokenId: string, counted: Counted = 'operations'): void {
    if (this.limit === 0) return;
    const [key, allowed] = [`${counted} ${tokenId}`, this.limit * SHARES[counted]];
    const now = this.now().getTime();
    this.#forget(now);
    const known = this.#windows.get(key);
    const window = known && now - known.startedAt < WINDOW ? known : { startedAt: now, requests: 0 };
    if (window.requests >= allowed) throw limited(allowed, counted, window.startedAt + WINDOW - now);
    window.requests++;
    this.#windows.set(key, window);
  }

  /** Once a window drops those that ended, so that memory holds the credentials of the last two windows at most. */
  #forget(now: number) {
    if (now - this.#clearedAt < WINDOW) return;
    this.#clearedAt = now;
    for (const [key, { startedAt }] of this.#windows) {
      if (now - startedAt >= WINDOW) this.#windows.delete(key);
    }
  }
}

const SENT: Record<Counted, string> = { operations: 'requests', subscriptions: 'subscriptions' };

function limited(limit: number, counted: Counted, milliseconds: number) {
  const retryAfterSeconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return new ToolError(
    'rate_limited',
    `This credential sent more than ${limit} ${SENT[counted]} in ten seconds: try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}
