import type { Tx } from '../../db/database.ts';
import type { IssueState } from '../../db/generated/enums.ts';
import { statement } from '../../db/statement.ts';
import type { RunRow } from './run-row.ts';
import { lockingSchedule } from './run-statements.ts';

/** An issue of a tracker. */
export interface Issue {
  repo: string;
  number: number;
}

/** SQL: what of a run's input says which issue that is, without the rest of it. */
export const ISSUE_FIELDS = `jsonb_build_object('repo', "input"->'repo', 'issue', "input"->'issue', 'number', "input"->'number')`;

const MOST = 2_147_483_647;

/** The issue that a run with this input works on: `repo` with `issue` or `number`. Null: none that can be told. */
export function issueOf(input: unknown): Issue | null {
  const { repo, issue, number: other } = input as { repo?: unknown; issue?: unknown; number?: unknown };
  const told = issue ?? other;
  const number = typeof told === 'string' && /^\d{1,10}$/.test(told) ? Number(told) : told;
  const fits = typeof repo === 'string' && repo.length >= 1 && repo.length <= 200;
  return fits && Number.isInteger(number) && (number as number) >= 1 && (number as number) <= MOST
    ? { repo, number: number as number }
    : null;
}

const begin = statement<object, [string, string, number, string, Date]>(
  'issue_in_flight',
  `INSERT INTO "IssueMark" ("enterpriseId", "repo", "number", "state", "runId", "updatedAt") VALUES ($1, $2, $3, 'IN_FLIGHT', $4, $5)
   ON CONFLICT ("enterpriseId", "repo", "number") DO UPDATE
   SET "state" = 'IN_FLIGHT', "runId" = excluded."runId", "updatedAt" = excluded."updatedAt"`,
);

const change = statement<object, [string, string, number, string, IssueState, Date]>(
  'change_issue_mark',
  `UPDATE "IssueMark" SET "state" = $5, "updatedAt" = $6 WHERE "enterpriseId" = $1 AND "repo" = $2 AND "number" = $3 AND "runId" = $4`,
);

type Worker = Pick<RunRow, 'enterpriseId' | 'id'>;

// Marks are only touched by whoever holds the schedule, so that two transactions never wait for each other's; nobody waits for
// what comes of it, so it is done with the commit.

/** A new run works on its issue, if it has one: the mark is this run's from now on. */
export function markInFlight(tx: Tx, now: Date, { enterpriseId, id }: Worker, input: unknown): void {
  const issue = issueOf(input);
  if (!issue) return;
  tx.atCommit(lockingSchedule(enterpriseId));
  tx.atCommit(begin(enterpriseId, issue.repo, issue.number, id, now));
}

/** The run blocks on its issue, or works on it no longer; a newer run's mark is left alone. */
export function markIssue(tx: Tx, now: Date, { enterpriseId, id }: Worker, input: unknown, state: IssueState): void {
  const issue = issueOf(input);
  if (!issue) return;
  tx.atCommit(lockingSchedule(enterpriseId));
  tx.atCommit(change(enterpriseId, issue.repo, issue.number, id, state, now));
}
