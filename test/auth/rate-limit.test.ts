import { expect, test } from 'vitest';
import { RateLimiter } from '../../src/auth/rate-limit.ts';
import type { ToolError } from '../../src/kernel/errors.ts';

function limiter(limit: number) {
  let time = 1_000_000;
  const limited = new RateLimiter(limit, () => new Date(time));
  const taken = (tokenId: string) => {
    try {
      limited.take(tokenId);
      return 'taken';
    } catch (error) {
      const { code, details } = error as ToolError;
      return [code, details];
    }
  };
  return {
    taken,
    limited,
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

test('500 pass, the next is refused until the window ends', () => {
  const { taken, wait } = limiter(500);
  for (let request = 0; request < 500; request++) expect(taken('a')).toBe('taken');
  expect(taken('a')).toEqual(['rate_limited', { retryAfterSeconds: 10 }]);
  wait(9_001);
  expect(taken('a')).toEqual(['rate_limited', { retryAfterSeconds: 1 }]);
  wait(998);
  expect(taken('a')).toEqual(['rate_limited', { retryAfterSeconds: 1 }]);
  wait(1);
  expect(taken('a')).toBe('taken');
});

test('each credential has its own count', () => {
  const { taken } = limiter(1);
  expect([taken('a'), taken('b'), taken('a')]).toEqual(['taken', 'taken', ['rate_limited', { retryAfterSeconds: 10 }]]);
});

test('0: no limit', () => {
  const { taken } = limiter(0);
  expect(new Set(Array.from({ length: 2_000 }, () => taken('a')))).toEqual(new Set(['taken']));
});

test('the message says how much is allowed and when to come back', () => {
  const { limited } = limiter(2);
  limited.take('a');
  limited.take('a');
  expect(() => limited.take('a')).toThrow('This credential sent more than 2 requests in ten seconds: try again in 10 s.');
});

test('subscriptions are counted apart, four times as many', () => {
  const { limited } = limiter(2);
  for (let n = 0; n < 8; n++) limited.take('a', 'subscriptions');
  limited.take('a');
  limited.take('a');
  expect(() => limited.take('a', 'subscriptions')).toThrow(
    'This credential sent more than 8 subscriptions in ten seconds: try again in 10 s.',
  );
});
