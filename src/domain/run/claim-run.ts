import { z } from 'zod';
import { callerNow } from '../../auth/authenticate.ts';
import type { Caller } from '../../auth/caller.ts';
import { requireScope } from '../../auth/scopes.ts';
import { issueToken } from '../../auth/tokens.ts';
import type { Tx } from '../../db/database.ts';
import { only } from '../../db/only.ts';
import { json, statement } from '../../db/statement.ts';
import { after, type Kernel } from '../../kernel/kernel.ts';
import type { OfferedTool } from '../../kernel/offered.ts';
import { parseInput } from '../../kernel/parse-input.ts';
import { settleInterrupted } from '../../kernel/sweep-calls.ts';
import { modelTools, taskTools } from '../../kernel/task-tools.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import { runContext } from '../context/run-context.ts';
import { claimAgain, claimHashOf } from './claim-again.ts';
import { endRun } from './end-run.ts';
import { type RunState, stateColumns } from './run-row.ts';
import { versionOfRun } from './task-of-run.ts';

const ClaimRun = z.strictObject({
  worker: z.string().min(1).max(200),
  tasks: z.array(z.string().min(1).max(200)).max(200).nullish(),
  claimId: z.string().min(1).max(200).nullish(),
});

/** How often a run is handed out before it fails. */
const MOST_ATTEMPTS = 3;

/** How many runs one claim fails for that, each in a transaction of its own, before it answers that there is nothing to claim. */
const MOST_FAILED = 20;

/** A run that was just handed to a worker. The token's secret is shown here and nowhere else. */
export interface ClaimedRun {
  run: RunState;
  token: string;
  tools: OfferedTool[];
  leaseExpiresAt: Date;
  heartbeatSeconds: number;
}

const QUEUED = `r."status" = 'QUEUED' ORDER BY r."queuedAt", r."id"`;
const STALLED = `r."status" = 'RUNNING' AND r."leaseExpiresAt" < $3
   AND NOT EXISTS (SELECT FROM "ToolCall" c WHERE c."runId" = r."id" AND c."leaseExpiresAt" IS NOT NULL)
   ORDER BY r."leaseExpiresAt", r."id"`;

const next = (name: string, which: string, archived: string) =>
  statement<RunState, [string, string[] | null, Date]>(
    name,
    `SELECT ${stateColumns('r')} FROM "Run" r JOIN "Task" t ON t."id" = r."taskId" JOIN "Enterprise" e ON e."id" = r."enterpriseId"
     WHERE r."enterpriseId" = $1 AND NOT e."draining" AND e."spendEnabled" ${archived} AND ($2::text[] IS NULL OR t."slug" = ANY ($2))
       AND $3::timestamptz IS NOT NULL AND ${which} LIMIT 1 FOR NO KEY UPDATE OF r SKIP LOCKED`,
  );

const nextQueued = next('next_queued_run', QUEUED, 'AND t."archivedAt" IS NULL');
const nextStalled = next('next_stalled_run', STALLED, '');

const handOut = statement<RunState, [string, string, string, Date, Date, unknown]>(
  'hand_out_run',
  `UPDATE "Run" SET "status" = 'RUNNING', "attempt" = "attempt" + 1, "worker" = $3, "leaseExpiresAt" = $4, "stalledAt" = NULL,
     "startedAt" = coalesce("startedAt", $5), "input" = CASE WHEN $6::jsonb IS NULL THEN "input" ELSE "input" || $6::jsonb END
   WHERE "enterpriseId" = $1 AND "id" = $2 RETURNING ${stateColumns()}`,
);

const revokeTokensOf = statement<object, [string, string, Date]>(
  'revoke_run_tokens',
  `UPDATE "Token" SET "revokedAt" = $3 WHERE "enterpriseId" = $1 AND "runId" = $2 AND "revokedAt" IS NULL`,
);

/**
 * Hands the next queued run to a worker, or else one whose lease ran out long enough ago: with a lease, a new token, its
 * input and its tools in model form. No run is handed out twice at once. Null: there is nothing to claim, or the enterprise drains
 * or spends nothing. With a `claimId` of the worker's the same claim is answered again while it lives. Scope `runs:work`.
 * @throws {ToolError} lease_lost, run_not_active: the claim of this id is over
 */
export async function claimRun(kernel: Kernel, caller: Caller, raw: unknown): Promise<ClaimedRun | null> {
  requireScope(caller, 'runs:work');
  const { worker, tasks, claimId } = parseInput(ClaimRun, raw);
  const wanted: Wanted = { worker, tasks: tasks ?? null, claimHash: claimId ? claimHashOf(worker, claimId) : null };
  const claimed = await claimNext(kernel, caller, wanted);
  if (claimed) return claimed;
  // What holds a stalled run back may be a call that a dead process left: settle it, then look once more.
  return (await settleInterrupted(kernel, caller.enterpriseId)) > 0 ? claimNext(kernel, caller, wanted) : null;
}

interface Wanted {
  worker: string;
  tasks: string[] | null;
  claimHash: string | null;
}

async function claimNext(kernel: Kernel, caller: Caller, wanted: Wanted): Promise<ClaimedRun | null> {
  for (let failed = 0; failed < MOST_FAILED; failed++) {
    const claimed = await kernel.db.transaction((tx) => claimOne(tx, kernel, caller, wanted));
    if (claimed !== 'failed') return claimed;
  }
  return null;
}

async function claimOne(
  tx: Tx,
  kernel: Kernel,
  caller: Caller,
  { worker, tasks, claimHash }: Wanted,
): Promise<ClaimedRun | null | 'failed'> {
  const { enterpriseId } = caller;
  const again = claimHash ? await claimAgain(tx, kernel, enterpriseId, claimHash) : undefined;
  requireScope(await callerNow(tx, kernel, caller), 'runs:work');
  if (again) return answer(tx, kernel, again.run, again.token);
  const now = kernel.now();
  const stalledBefore = after(now, -kernel.timing.reclaimAfter);
  const queued = await tx.query(nextQueued(enterpriseId, tasks, now));
  const [run] = queued.length > 0 ? queued : await tx.query(nextStalled(enterpriseId, tasks, stalledBefore));
  if (!run) return null;
  if (run.attempt < MOST_ATTEMPTS) return handOutTo(kernel, tx, run, worker, claimHash);
  const reason = `Its lease ran out on each of ${MOST_ATTEMPTS} attempts.`;
  await endRun(tx, now, run, { status: 'FAILED', failureCode: 'lease_exhausted', reason });
  return 'failed';
}

async function handOutTo(kernel: Kernel, tx: Tx, run: RunState, worker: string, claimHash: string | null): Promise<ClaimedRun> {
  const { enterpriseId, id } = run;
  const now = kernel.now();
  const lease = after(now, kernel.timing.runLease);
  const added = run.startedAt ? undefined : await contextOf(tx, run);
  const claimed = only(await tx.query(handOut(enterpriseId, id, worker, lease, now, json(added))), `run ${id}`);
  await tx.query(revokeTokensOf(enterpriseId, id, now));
  const handed = { id, attempt: claimed.attempt };
  const { secret } = await issueToken(tx, { enterpriseId, kind: 'RUN', name: `run ${id}`, run: handed, createdAt: now, claimHash });
  tx.emit({ enterpriseId, topic: 'RUN', kind: 'CLAIMED', runId: id });
  tellBlocker(tx, run, claimed);
  return answer(tx, kernel, claimed, secret);
}

/** A run starts with what the shared context holds under its task's prefixes at that moment. */
async function contextOf(tx: Tx, { enterpriseId, id }: RunState) {
  const { contextPrefixes } = await versionOfRun(tx, enterpriseId, id);
  return contextPrefixes.length > 0 ? runContext(tx, enterpriseId, contextPrefixes) : undefined;
}

async function answer(tx: Tx, kernel: Kernel, run: RunState, token: string): Promise<ClaimedRun> {
  const tools = modelTools(taskTools(kernel.registry, await versionOfRun(tx, run.enterpriseId, run.id)));
  // The lease of a run that waits for a gate begins anew when that ends.
  const leaseExpiresAt = run.leaseExpiresAt ?? after(kernel.now(), kernel.timing.runLease);
  return { run, token, tools, leaseExpiresAt, heartbeatSeconds: kernel.timing.heartbeat / 1_000 };
}
