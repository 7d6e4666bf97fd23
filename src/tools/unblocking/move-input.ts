import { z } from 'zod';
import { moveNote } from '../../domain/move/move-note.ts';

/** The stopped run that a move is made on. */
export const stoppedRunId = z.uuid().describe('The stopped run: the `runId` of os.list_blockers.');

/** Why the move is made. */
export const note = moveNote.describe('Why, for whoever looks at the run later; it stays on its record. Not blank.');

/** Where the run that takes the work on stands. */
export const startedStatus = z.enum(['pending', 'queued', 'paused']);

export type StartedStatus = z.infer<typeof startedStatus>;

/** How many of the chain's three moves are used. */
export const taskRetries = z.int32().describe('How many retries and routes runs have made in this chain, of three.');

/** What is refused because of where the run stands. */
export const NOT_ON_BLOCKERS = 'The run does not stand on Blockers, or not so that this move fits: it may have been settled already.';
export const LIMIT = 'Runs have retried or routed this chain three times already: escalate it.';
