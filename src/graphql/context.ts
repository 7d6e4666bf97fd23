import type { Caller } from '../auth/caller.ts';
import type { RateLimiter } from '../auth/rate-limit.ts';
import type { Prisma } from '../db/database.ts';
import type { Feeds } from '../events/feed.ts';
import type { LiveStreams } from '../events/live-streams.ts';
import type { ToolError } from '../kernel/errors.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { AnswerBytes } from './answer-bytes.ts';
import type { Telling } from './event-source.ts';
import type { ResponseReads } from './response-reads.ts';

/** What GraphQL stands on, over every transport. */
export interface GraphqlDeps {
  kernel: Kernel;
  feeds: Pick<Feeds, 'subscribe'>;
  live: Pick<LiveStreams, 'add' | 'watch'>;
  limiter: Pick<RateLimiter, 'take'>;
  /** Who sends a request. @throws {ToolError} unauthenticated */
  authenticate(authorization: string | null | undefined): Promise<Caller>;
}

/** What one operation came by. */
export interface Arrival {
  caller: Caller;
  transport: 'POST' | 'GET' | 'SOCKET';
  /** Whether the client takes a stream. */
  streams: boolean;
  /** Which operation of the document is asked for. */
  operationName: string | undefined;
  /** The refusal of an operation past the rate limit: raised by its fields, but answered by invokeTool as a call. */
  limited?: ToolError | undefined;
  /** Aborted when the client goes away or the service stops: ends what the operation streams. */
  gone: readonly AbortSignal[];
  /** What the transport holds of what it was given for the operation, in bytes. */
  buffered: () => number;
  /** Told when the service cut a stream that the client may resume: `slow_consumer`, `service_unavailable`. */
  onCut: (context: Context, error: ToolError) => void;
  /** Whether the transport tells that by closing. Otherwise the error is the last thing that the stream tells. */
  closesOnCut: boolean;
}

/** What resolvers are given. */
export interface Context extends Arrival {
  kernel: Kernel;
  feeds: GraphqlDeps['feeds'];
  live: GraphqlDeps['live'];
  /** Reads with a bound on what an answer holds. */
  prisma: Prisma;
  bytes: AnswerBytes;
  reads: ResponseReads;
  /** The cursor that was read before everything else, when the operation asks for it. */
  eventCursor?: string;
  /** The stream of the operation, if it is a subscription. */
  telling?: Telling;
}
