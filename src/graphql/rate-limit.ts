import { type DocumentNode, getOperationAST, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RateLimiter } from '../auth/rate-limit.ts';
import { ToolError } from '../kernel/errors.ts';
import type { Arrival } from './context.ts';

/** Whether the operation that is asked for is a subscription. */
export const isSubscription = (document: unknown, operationName: string | undefined): boolean =>
  (document as DocumentNode | undefined)?.kind === 'Document' &&
  getOperationAST(document as DocumentNode, operationName)?.operation === OperationTypeNode.SUBSCRIPTION;

/** Counts each operation once it was parsed, or was seen to be unreadable; one past the limit is refused where it would run. */
export const useRateLimit = (limiter: Pick<RateLimiter, 'take'>): Plugin<Partial<Arrival>> => ({
  onParse: ({ context }) => {
    const arrival = context as Arrival;
    return ({ result }) => {
      arrival.limited = refusal(() =>
        limiter.take(arrival.caller.tokenId, isSubscription(result, arrival.operationName) ? 'subscriptions' : 'operations'),
      );
    };
  },
});

function refusal(take: () => void): ToolError | undefined {
  try {
    take();
    return undefined;
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}
