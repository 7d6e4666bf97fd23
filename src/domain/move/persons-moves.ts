import { z } from 'zod';
import { audit } from '../../auth/audit.ts';
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

type Act = (tx: Tx, now: Date) => Promise<{ run: RunState; details?: Record<string, unknown> }>;

/** A person's move: it needs the scope `runs:write`, and is written to the audit log of the run that it was made on. */
async function move(kernel: Kernel, caller: Caller, action: string, input: { runId: string; note: string }, act: Act): Promise<RunState> {
  return kernel.db.transaction(async (tx) => {
    const at = kernel.now();
    const { run, details } = await act(tx, at);
    if (details) await audit(tx, caller, { action, subjectId: input.runId, details: { note: input.note, ...details }, at });
    return run;
  });
}

/** Retries a stopped run as a person and answers the new run; it neither counts nor is limited. @throws as `startAgain` */
export async function retryAsPerson(kernel: Kernel, caller: Caller, raw: unknown): Promise<RunState> {
  requireScope(caller, 'runs:write');
  const input = parseInput(Retry, raw);
  return move(kernel, caller, 'run.retried', input, async (tx, now) => {
    const { run } = await startAgain(tx, now, { enterpriseId: caller.enterpriseId, ...input, limited: false });
    return { run, details: { retryRunId: run.id } };
  });
}

/** Routes a stopped run to another task of its pipeline as a person and answers the new run. @throws as `startAgain` */
export async function routeAsPerson(kernel: Kernel, caller: Caller, raw: unknown): Promise<RunState> {
  requireScope(caller, 'runs:write');
  const input = parseInput(Route, raw);
  return move(kernel, caller, 'run.routed', input, async (tx, now) => {
    const { run } = await startAgain(tx, now, { enterpriseId: caller.enterpriseId, ...input, limited: false });
    return { run, details: { task: input.task, routedRunId: run.id } };
  });
}

/** Clears a stopped run as a person and answers it. @throws as `clearRun` */
export async function clearAsPerson(kernel: Kernel, caller: Caller, raw: unknown): Promise<RunState> {
  requireScope(caller, 'runs:write');
  const input = parseInput(Retry, raw);
  return move(kernel, caller, 'run.cleared', input, async (tx, now) => {
    const run = await clearRun(tx, now, { enterpriseId: caller.enterpriseId, ...input });
    return { run, details: { status: run.status } };
  });
}

/** Escalates a run on Blockers as a person and answers it; to the same one again changes nothing. @throws as `escalateRun` */
export async function escalateAsPerson(kernel: Kernel, caller: Caller, raw: unknown): Promise<RunState> {
  requireScope(caller, 'runs:write');
  const input = parseInput(Escalate, raw);
  return move(kernel, caller, 'run.escalated', input, async (tx, now) => {
    const { run, to, alreadyEscalated } = await escalateRun(tx, now, { enterpriseId: caller.enterpriseId, ...input });
    return alreadyEscalated ? { run } : { run, details: { to: input.to, ownerId: to.id } };
  });
}
