import type { Tx } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import type { CallingRun } from '../domain/run/run-row.ts';
import { ToolError } from './errors.ts';

/** What a call needs beside arguments that fit. `mayWrite`: its run's task holds an os tool that writes. */
interface Needing {
  tool: { name: string; effect: string; needsSummary?: boolean; needsMember?: boolean };
  memberId: string | null;
  summary: string | null;
  mayWrite: boolean;
}

/** Lets a call pass that has what it needs. @throws {ToolError} run_read_only, no_assigned_member, gate_summary_required */
export function checkNeeds({ tool, memberId, summary, mayWrite }: Needing): void {
  if (tool.effect === 'write' && !mayWrite) {
    throw new ToolError(
      'run_read_only',
      'The task of this run holds no os tool that writes, so its runs only read: call its tools that read, and end the run with what you have.',
    );
  }
  if (tool.needsMember && !memberId)
    throw new ToolError(
      'no_assigned_member',
      `${tool.name} needs a run with an assigned member, and this one has none: go on without it, or end the run.`,
    );
  if (tool.needsSummary && summary === null) {
    const message = `Call os.set_gate_summary first, for each gate anew: whoever decides on ${tool.name} reads it.`;
    throw new ToolError('gate_summary_required', message);
  }
}

const sentBack = statement<{ id: string }, [string, string, string]>(
  'gate_that_sent_back',
  `SELECT "id" FROM "Gate" WHERE "enterpriseId" = $1 AND "id" = $2 AND "tool" = $3 AND "status" = 'CHANGES_REQUESTED'`,
);

/**
 * The run's gate summary as far as it counts for a call of this tool; null: it has none. A summary is for the run's next gate:
 * once one has copied it, it counts again only where that gate sent a call of the same tool back.
 */
export async function summaryFor(tx: Tx, run: CallingRun, tool: string): Promise<string | null> {
  if (run.gateSummary === null || run.summaryGateId === null) return run.gateSummary;
  const again = await tx.query(sentBack(run.enterpriseId, run.summaryGateId, tool));
  return again.length > 0 ? run.gateSummary : null;
}
