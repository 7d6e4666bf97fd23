import { z } from 'zod';
import { callerNow } from '../../auth/authenticate.ts';
import type { Caller } from '../../auth/caller.ts';
import { requireScope } from '../../auth/scopes.ts';
import type { Tx } from '../../db/database.ts';
import { only } from '../../db/only.ts';
import { statement } from '../../db/statement.ts';
import { holdSwitches } from '../../db/switch-lock.ts';
import { HANDED_OUT_AGAIN, ToolError } from '../../kernel/errors.ts';
import { hashOf } from '../../kernel/hash.ts';
import { after, type Kernel } from '../../kernel/kernel.ts';
import { parseInput } from '../../kernel/parse-input.ts';
import { tellBlocker } from '../blocker/stopped.ts';
import { endRun, type RunEnd } from './end-run.ts';
import { ENDED, PAUSED_BY, type RunRow, type RunState, stateColumns } from './run-row.ts';
import { contentOf, hasCallInProgress, lockRun, openGateOf } from './run-statements.ts';
import { latestTaskOf } from './task-of-run.ts';

const driven = { runId: z.string().max(200), attempt: z.int32().nullish() };
const spentCents = z.int32().min(0).nullish();
const text = (most: number) => z.string().min(1).max(most);

const Heartbeat = z.strictObject({ ...driven, spentCents });
const Finish = z.strictObject({ ...driven, outcome: text(200), output: z.record(z.string(), z.unknown()).nullish(), spentCents });
const Fail = z.strictObject({ ...driven, code: text(200), reason: text(10_000) });
const Block = z.strictObject({ ...driven, blockClass: text(200), reason: text(10_000) });

interface Driver {
  runId: string;
  attempt?: number | null | undefined;
}

/** The run, locked, for whoever drives it: its own token, or a `runs:work` token that names the attempt it claimed. */
async function lockDriven(kernel: Kernel, tx: Tx, caller: Caller, { runId, attempt }: Driver): Promise<RunState> {
  if (caller.run) {
    if (caller.run.id !== runId) throw new ToolError('not_allowed', 'A run token drives its own run only.');
    const run = await lockRun(tx, caller.enterpriseId, runId);
    if (run.attempt !== caller.run.attempt) throw new ToolError('unauthenticated', HANDED_OUT_AGAIN);
    return run;
  }
  requireScope(caller, 'runs:work');
  const run = await lockRun(tx, caller.enterpriseId, runId);
  requireScope(await callerNow(tx, kernel, caller), 'runs:work');
  if (attempt === null || attempt === undefined) {
    throw new ToolError('invalid_arguments', 'attempt: give the attempt of the claimed run.', {
      issues: [{ path: 'attempt', message: 'is required with a token that is not the run’s own' }],
    });
  }
  if (attempt === run.attempt) return run;
  throw new ToolError('lease_lost', `Attempt ${attempt} lost the run: it is at attempt ${run.attempt}.`, { attempt: run.attempt });
}

const renew = statement<RunState, [string, string, Date, number | null]>(
  'renew_lease',
  `UPDATE "Run" SET "leaseExpiresAt" = $3, "stalledAt" = NULL, "spentCents" = coalesce($4, "spentCents")
   WHERE "enterpriseId" = $1 AND "id" = $2 RETURNING ${stateColumns()}`,
);

/** Gives a locked running run a full lease from now. */
export async function renewLease(kernel: Kernel, tx: Tx, run: RunState, spentCents: number | null): Promise<RunState> {
  const lease = after(kernel.now(), kernel.timing.runLease);
  const renewed = only(await tx.query(renew(run.enterpriseId, run.id, lease, spentCents)), `run ${run.id}`);
  tellBlocker(tx, run, renewed);
  return renewed;
}

/**
 * Renews the run's lease, a late one too; while the run waits it changes nothing.
 * @throws {ToolError} lease_lost, run_not_active
 */
export function heartbeatRun(kernel: Kernel, caller: Caller, raw: unknown): Promise<RunState> {
  const input = parseInput(Heartbeat, raw);
  return kernel.db.transaction(async (tx) => {
    const run = await lockDriven(kernel, tx, caller, input);
    if (run.status === 'WAITING') return run;
    if (run.status !== 'RUNNING') throw notActive(run);
    return (await pauseOverspent(kernel, tx, run, input.spentCents)) ?? renewLease(kernel, tx, run, input.spentCents ?? null);
  });
}

/**
 * Ends the run with an outcome; its successors for that outcome start. Sent again with the same values it answers the run as it is.
 * @throws {ToolError} run_waiting, run_not_active, call_in_progress, lease_lost
 */
export function finishRun(kernel: Kernel, caller: Caller, raw: unknown): Promise<RunState> {
  const { outcome, output: given, spentCents, ...driver } = parseInput(Finish, raw);
  const output = given ?? {};
  const end: RunEnd = { status: 'FINISHED', outcome, output, ...(typeof spentCents === 'number' && { spentCents }) };
  return drive(kernel, caller, driver, end, async (tx, run) => {
    if (await hasCallInProgress(tx, run.id)) {
      throw new ToolError('call_in_progress', 'A call of this run is still executing. Finish once it has ended.');
    }
    return pauseOverspent(kernel, tx, run, spentCents);
  });
}

/** Ends the run as failed, for the worker's own reason. */
export function failRun(kernel: Kernel, caller: Caller, raw: unknown): Promise<RunState> {
  const { code, reason, ...driver } = parseInput(Fail, raw);
  return drive(kernel, caller, driver, { status: 'FAILED', failureCode: code, reason });
}

/** The agent says that it cannot go on: the run leaves its work as blocked and shows on Blockers. */
export function blockRun(kernel: Kernel, caller: Caller, raw: unknown): Promise<RunState> {
  const { blockClass, reason, ...driver } = parseInput(Block, raw);
  return drive(kernel, caller, driver, { status: 'BLOCKED', blockClass, reason });
}

type Check = (tx: Tx, run: RunState) => Promise<RunState | undefined>;

async function drive(kernel: Kernel, caller: Caller, driver: Driver, end: RunEnd, check?: Check): Promise<RunState> {
  return kernel.db.transaction(async (tx) => {
    const run = await lockDriven(kernel, tx, caller, driver);
    if (run.status === 'WAITING') throw await waiting(tx, run);
    if (await sameEnd(tx, run, end)) return run;
    if (run.status !== 'RUNNING') throw notActive(run);
    return (await check?.(tx, run)) ?? endRun(tx, kernel.now(), run, end);
  });
}

async function sameEnd(tx: Tx, run: RunState, end: RunEnd): Promise<boolean> {
  if (run.status !== end.status) return false;
  const { output } = await contentOf(tx, run);
  const asked = [end.outcome ?? null, end.output ?? null, end.failureCode ?? null, end.reason ?? null, end.blockClass ?? null];
  return hashOf(asked) === hashOf([run.outcome, output, run.failureCode, run.reason, run.blockClass]);
}

/** Past its task's spend limit, as it is now, the run is paused until a person raises the limit or cancels it. */
async function pauseOverspent(kernel: Kernel, tx: Tx, run: RunState, spent: number | null | undefined): Promise<RunState | undefined> {
  if (typeof spent !== 'number') return undefined;
  await holdSwitches(tx, run.enterpriseId);
  const { spendLimitCents } = await latestTaskOf(tx, run);
  if (spendLimitCents === null || spent <= spendLimitCents) return undefined;
  const reason = `The run has spent ${spent} cents; its task allows ${spendLimitCents}.`;
  return endRun(tx, kernel.now(), run, { status: 'PAUSED', blockClass: PAUSED_BY.spendLimit, reason, spentCents: spent });
}

/** The refusal of what only a running run may do. */
export function notActive({ status }: Pick<RunRow, 'status'>): ToolError {
  const next = ENDED.includes(status)
    ? 'It has ended: stop, and make no further call in it'
    : 'Stop: whoever claims it next goes on with it, under a token of its own';
  return new ToolError('run_not_active', `The run is ${status.toLowerCase()}, not running. ${next}.`, { status });
}

/** The refusal of what a run may not do while it waits. */
export async function waiting(tx: Tx, run: Pick<RunRow, 'id'>): Promise<ToolError> {
  const gateId = await openGateOf(tx, run.id);
  return new ToolError('run_waiting', 'The run waits for a decision. Send this again once its gate has ended.', { gateId });
}
