import { execute, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { kernelOf } from '../kernel/kernel.ts';
import { AnswerBytes } from './answer-bytes.ts';
import { useBeforeExecution } from './before-execution.ts';
import type { Arrival, Context, GraphqlDeps } from './context.ts';
import { asGraphQLError } from './errors.ts';
import { useLimits } from './limits.ts';
import { useRateLimit } from './rate-limit.ts';
import { ResponseReads } from './response-reads.ts';
import { subscribe } from './subscribe.ts';

/** GraphQL as every transport executes it: the HTTP server hands it requests, the socket server its operations. */
export type Graphql = ReturnType<typeof createGraphql>;

/** Parsed documents by their text. What they take is bounded in bytes, as one of a few kB can parse to half a megabyte. */
const documents = () =>
  new LRUCache<string, object>({
    maxSize: 64_000_000,
    maxEntrySize: 6_400_000,
    sizeCalculation: (_, text) => 1_000 + 100 * text.length,
  }) as never;

/** graphql-js itself: Yoga's executor answers the fields of an object as they get ready, and not in the order they were asked for. */
const useGraphqlJs = (): Plugin => ({
  onExecute: ({ setExecuteFn }) => setExecuteFn(execute as never),
  onSubscribe: ({ setSubscribeFn }) => setSubscribeFn(subscribe as never),
});

/**
 * Limits, errors and context around the schema. `transport`: what only HTTP requests go through; whoever executes otherwise
 * gives `getEnveloped` an `Arrival`.
 */
export function createGraphql(
  schema: GraphQLSchema,
  { kernel: whole, feeds, live, limiter }: GraphqlDeps,
  transport: Plugin,
  development: boolean,
) {
  return createYoga<Partial<Arrival>, Context>({
    schema,
    plugins: [transport, useRateLimit(limiter), useGraphqlJs(), useLimits(), useBeforeExecution()],
    context: (arrival) => {
      const { caller } = arrival as unknown as Arrival;
      const kernel = kernelOf(whole, caller.enterpriseId);
      const bytes = new AnswerBytes(kernel.db.prisma);
      const { prisma } = bytes;
      return { kernel, feeds, live, bytes, prisma, reads: new ResponseReads(prisma, caller.enterpriseId) } as unknown as Context;
    },
    maskedErrors: { maskError: (error) => asGraphQLError(error, whole.log) },
    logging: false,
    cors: false,
    multipart: false,
    maxRequestBodySize: false, // the HTTP server counts, without another stream around each body
    landingPage: false,
    graphiql: development,
    parserAndValidationCache: { documentCache: documents(), errorCache: documents() },
  });
}
