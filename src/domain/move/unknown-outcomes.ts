import type { Queryable } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/** A call that may have happened: whoever takes the work on looks before repeating it. */
export interface UnknownOutcome {
  toolCallId: string;
  tool: string;
  arguments: unknown;
}

const select = statement<UnknownOutcome, [string]>(
  'unknown_outcomes',
  `SELECT "toolCallId", "tool", "arguments" FROM "ToolCall" WHERE "runId" = $1 AND "status" IN ('OUTCOME_UNKNOWN', 'EXECUTING') ORDER BY "id"`,
);

/** The calls of a run whose outcome nobody knows, oldest first: interrupted ones, and those that are executing at this moment. */
export const unknownOutcomes = (tx: Queryable, runId: string): Promise<UnknownOutcome[]> => tx.query(select(runId));
