import { v7 } from 'uuid';
import { audit } from '../../auth/audit.ts';
import type { Tx } from '../../db/database.ts';
import type { EscalateTo } from '../../db/generated/enums.ts';
import { statement } from '../../db/statement.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import type { Named } from '../blocker/stopped-runs.ts';
import { type RunState, stateColumns } from '../run/run-row.ts';
import { lockStopped } from './lock-stopped.ts';
import { nobody } from './move-rules.ts';
import type { Mover } from './mover.ts';

/** A stopped run and whose it is to decide about now. */
export interface Escalated {
  run: RunState;
  to: Named;
  /** It was theirs before: nothing was added. */
  alreadyEscalated: boolean;
}

type Values = [string, string, EscalateTo, string | null, string | null, string, Date, string];

const escalate = statement<RunState, Values>(
  'escalate_run',
  `WITH kept AS (
     INSERT INTO "Escalation" ("id", "enterpriseId", "runId", "to", "memberId", "personId", "note", "at")
     VALUES ($8, $1, $2, $3, $4, $5, $6, $7)
   )
   UPDATE "Run" SET "escalatedTo" = $3, "escalatedMemberId" = $4, "escalatedPersonId" = $5, "escalationNote" = $6, "escalatedAt" = $7
   WHERE "enterpriseId" = $1 AND "id" = $2 RETURNING ${stateColumns()}`,
);

/**
 * Hands the decision about a run on Blockers to its team's lead, failing that the COO; or records that it is the CEO's.
 * Each escalation stays on the run's record.
 * @throws {ToolError} not_found, run_not_on_blockers, escalation_target_missing
 */
export async function escalateRun(
  tx: Tx,
  now: Date,
  { by, runId, to, note }: { by: Mover; runId: string; to: EscalateTo; note: string },
): Promise<Escalated> {
  const { enterpriseId } = by;
  const { run, lead, ceo } = await lockStopped(tx, enterpriseId, runId);
  const owner = to === 'LEAD' ? lead : ceo;
  if (!owner) throw nobody(to === 'LEAD' ? 'The team of this run has no lead, and there is no COO.' : 'There is no CEO at the moment.');
  if (run.escalatedTo === to && (run.escalatedMemberId ?? run.escalatedPersonId) === owner.id)
    return { run, to: owner, alreadyEscalated: true };
  const [memberId, personId] = to === 'LEAD' ? [owner.id, null] : [null, owner.id];
  const [after] = await tx.query(escalate(enterpriseId, run.id, to, memberId, personId, note, now, v7()));
  tellBlocker(tx, run, after!);
  await audit(tx, by, { action: 'run.escalated', subjectId: run.id, details: { note, to, ownerId: owner.id }, at: now });
  return { run: after!, to: owner, alreadyEscalated: false };
}
