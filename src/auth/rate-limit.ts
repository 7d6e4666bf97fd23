import { ToolError } from '../kernel/errors.ts';

const WINDOW = 10_000;

interface Window {
  startedAt: number;
  requests: number;
}

/** Counts the requests of each credential in windows of ten seconds, in this process. */
export class RateLimiter {
  #windows = new Map<string, Window>();
  #clearedAt = 0;

  /** `limit` requests a window; 0 lets everything pass. */
  constructor(
    readonly limit: number,
    readonly now: () => Date,
  ) {}

  /**
   * Counts one request of this credential.
   * @throws {ToolError} `rate_limited` with `retryAfterSeconds`, the whole seconds until its window ends
   */
  take(tokenId: string): void {
    if (this.limit === 0) return;
    const now = this.now().getTime();
    this.#forget(now);
    const known = this.#windows.get(tokenId);
    const window = known && now - known.startedAt < WINDOW ? known : { startedAt: now, requests: 0 };
    if (window.requests >= this.limit) throw limited(this.limit, window.startedAt + WINDOW - now);
    window.requests++;
    this.#windows.set(tokenId, window);
  }

  /** Once a window drops those that ended, so that memory holds the credentials of the last two windows at most. */
  #forget(now: number) {
    if (now - this.#clearedAt < WINDOW) return;
    this.#clearedAt = now;
    for (const [tokenId, { startedAt }] of this.#windows) {
      if (now - startedAt >= WINDOW) this.#windows.delete(tokenId);
    }
  }
}

function limited(limit: number, milliseconds: number) {
  const retryAfterSeconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return new ToolError(
    'rate_limited',
    `This credential sent more than ${limit} requests in ten seconds: try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}
