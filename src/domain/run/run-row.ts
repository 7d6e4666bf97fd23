import type { Run } from '../../db/generated/client.ts';
import type { RunStatus } from '../../db/generated/enums.ts';

/** A run as it stands in the database. */
export type RunRow = Run;

/** What a call needs to know of the run that makes it. */
export type CallingRun = Pick<
  RunRow,
  'id' | 'enterpriseId' | 'taskId' | 'executionId' | 'memberId' | 'status' | 'attempt' | 'gateSummary' | 'summaryGateId' | 'stalledAt'
>;

/** Statuses that hold the run's member and one slot of its task. */
export const ACTIVE: RunStatus[] = ['QUEUED', 'RUNNING', 'WAITING'];

/** Statuses that nothing leaves. */
export const ENDED: RunStatus[] = ['FINISHED', 'FAILED', 'CANCELLED'];
