import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Registry } from './registry.ts';
import type { Work } from './work.ts';

/** Lengths in milliseconds. Fields of the config that tests shorten; no settings. */
export interface Timing {
  /** A claimed run's lease, renewed by each heartbeat. */
  runLease: number;
  heartbeat: number;
  /** How long after its lease ran out a run is handed out again. */
  reclaimAfter: number;
  /** The claim of a process on a call with an outside effect, and how often it renews it. */
  callLease: number;
  callRenew: number;
  sweep: number;
  /** How long a job of the sweep waits for one row, and for one of its rounds. */
  sweepPatience: number;
  sweepRound: number;
  /** How long a row that failed is passed over. */
  sweepRetry: number;
  /** How often a process looks for events that no bell told it of. */
  eventPoll: number;
  /** How long a subscriber's event that cannot be read is tried again before its stream ends. */
  eventPatience: number;
  /** How often the credentials of open streams are looked at again. */
  credentialCheck: number;
  /** How often the Redis connection is pinged; one that leaves a ping unanswered that long is replaced. */
  redisPing: number;
  /** How long SIGTERM waits for calls under way. */
  drain: number;
  /** How long a run's token still reads after the run ended. */
  runTokenAfterEnd: number;
}

export const TIMING: Timing = {
  runLease: 60_000,
  heartbeat: 20_000,
  reclaimAfter: 30_000,
  callLease: 30_000,
  callRenew: 10_000,
  sweep: 1_000,
  sweepPatience: 5_000,
  sweepRound: 60_000,
  sweepRetry: 60_000,
  eventPoll: 5_000,
  eventPatience: 30_000,
  credentialCheck: 2_000,
  redisPing: 5_000,
  drain: 10_000,
  runTokenAfterEnd: 600_000,
};

/** What the pipeline runs on. */
export interface Kernel {
  db: Database;
  registry: Registry;
  timing: Timing;
  /** The clock of the service. */
  now: () => Date;
  /** Names this process in the claims that it makes on calls. */
  processId: string;
  log: Logger;
  work: Work;
  /** Where people reach the service, without a slash at the end. */
  publicUrl: string;
  /** Set where gates that open are told to a webhook: woken after each commit that put one into the outbox. */
  webhook?: { wake(): void };
}

/** The kernel for what one enterprise asks of it: it shares the database with the others. */
export const kernelOf = (kernel: Kernel, enterpriseId: string): Kernel => ({ ...kernel, db: kernel.db.of(enterpriseId) });

/** `milliseconds` from `now`. */
export const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds);
