import { setTimeout } from 'node:timers/promises';
import type { Gate } from '../db/generated/client.ts';
import { statement } from '../db/statement.ts';
import { tellBlocker } from '../domain/blocker/stopped.ts';
import { type RunState, stateColumns } from '../domain/run/run-row.ts';
import { workOffBacklogs } from '../domain/run/work-off.ts';
import { expireDue } from './decide-gate.ts';
import type { Kernel } from './kernel.ts';
import { oneByOne, within } from './one-by-one.ts';
import { settleInterrupted } from './sweep-calls.ts';

const dueGates = statement<Pick<Gate, 'id' | 'enterpriseId' | 'runId'>, [Date, passedOver: string[]]>(
  'due_gates',
  `SELECT "id", "enterpriseId", "runId" FROM "Gate" WHERE "status" = 'WAITING' AND "timesOutAt" <= $1 AND NOT "id" = ANY ($2::uuid[])
     AND NOT "enterpriseId" = ANY ($2::uuid[])
   ORDER BY "timesOutAt" LIMIT 200`,
);

/** Ends the gates whose time has run out. */
export async function expireGates(kernel: Kernel): Promise<void> {
  const gates = oneByOne(kernel, 'expire gates');
  const due = await kernel.db.query(dueGates(kernel.now(), gates.passedOver()));
  await gates.each(
    due,
    ({ id }) => id,
    (gate) => expireDue(kernel, gate),
  );
}

interface Stalled {
  id: string;
  enterpriseId: string;
}

const stalledRuns = statement<Stalled, [Date, passedOver: string[]]>(
  'stalled_runs',
  `SELECT "id", "enterpriseId" FROM "Run" WHERE "status" = 'RUNNING' AND "leaseExpiresAt" < $1 AND "stalledAt" IS NULL
     AND NOT "id" = ANY ($2::uuid[]) AND NOT "enterpriseId" = ANY ($2::uuid[]) LIMIT 200`,
);

const noteStalled = statement<RunState, [string, Date]>(
  'note_stalled_run',
  `UPDATE "Run" SET "stalledAt" = $2 WHERE "id" = $1 AND "status" = 'RUNNING' AND "leaseExpiresAt" < $2 AND "stalledAt" IS NULL
   RETURNING ${stateColumns()}`,
);

/** Tells of each run whose lease ran out, once. */
export async function tellStalled(kernel: Kernel): Promise<void> {
  const now = kernel.now();
  const runs = oneByOne(kernel, 'tell stalled runs');
  const stalled = await kernel.db.query(stalledRuns(now, runs.passedOver()));
  await runs.each(
    stalled,
    ({ id }) => id,
    ({ id }) =>
      kernel.db.transaction(async (tx) => {
        const [run] = await tx.query(noteStalled(id, now));
        if (!run) return;
        tx.emit({ enterpriseId: run.enterpriseId, topic: 'RUN', kind: 'STALLED', runId: run.id });
        tellBlocker(tx, { ...run, stalledAt: null }, run);
      }),
  );
}

/**
 * Does again and again what time brings, each job by itself with a pause of `timing.sweep` between its rounds: none waits for
 * another. A round that fails is logged, once a minute, and the next one tries again; one that takes longer than
 * `timing.sweepRound` goes on alone. Answers how to stop; stopping waits for the rounds under way.
 */
export function startSweep(kernel: Kernel, more: (() => Promise<unknown>)[] = []): { stop(): Promise<void> } {
  const own = [expireGates, settleInterrupted, tellStalled, workOffBacklogs].map((job) => () => job(kernel));
  const jobs = [...own, ...more].map((job) => repeat(kernel, job));
  return { stop: async () => void (await Promise.all(jobs.map((job) => job.stop()))) };
}

const QUIET = 60_000;

function repeat(kernel: Kernel, job: () => Promise<unknown>): { stop(): Promise<void> } {
  const stopped = new AbortController();
  let saidAt = Number.NEGATIVE_INFINITY;
  const say = (error: unknown) => {
    const now = kernel.now().getTime();
    if (now - saidAt < QUIET) return;
    saidAt = now;
    kernel.log.error({ err: error }, 'a sweep failed');
  };
  const loop = async () => {
    while (!stopped.signal.aborted) {
      await within(kernel.timing.sweepRound, job()).catch(say);
      await setTimeout(kernel.timing.sweep, undefined, { signal: stopped.signal }).catch(() => {});
    }
  };
  const running = loop();
  return {
    stop() {
      stopped.abort();
      return running;
    },
  };
}
