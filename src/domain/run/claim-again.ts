import { replaceSecret } from '../../auth/tokens.ts';
import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { lockKey } from '../../db/switch-lock.ts';
import { ToolError } from '../../kernel/errors.ts';
import { hashOf } from '../../kernel/hash.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { notActive, renewLease } from './drive-run.ts';
import type { RunState } from './run-row.ts';
import { lockRun } from './run-statements.ts';

/** What the claim of a worker is kept under: an id names a claim of this worker alone. */
export const claimHashOf = (worker: string, claimId: string) => hashOf([worker, claimId]);

const tokenOfClaim = statement<{ id: string; runId: string; attempt: number }, [string, string]>(
  'token_of_claim',
  `SELECT "id", "runId", "attempt" FROM "Token" WHERE "enterpriseId" = $1 AND "claimHash" = $2`,
);

/**
 * A claim that was made before, as its worker sends its id again: the same run at the same attempt, with a full lease. Only
 * hashes of secrets are kept, so its token gets a new secret; the one of the earlier answer works no more. Undefined: there is no
 * such claim, and until this transaction ends nobody else makes it.
 * @throws {ToolError} lease_lost {attempt}: the run was handed out again; run_not_active {status}
 */
export async function claimAgain(
  tx: Tx,
  kernel: Kernel,
  enterpriseId: string,
  claimHash: string,
): Promise<{ run: RunState; token: string } | undefined> {
  await lockKey(tx, enterpriseId, `claim ${claimHash}`);
  const [token] = await tx.query(tokenOfClaim(enterpriseId, claimHash));
  if (!token) return undefined;
  const run = await lockRun(tx, enterpriseId, token.runId);
  if (run.attempt !== token.attempt) {
    const message = `The run of this claim was handed out again: it is at attempt ${run.attempt}. Claim with a new claimId.`;
    throw new ToolError('lease_lost', message, { attempt: run.attempt });
  }
  if (run.status !== 'RUNNING' && run.status !== 'WAITING') throw notActive(run);
  const secret = await replaceSecret(tx, { enterpriseId, id: token.id, kind: 'RUN' });
  return { run: run.status === 'RUNNING' ? await renewLease(kernel, tx, run, null) : run, token: secret };
}
