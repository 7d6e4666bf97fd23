import type { ToolCall } from '../../db/generated/client.ts';
import type { StoppedRun } from '../../domain/blocker/stopped-runs.ts';
import type { Move } from '../../domain/move/move-rules.ts';
import type { StoppedRunRow } from './blockers-schema.ts';

const lower = <T extends string>(text: T) => text.toLowerCase() as Lowercase<T>;

/** Runs of other statuses do not stand on Blockers. */
const statusOf = ({ status }: StoppedRun['run']) => lower(status) as 'failed' | 'finished' | 'blocked' | 'running' | 'paused';

const common = ({ sections, reason, run, lead, since, taskRetries }: StoppedRun) => ({
  sections: sections.map(lower),
  reason,
  blockClass: run.blockClass,
  lead,
  since: since.toISOString(),
  taskRetries,
});

/** A stopped run as a run reads it. `asking`: the member who does that run. */
export function rowForRun(stopped: StoppedRun, asking: string | null): StoppedRunRow {
  const { run, task, team, assignee } = stopped;
  const { escalatedTo, escalatedAt, escalationNote, escalatedMemberId } = run;
  const { repo, issue, number, pr } = run.input as Record<string, unknown>;
  return {
    runId: run.id,
    ...common(stopped),
    status: statusOf(run),
    task: task.slug,
    ...{ team, assignee },
    ...(typeof repo === 'string' && { repo: shown(repo) }),
    ...told('issue', issue ?? number),
    ...told('pr', pr),
    escalation: escalatedTo && {
      to: lower(escalatedTo),
      toYou: escalatedMemberId !== null && escalatedMemberId === asking,
      note: escalationNote ?? '',
      when: escalatedAt!.toISOString(),
    },
  };
}

/** A text of the input, at most 200 characters of it, none of them cut in half. */
const shown = (text: string) => [...text.slice(0, 400)].slice(0, 200).join('');

/** A number or a text of the input, as it has it. */
const told = (name: 'issue' | 'pr', value: unknown) => {
  if (typeof value === 'number') return { [name]: value };
  return typeof value === 'string' ? { [name]: shown(value) } : {};
};

/** A stopped run as the portal shows it. */
export function rowForPortal(stopped: StoppedRun, moves: Move[], unknown: ToolCall[]): StoppedRunRow {
  const { run, task, executionName, assignee, escalatedTo } = stopped;
  const { id, taskVersion, attempt, input, output, outcome, failureCode, createdAt, startedAt, finishedAt } = run;
  const owner = escalatedTo;
  return {
    run: {
      ...{ id, status: statusOf(run), task, taskVersion, attempt, input, output, outcome, failureCode },
      execution: { id: run.executionId, name: executionName },
      member: assignee,
      createdAt: createdAt.toISOString(),
      startedAt: startedAt?.toISOString() ?? null,
      finishedAt: finishedAt?.toISOString() ?? null,
    },
    ...common(stopped),
    escalation: run.escalatedTo && {
      to: lower(run.escalatedTo),
      member: run.escalatedMemberId ? owner : null,
      person: run.escalatedPersonId ? owner : null,
      note: run.escalationNote ?? '',
      at: run.escalatedAt!.toISOString(),
    },
    moves: moves.map(({ kind, refusal, targets }) => ({
      kind: lower(kind),
      possible: !refusal,
      reason: refusal?.message ?? null,
      targets,
    })),
    outcomeUnknown: unknown.map(({ id, toolCallId, tool, arguments: args, errorMessage, createdAt }) => ({
      ...{ id, toolCallId, tool, arguments: args, message: errorMessage, createdAt: createdAt.toISOString() },
    })),
  };
}
