import type { Tx } from '../../db/database.ts';
import type { EscalateTo } from '../../db/generated/enums.ts';
import { statement } from '../../db/statement.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import type { Named } from '../blocker/stopped-runs.ts';
import { type RunState, stateColumns } from '../run/run-row.ts';
import { lockStopped } from './lock-stopped.ts';
import { nobody } from './move-rules.ts';

/** A stopped run and whose it is to decide about now. */
export interface Escalated {
  run: RunState;
  to: Named;
  /** It was theirs before: nothing was added. */
  alreadyEscalated: boolean;
}

type Values = [string, string, EscalateTo, string | null, string | null, string, Date];

const escalate = statement<RunState, Values>(
  'escalate_run',
  `UPDATE "Run" SET "escalatedTo" = $3, "escalatedMemberId" = $4, "escalatedPersonId" = $5, "escalationNote" = $6, "escalatedAt" = $7
   WHERE "enterpriseId" = $1 AND "id" = $2 RETURNING ${stateColumns()}`,
);

/**
 * Hands the decision about a run on Blockers to its team's lead, failing that the COO; or records that it is the CEO's.
 * @throws {ToolError} not_found, run_not_on_blockers, escalation_target_missing
 */
export async function escalateRun(
  tx: Tx,
  now: Date,
  { enterpriseId, runId, to, note }: { enterpriseId: string; runId: string; to: EscalateTo; note: string },
): Promise<Escalated> {
  const { run, lead, ceo } = await lockStopped(tx, enterpriseId, runId);
  const owner = to === 'LEAD' ? lead : ceo;
  if (!owner) throw nobody(to === 'LEAD' ? 'The team of this run has no lead, and there is no COO.' : 'There is no CEO at the moment.');
  if (run.escalatedTo === to && (run.escalatedMemberId ?? run.escalatedPersonId) === owner.id)
    return { run, to: owner, alreadyEscalated: true };
  const [memberId, personId] = to === 'LEAD' ? [owner.id, null] : [null, owner.id];
  const [after] = await tx.query(escalate(enterpriseId, run.id, to, memberId, personId, note, now));
  tellBlocker(tx, run, after!);
  return { run: after!, to: owner, alreadyEscalated: false };
}
