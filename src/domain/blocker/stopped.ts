import type { Tx } from '../../db/database.ts';
import type { RunRow, RunState } from '../run/run-row.ts';

/** Why a run stands on Blockers. */
export type BlockerSection = 'FAILED' | 'STOPPED' | 'BLOCKED' | 'STALLED' | 'PAUSED';

/** What of a run's row says where it stands. */
export type Standing = Pick<RunRow, 'status' | 'stopped' | 'stalledAt' | 'clearedAt' | 'movedOnAt'>;

/** The sections of Blockers in which a run stands; none: it is not there. The rule for the query, the tools and the events. */
export function sectionsOf({ status, stopped, stalledAt, clearedAt, movedOnAt }: Standing): BlockerSection[] {
  if (clearedAt || movedOnAt) return [];
  if (status === 'FINISHED') return stopped ? ['STOPPED'] : [];
  if (status === 'RUNNING') return stalledAt ? ['STALLED'] : [];
  return status === 'FAILED' || status === 'BLOCKED' || status === 'PAUSED' ? [status] : [];
}

/** The same rule as a condition on "Run" r. It is that of the index "Run_blockers" word for word, so that a plan can use it. */
export const STANDS_ON_BLOCKERS = `(r."status" IN ('FAILED', 'BLOCKED', 'PAUSED') OR r."stopped" OR r."stalledAt" IS NOT NULL)
  AND r."clearedAt" IS NULL AND r."movedOnAt" IS NULL`;

/** Since when such a run "Run" r has stood still. */
export const STOPPED_SINCE = `coalesce(CASE r."status" WHEN 'RUNNING' THEN r."leaseExpiresAt" WHEN 'BLOCKED' THEN r."haltedAt"
  WHEN 'PAUSED' THEN r."haltedAt" ELSE r."finishedAt" END, r."createdAt")`;

type Told = Standing & Pick<RunRow, 'reason' | 'failureCode' | 'outcome' | 'blockClass'>;

/** Why a run stands there, in words: its own, or those of its state. */
export function reasonOf(run: Told): string | null {
  if (run.status === 'FINISHED') return `No task follows the outcome ${JSON.stringify(run.outcome)}.`;
  if (run.status === 'RUNNING') return 'Its worker let the lease run out.';
  if (run.status === 'PAUSED') return run.reason ?? "The enterprise's spending is off.";
  return run.reason ?? run.failureCode;
}

const shown = (run: RunState) =>
  JSON.stringify([
    ...[sectionsOf(run), reasonOf(run), run.failureCode, run.blockClass],
    ...[run.escalatedTo, run.escalatedMemberId, run.escalatedPersonId, run.escalationNote, run.escalatedAt],
  ]);

/**
 * Announces what a change of a run's row makes of its place on Blockers, if anything. Whatever changes such a row calls it,
 * in the same transaction, with the row as it was and as it is; null before: the run is new.
 */
export function tellBlocker(tx: Tx, before: RunState | null, after: RunState): void {
  const was = before !== null && sectionsOf(before).length > 0;
  const is = sectionsOf(after).length > 0;
  if (!was && !is) return;
  if (was && is && shown(before) === shown(after)) return;
  emit(tx, after, was ? (is ? 'CHANGED' : 'LEFT') : 'APPEARED');
}

/** A running run begins to wait for a gate: if it was stalled, it is no longer. */
export function tellNoLongerStalled(tx: Tx, run: Pick<RunRow, 'enterpriseId' | 'id' | 'stalledAt'>): void {
  if (run.stalledAt) emit(tx, run, 'LEFT');
}

/** Announces that something beside the row of a run on Blockers changed: the outcome of one of its calls. */
export function tellBlockerChanged(tx: Tx, run: RunState): void {
  if (sectionsOf(run).length > 0) emit(tx, run, 'CHANGED');
}

const emit = (tx: Tx, { enterpriseId, id }: Pick<RunRow, 'enterpriseId' | 'id'>, kind: 'APPEARED' | 'CHANGED' | 'LEFT') =>
  tx.emit({ enterpriseId, topic: 'BLOCKER', kind, runId: id });
