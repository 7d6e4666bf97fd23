import { columns } from '../db/columns.ts';
import type { Gate } from '../db/generated/client.ts';
import { statement } from '../db/statement.ts';
import { tellBlocker } from '../domain/blocker/stopped.ts';
import { type RunState, stateColumns } from '../domain/run/run-row.ts';
import { lockRun } from '../domain/run/run-statements.ts';
import { workOffBacklogs } from '../domain/run/work-off.ts';
import { expire } from './decide-gate.ts';
import type { Kernel } from './kernel.ts';
import { settleInterrupted } from './sweep-calls.ts';

const dueGates = statement<Pick<Gate, 'id' | 'enterpriseId' | 'runId'>, [Date]>(
  'due_gates',
  `SELECT "id", "enterpriseId", "runId" FROM "Gate" WHERE "status" = 'WAITING' AND "timesOutAt" <= $1 ORDER BY "timesOutAt" LIMIT 200`,
);

const waitingGate = statement<Gate, [string]>(
  'waiting_gate',
  `SELECT ${columns('Gate')} FROM "Gate" WHERE "id" = $1 AND "status" = 'WAITING'`,
);

/** Ends the gates whose time has run out. A decision that comes first stands. */
export async function expireGates(kernel: Kernel): Promise<void> {
  for (const due of await kernel.db.query(dueGates(kernel.now()))) {
    await kernel.db.transaction(async (tx) => {
      const run = await lockRun(tx, due.enterpriseId, due.runId);
      const [gate] = await tx.query(waitingGate(due.id));
      if (gate) await expire(tx, kernel, gate, run);
    });
  }
}

interface Stalled {
  id: string;
  enterpriseId: string;
}

const stalledRuns = statement<Stalled, [Date]>(
  'stalled_runs',
  `SELECT "id", "enterpriseId" FROM "Run" WHERE "status" = 'RUNNING' AND "leaseExpiresAt" < $1 AND "stalledAt" IS NULL LIMIT 200`,
);

const noteStalled = statement<RunState, [string, Date]>(
  'note_stalled_run',
  `UPDATE "Run" SET "stalledAt" = $2 WHERE "id" = $1 AND "status" = 'RUNNING' AND "leaseExpiresAt" < $2 AND "stalledAt" IS NULL
   RETURNING ${stateColumns()}`,
);

/** Tells of each run whose lease ran out, once. */
export async function tellStalled(kernel: Kernel): Promise<void> {
  const now = kernel.now();
  for (const { id } of await kernel.db.query(stalledRuns(now))) {
    await kernel.db.transaction(async (tx) => {
      const [run] = await tx.query(noteStalled(id, now));
      if (!run) return;
      tx.emit({ enterpriseId: run.enterpriseId, topic: 'RUN', kind: 'STALLED', runId: run.id });
      tellBlocker(tx, { ...run, stalledAt: null }, run);
    });
  }
}

/**
 * Does again and again what time brings: `jobs` one after another, then a pause of `timing.sweep`. A job that fails is
 * logged and tried again in the next round. Answers how to stop; stopping waits for the round under way.
 */
export function startSweep(kernel: Kernel, more: (() => Promise<unknown>)[] = []): { stop(): Promise<void> } {
  const jobs = [expireGates, settleInterrupted, tellStalled, workOffBacklogs].map((job) => () => job(kernel));
  let stopped = false;
  let wake = () => {};
  const loop = async () => {
    while (!stopped) {
      for (const job of [...jobs, ...more]) await job().catch((error: unknown) => kernel.log.error({ err: error }, 'a sweep failed'));
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, kernel.timing.sweep);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (stopped) wake();
      });
    }
  };
  const running = loop();
  return {
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}
