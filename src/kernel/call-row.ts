import { v7 } from 'uuid';
import { columns } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { ToolCall } from '../db/generated/client.ts';
import type { ToolCallStatus, ToolHandling } from '../db/generated/enums.ts';
import { json, statement } from '../db/statement.ts';
import type { CallingRun } from '../domain/run/run-row.ts';
import { meaningOf, ToolError } from './errors.ts';
import { sha256 } from './hash.ts';
import type { RegisteredTool } from './registry.ts';

/** A tool call as it stands in the database, without the sizes that the database computes. */
export type CallRow = Omit<ToolCall, `${string}Bytes`>;

/** The most characters of JSON that an answer may have. */
export const MOST_CHARACTERS = 25_000;

/** How a call ended: with a result, or with an error. */
export type Ending = { result: unknown } | { error: ToolError };

const STATUS: Record<ToolHandling, ToolCallStatus> = { HAND_BACK: 'HANDED_BACK', TOOL_ERROR: 'TOOL_ERROR', FAIL: 'RUN_FAILED' };

/** What a call's row says of an error. */
export function failureOf(error: ToolError) {
  const handling = meaningOf(error.code).handling ?? 'TOOL_ERROR';
  const status: ToolCallStatus = error.code === 'outcome_unknown' ? 'OUTCOME_UNKNOWN' : STATUS[handling];
  return { status, errorCode: error.code, errorMessage: error.message, errorHandling: handling, errorDetails: error.details };
}

interface NewCall {
  id: string;
  toolCallId: string;
  name: string;
  arguments: unknown;
  contentHash: string;
  now: Date;
  lease: { owner: string; expiresAt: Date } | null;
}

type ClaimValues = [string, string, number, string, string, string, unknown, string, Date, string | null, Date | null];

/** Locks the run and, where it is running and the toolCallId is free, inserts the call: one round trip for both. */
const claim = statement<CallingRun & { claimed: boolean }, ClaimValues>(
  'claim_call',
  `WITH run AS MATERIALIZED (
     SELECT "id", "enterpriseId", "taskId", "executionId", "memberId", "status", "attempt", "gateSummary", "summaryGateId", "stalledAt"
     FROM "Run" WHERE "enterpriseId" = $1 AND "id" = $2 FOR NO KEY UPDATE
   ),
   call AS (
     INSERT INTO "ToolCall" ("id", "enterpriseId", "runId", "toolCallId", "boundId", "tool", "arguments", "contentHash", "status",
       "createdAt", "leaseOwner", "leaseExpiresAt")
     SELECT $4, $1, $2, $5, $5, $6, $7, $8, 'EXECUTING', $9, $10, $11
     FROM run WHERE run."status" = 'RUNNING' AND run."attempt" = $3
     ON CONFLICT ("runId", "boundId") DO NOTHING RETURNING "id"
   )
   SELECT run.*, call."id" IS NOT NULL AS "claimed" FROM run LEFT JOIN call ON true`,
);

/** The run, locked, and whether the call is now ours to make. Undefined: there is no such run. */
export async function claimCall(tx: Tx, run: { enterpriseId: string; id: string; attempt: number }, call: NewCall) {
  const [row] = await tx.query(
    claim(
      ...([run.enterpriseId, run.id, run.attempt, call.id, call.toolCallId, call.name, json(call.arguments), call.contentHash] as const),
      ...([call.now, call.lease?.owner ?? null, call.lease?.expiresAt ?? null] as const),
    ),
  );
  return row;
}

/** A call that holds its toolCallId, and whether it opened a gate. */
export type BoundCall = CallRow & { gated: boolean };

const bound = statement<BoundCall, [string, string]>(
  'bound_call',
  `SELECT ${columns('ToolCall', 'c')}, EXISTS (SELECT FROM "Gate" WHERE "callId" = c."id") AS "gated" FROM "ToolCall" c WHERE c."runId" = $1 AND c."boundId" = $2`,
);

/** The call that holds this toolCallId in the run. */
export const boundCall = async (tx: Queryable, runId: string, toolCallId: string): Promise<BoundCall | undefined> =>
  (await tx.query(bound(runId, toolCallId)))[0];

type InsertValues = [
  string,
  string,
  string,
  string,
  string | null,
  string,
  unknown,
  string,
  ToolCallStatus,
  Date,
  string,
  string,
  ToolHandling,
  unknown,
];

const insertFailed = statement<CallRow, InsertValues>(
  'insert_failed_call',
  `INSERT INTO "ToolCall" ("id", "enterpriseId", "runId", "toolCallId", "boundId", "tool", "arguments", "contentHash", "status",
     "createdAt", "finishedAt", "errorCode", "errorMessage", "errorHandling", "errorDetails")
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, $13, $14) RETURNING ${columns('ToolCall')}`,
);

/** Records a call that never took effect. One that is handed back frees its toolCallId. */
export async function insertFailedCall(
  tx: Tx,
  run: Pick<CallingRun, 'id' | 'enterpriseId'>,
  call: Omit<NewCall, 'lease'>,
  error: ToolError,
): Promise<CallRow> {
  const { status, errorCode, errorMessage, errorHandling, errorDetails } = failureOf(error);
  const holds = status === 'HANDED_BACK' ? null : call.toolCallId;
  const [row] = await tx.query(
    insertFailed(
      ...([call.id, run.enterpriseId, run.id, call.toolCallId, holds, call.name, json(call.arguments), call.contentHash] as const),
      ...([status, call.now, errorCode, errorMessage, errorHandling, json(errorDetails)] as const),
    ),
  );
  return row!;
}

type EndValues = [
  string,
  ToolCallStatus,
  unknown,
  number | null,
  string | null,
  string | null,
  string | null,
  ToolHandling | null,
  unknown,
  Date,
  string | null,
];

const end = statement<CallRow, EndValues>(
  'end_call',
  `UPDATE "ToolCall" SET "status" = $2::"ToolCallStatus", "result" = $3, "resultSize" = $4, "resultHash" = $5, "errorCode" = $6, "errorMessage" = $7,
     "errorHandling" = $8, "errorDetails" = $9, "finishedAt" = $10, "leaseOwner" = NULL, "leaseExpiresAt" = NULL,
     "boundId" = CASE WHEN $2::"ToolCallStatus" = 'HANDED_BACK' AND NOT EXISTS (SELECT FROM "Gate" WHERE "callId" = $1) THEN NULL ELSE "boundId" END
   WHERE "id" = $1 AND "leaseOwner" IS NOT DISTINCT FROM $11 AND "status" IN ('EXECUTING', 'WAITING', 'SUCCEEDED', 'TOOL_ERROR') RETURNING ${columns('ToolCall')}`,
);

/**
 * The statement that records how a call ended, if `owner` still holds its claim. A read's answer is not kept, only its size
 * and hash; a hand-back without a gate frees the toolCallId.
 */
export function endCall(id: string, tool: RegisteredTool, keepsAnswer: boolean, ending: Ending, now: Date, owner: string | null = null) {
  const said = 'result' in ending ? shortened(tool, ending.result) : ending;
  if ('result' in said) {
    const { result, text } = said;
    const stored = keepsAnswer ? json(result) : null;
    return end(id, 'SUCCEEDED', stored, text.length, keepsAnswer ? null : sha256(text), null, null, null, null, now, owner);
  }
  const { status, errorCode, errorMessage, errorHandling, errorDetails } = failureOf(said.error);
  return end(id, status, null, null, null, errorCode, errorMessage, errorHandling, json(errorDetails), now, owner);
}

/** The answer with its JSON, or the error in its place when it is too large to hand to a run. */
export function shortened(tool: RegisteredTool, result: unknown): { result: unknown; text: string } | { error: ToolError } {
  const text = JSON.stringify(result);
  if (text.length <= MOST_CHARACTERS) return { result, text };
  const cut = text.slice(0, 2_000);
  const preview = cut.isWellFormed() ? cut : cut.slice(0, -1);
  const fields = Object.keys(tool.inputSchema.properties ?? {}).filter((field) =>
    ['page', 'limit', 'offset', 'compact', 'team'].includes(field),
  );
  const hint = fields.length > 0 ? `Ask for less with ${fields.join(', ')}.` : 'Ask for less.';
  const done = tool.effect === 'write' ? 'The call was made, but its' : 'The';
  const message = `${done} answer has ${text.length} characters; at most ${MOST_CHARACTERS} are handed over. ${hint}`;
  return { error: new ToolError('tool_result_truncated', message, { totalChars: text.length, maxChars: MOST_CHARACTERS, preview, hint }) };
}

const NO_ERROR = { errorCode: null, errorMessage: null, errorHandling: null, errorDetails: null };

/** A call as it stands once it is claimed. */
export const claimedRow = (run: Pick<CallingRun, 'id' | 'enterpriseId'>, call: NewCall): CallRow => ({
  ...{ id: call.id, enterpriseId: run.enterpriseId, runId: run.id, toolCallId: call.toolCallId, boundId: call.toolCallId, tool: call.name },
  ...{ arguments: call.arguments as CallRow['arguments'], contentHash: call.contentHash, status: 'EXECUTING' },
  ...{ result: null, resultSize: null, resultHash: null, ...NO_ERROR, editedByHuman: null },
  ...{ leaseOwner: call.lease?.owner ?? null, leaseExpiresAt: call.lease?.expiresAt ?? null, createdAt: call.now, finishedAt: null },
});

const succeed = statement<Pick<CallRow, 'arguments' | 'result'>, [string, unknown, number, string | null, Date]>(
  'succeed_call',
  `UPDATE "ToolCall" SET "status" = 'SUCCEEDED', "result" = $2, "resultSize" = $3, "resultHash" = $4, "finishedAt" = $5,
     "errorCode" = NULL, "errorMessage" = NULL, "errorHandling" = NULL, "errorDetails" = NULL
   WHERE "id" = $1 RETURNING "arguments", "result"`,
);

/**
 * Records with the commit what a call answered whose effect is in this transaction, and answers the call as it then stands.
 * Of the row only what jsonb may have written differently is read back: reading all of it costs as much as writing it.
 */
export async function succeedCall(tx: Tx, before: CallRow, tool: RegisteredTool, answer: unknown, now: Date): Promise<CallRow> {
  const keeps = tool.effect === 'write';
  const said = shortened(tool, answer);
  if ('error' in said) return (await tx.last(endCall(before.id, tool, keeps, said, now)))[0]!;
  const { result, text } = said;
  const measured = { resultSize: text.length, resultHash: keeps ? null : sha256(text) };
  const [stored] = await tx.last(succeed(before.id, keeps ? json(result) : null, measured.resultSize, measured.resultHash, now));
  const told = keeps ? stored! : { arguments: stored!.arguments, result: result as CallRow['result'] };
  return { ...before, ...NO_ERROR, ...measured, ...told, status: 'SUCCEEDED', finishedAt: now };
}

/** A refusal that leaves no record: its id is found nowhere. */
export function unrecorded(
  run: { enterpriseId: string; id: string },
  { toolCallId, name, arguments: args }: { toolCallId: string; name: string; arguments: unknown },
  error: ToolError,
  now: Date,
): CallRow {
  const { errorDetails, ...failure } = failureOf(error);
  const row = claimedRow(run, { id: v7(), toolCallId, name, arguments: args, contentHash: '', now, lease: null });
  return { ...row, ...failure, errorDetails: (errorDetails ?? null) as CallRow['errorDetails'], boundId: null, finishedAt: now };
}
