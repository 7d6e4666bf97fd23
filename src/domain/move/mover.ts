import type { ActingRun } from '../../auth/audit.ts';
import type { Caller } from '../../auth/caller.ts';

/** Who makes a move on a stopped run: a person, or a run by one of its tools. */
export type Mover = Caller | ActingRun;

/** Whether it is a run that moves. */
export const isRun = (by: Mover): by is ActingRun => 'runId' in by;
