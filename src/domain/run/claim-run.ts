import { z } from 'zod';
import type { Caller } from '../../auth/caller.ts';
import { requireScope } from '../../auth/scopes.ts';
import { issueToken } from '../../auth/tokens.ts';
import { columns } from '../../db/columns.ts';
import type { Tx } from '../../db/database.ts';
import { json, statement } from '../../db/statement.ts';
import { after, type Kernel } from '../../kernel/kernel.ts';
import { parseInput } from '../../kernel/parse-input.ts';
import type { JsonSchema } from '../../kernel/registry.ts';
import { settleInterrupted } from '../../kernel/sweep-calls.ts';
import { modelTools, taskTools } from '../../kernel/task-tools.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import { contextWithPrefixes } from '../context/context-entries.ts';
import { endRun } from './end-run.ts';
import type { RunRow } from './run-row.ts';
import { versionOfRun } from './task-of-run.ts';

const ClaimRun = z.strictObject({
  worker: z.string().min(1).max(200),
  tasks: z.array(z.string().min(1).max(200)).max(200).nullish(),
});

/** How often a run is handed out before it fails. */
const MOST_ATTEMPTS = 3;

/** A run that was just handed to a worker. The token's secret is shown here and nowhere else. */
export interface ClaimedRun {
  run: RunRow;
  token: string;
  tools: { name: string; description: string; inputSchema: JsonSchema }[];
  leaseExpiresAt: Date;
  heartbeatSeconds: number;
}

const QUEUED = `r."status" = 'QUEUED' ORDER BY r."queuedAt", r."id"`;
const STALLED = `r."status" = 'RUNNING' AND r."leaseExpiresAt" < $3
   AND NOT EXISTS (SELECT FROM "ToolCall" c WHERE c."runId" = r."id" AND c."leaseExpiresAt" IS NOT NULL)
   ORDER BY r."leaseExpiresAt", r."id"`;

const next = (name: string, which: string) =>
  statement<RunRow, [string, string[] | null, Date]>(
    name,
    `SELECT ${columns('Run', 'r')} FROM "Run" r JOIN "Task" t ON t."id" = r."taskId" JOIN "Enterprise" e ON e."id" = r."enterpriseId"
     WHERE r."enterpriseId" = $1 AND NOT e."draining" AND ($2::text[] IS NULL OR t."slug" = ANY ($2)) AND $3::timestamptz IS NOT NULL
       AND ${which} LIMIT 1 FOR NO KEY UPDATE OF r SKIP LOCKED`,
  );

const nextQueued = next('next_queued_run', QUEUED);
const nextStalled = next('next_stalled_run', STALLED);

const handOut = statement<RunRow, [string, string, Date, Date, unknown]>(
  'hand_out_run',
  `UPDATE "Run" SET "status" = 'RUNNING', "attempt" = "attempt" + 1, "worker" = $2, "leaseExpiresAt" = $3, "stalledAt" = NULL,
     "startedAt" = coalesce("startedAt", $4), "input" = $5
   WHERE "id" = $1 RETURNING ${columns('Run')}`,
);

const revokeTokensOf = statement<object, [string, Date]>(
  'revoke_run_tokens',
  `UPDATE "Token" SET "revokedAt" = $2 WHERE "runId" = $1 AND "revokedAt" IS NULL`,
);

/**
 * Hands the next queued run to a worker, or else one whose lease ran out long enough ago: with a lease, a new token, its
 * input and its tools in model form. No run is handed out twice at once. Null: there is nothing to claim. Scope `runs:work`.
 */
export async function claimRun(kernel: Kernel, caller: Caller, raw: unknown): Promise<ClaimedRun | null> {
  requireScope(caller, 'runs:work');
  const { worker, tasks } = parseInput(ClaimRun, raw);
  const claim = () => kernel.db.transaction((tx) => claimNext(kernel, tx, caller.enterpriseId, worker, tasks ?? null));
  const claimed = await claim();
  if (claimed) return claimed;
  // What holds a stalled run back may be a call that a dead process left: settle it, then look once more.
  return (await settleInterrupted(kernel, caller.enterpriseId)) > 0 ? claim() : null;
}

async function claimNext(kernel: Kernel, tx: Tx, enterpriseId: string, worker: string, tasks: string[] | null): Promise<ClaimedRun | null> {
  const now = kernel.now();
  const stalledBefore = after(now, -kernel.timing.reclaimAfter);
  for (;;) {
    const [run] = await tx
      .query(nextQueued(enterpriseId, tasks, now))
      .then(async (queued) => (queued.length > 0 ? queued : tx.query(nextStalled(enterpriseId, tasks, stalledBefore))));
    if (!run) return null;
    if (run.attempt < MOST_ATTEMPTS) return handOutTo(kernel, tx, run, worker, now);
    const reason = `Its lease ran out on each of ${MOST_ATTEMPTS} attempts.`;
    await endRun(tx, now, run, { status: 'FAILED', failureCode: 'lease_exhausted', reason });
  }
}

async function handOutTo(kernel: Kernel, tx: Tx, run: RunRow, worker: string, now: Date): Promise<ClaimedRun> {
  const version = await versionOfRun(tx, run.enterpriseId, run.id);
  const leaseExpiresAt = after(now, kernel.timing.runLease);
  const input = run.startedAt ? run.input : await withContext(tx, run, version.contextPrefixes);
  const [claimed] = await tx.query(handOut(run.id, worker, leaseExpiresAt, now, json(input)));
  await tx.query(revokeTokensOf(run.id, now));
  const { secret } = await issueToken(tx, {
    enterpriseId: run.enterpriseId,
    kind: 'RUN',
    name: `run ${run.id}`,
    run: { id: run.id, attempt: claimed!.attempt },
    createdAt: now,
  });
  tx.emit({ enterpriseId: run.enterpriseId, topic: 'RUN', kind: 'CLAIMED', runId: run.id });
  tellBlocker(tx, run, claimed!);
  const tools = modelTools(taskTools(kernel.registry, version));
  return { run: claimed!, token: secret, tools, leaseExpiresAt, heartbeatSeconds: kernel.timing.heartbeat / 1_000 };
}

/** A run starts with what the shared context holds under its task's prefixes at that moment. */
async function withContext(tx: Tx, run: RunRow, prefixes: string[]) {
  if (prefixes.length === 0) return run.input;
  return { ...(run.input as object), context: await contextWithPrefixes(tx, run.enterpriseId, prefixes) };
}
