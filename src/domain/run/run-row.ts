import { columns } from '../../db/columns.ts';
import type { Run } from '../../db/generated/client.ts';
import type { RunStatus } from '../../db/generated/enums.ts';

/** A run as it stands in the database. */
export type RunRow = Run;

/** A run without what it was given and what it made, which may be large: what is read and answered again and again. */
export type RunState = Omit<RunRow, 'input' | 'output'>;

/** The columns of a `RunState`, each behind `alias` if one is given. */
export const stateColumns = (alias?: string) => columns('Run', alias, ['input', 'output']);

/** What a call needs to know of the run that makes it. */
export type CallingRun = Pick<
  RunRow,
  'id' | 'enterpriseId' | 'taskId' | 'executionId' | 'memberId' | 'status' | 'attempt' | 'gateSummary' | 'summaryGateId' | 'stalledAt'
>;

/** Why a run is paused: the enterprise's spending is off, or the run spent more than its task allows. */
export const PAUSED_BY = { spendOff: 'spend_off', spendLimit: 'spend_limit' } as const;

const ACTIVE: RunStatus[] = ['QUEUED', 'RUNNING', 'WAITING'];

/** Whether the run has its member and one slot of its task: it is active, or would be if the enterprise spent. */
export const holdsSlot = ({ status, blockClass }: Pick<RunRow, 'status' | 'blockClass'>) =>
  ACTIVE.includes(status) || (status === 'PAUSED' && blockClass === PAUSED_BY.spendOff);

/** Statuses that nothing leaves. */
export const ENDED: RunStatus[] = ['FINISHED', 'FAILED', 'CANCELLED'];
