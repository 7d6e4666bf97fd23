import { z } from 'zod';
import { callerNow } from '../../auth/authenticate.ts';
import type { Caller } from '../../auth/caller.ts';
import { requireScope } from '../../auth/scopes.ts';
import type { Tx } from '../../db/database.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { parseInput } from '../../kernel/parse-input.ts';
import type { RunState } from '../run/run-row.ts';
import { clearRun } from './clear-run.ts';
import { escalateRun } from './escalate-run.ts';
import { moveNote } from './move-note.ts';
import { startAgain } from './start-again.ts';

const runId = z.string().max(200);
const Retry = z.strictObject({ runId, note: moveNote });
const Route = z.strictObject({ runId, task: z.string().min(1).max(200), note: moveNote });
const Escalate = z.strictObject({ runId, to: z.enum(['LEAD', 'CEO']), note: moveNote });

/**
 * A person's move, by what their credential is when it commits: one that was revoked while the run was waited for makes none. Its
 * run is locked first, as the locks' order wants.
 */
const move = (kernel: Kernel, by: Caller, made: (tx: Tx) => Promise<RunState>): Promise<RunState> =>
  kernel.db.transaction(async (tx) => {
    const run = await made(tx);
    requireScope(await callerNow(tx, kernel, by), 'runs:write');
    return run;
  });

/** Retries a stopped run as a person and answers the new run; it neither counts nor is limited. @throws as `startAgain` */
export async function retryAsPerson(kernel: Kernel, by: Caller, raw: unknown): Promise<RunState> {
  requireScope(by, 'runs:write');
  const input = parseInput(Retry, raw);
  return move(kernel, by, async (tx) => (await startAgain(tx, kernel.now(), { by, ...input })).run);
}

/** Routes a stopped run to another task of its pipeline as a person and answers the new run. @throws as `startAgain` */
export async function routeAsPerson(kernel: Kernel, by: Caller, raw: unknown): Promise<RunState> {
  requireScope(by, 'runs:write');
  const input = parseInput(Route, raw);
  return move(kernel, by, async (tx) => (await startAgain(tx, kernel.now(), { by, ...input })).run);
}

/** Clears a stopped run as a person and answers it. @throws as `clearRun` */
export async function clearAsPerson(kernel: Kernel, by: Caller, raw: unknown): Promise<RunState> {
  requireScope(by, 'runs:write');
  const input = parseInput(Retry, raw);
  return move(kernel, by, (tx) => clearRun(tx, kernel.now(), { by, ...input }));
}

/** Escalates a run on Blockers as a person and answers it; to the same one again changes nothing. @throws as `escalateRun` */
export async function escalateAsPerson(kernel: Kernel, by: Caller, raw: unknown): Promise<RunState> {
  requireScope(by, 'runs:write');
  const input = parseInput(Escalate, raw);
  return move(kernel, by, async (tx) => (await escalateRun(tx, kernel.now(), { by, ...input })).run);
}
