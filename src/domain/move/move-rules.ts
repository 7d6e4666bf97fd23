import { ToolError } from '../../kernel/errors.ts';
import { listed, quoted } from '../../kernel/shown.ts';
import type { StoppedRun } from '../blocker/stopped-runs.ts';
import { startProblem } from '../task/start-problem.ts';
import type { PipelineTask } from './pipeline.ts';

/** What can be done about a stopped run. */
export type MoveKind = 'RETRY' | 'ROUTE' | 'CLEAR' | 'ESCALATE';

/** One of the four moves on one run. */
export interface Move {
  kind: MoveKind;
  /** Why it is not possible now; null: it is. */
  refusal: ToolError | null;
  /** Of ROUTE: the slugs of the tasks that can take the work on. */
  targets: string[];
}

/** How many retries and routes runs may make in one chain. */
export const MOST_TASK_MOVES = 3;

/** The four moves on a stopped run. `limited`: it is a run that asks, not a person. These are the rules that the moves keep. */
export function movesOf(stopped: StoppedRun, tasks: PipelineTask[], limited: boolean): Move[] {
  const ended = notEnded(stopped);
  const again = ended ?? (limited ? limitReached(stopped) : null);
  const own = tasks.find((task) => task.own);
  const targets = again ? [] : routeTargets(stopped, tasks);
  return [
    { kind: 'RETRY', refusal: again ?? (own ? startProblem(own, stopped.run.input) : null), targets: [] },
    { kind: 'ROUTE', refusal: again ?? (targets.length === 0 ? noTarget(stopped) : null), targets },
    { kind: 'CLEAR', refusal: ended, targets: [] },
    {
      kind: 'ESCALATE',
      refusal: (stopped.lead ?? stopped.ceo) ? null : nobody('There is neither a lead nor a COO nor a CEO.'),
      targets: [],
    },
  ];
}

/** Lets a move pass, or says why not. @throws {ToolError} the refusal of the rules */
export function requireMove(moves: Move[], kind: MoveKind): Move {
  const move = moves.find((one) => one.kind === kind)!;
  if (move.refusal) throw move.refusal;
  return move;
}

/**
 * Whether the run can be routed to this task.
 * @throws {ToolError} task_not_in_pipeline {allowed}, task_archived, task_input_invalid
 */
export function requireTarget(stopped: StoppedRun, tasks: PipelineTask[], slug: string): void {
  const task = tasks.find((one) => !one.own && one.slug === slug);
  const problem = task && startProblem(task, stopped.run.input);
  if (problem) throw problem;
  if (task) return;
  const allowed = routeTargets(stopped, tasks);
  const may = allowed.length > 0 ? `Allowed are ${listed(allowed)}.` : 'It can be routed to none.';
  const said = `${quoted(slug)} is neither an earlier stage of this work nor a successor of ${stopped.task.slug}.`;
  throw new ToolError('task_not_in_pipeline', `${said} ${may}`, { allowed });
}

const routeTargets = ({ run }: StoppedRun, tasks: PipelineTask[]) =>
  tasks.filter((task) => !task.own && startProblem(task, run.input) === null).map(({ slug }) => slug);

function notEnded({ run, sections }: StoppedRun): ToolError | null {
  if (sections.some((section) => section !== 'STALLED' && section !== 'PAUSED')) return null;
  const said = { STALLED: 'stalled: it is handed out again by itself', PAUSED: 'paused: it goes on once it may spend again' };
  const how = said[sections[0] as keyof typeof said];
  const message = `The run is ${how}. Only a failed, blocked or stopped run is retried, routed or cleared; this one can be escalated with os.escalate_run.`;
  return new ToolError('run_not_on_blockers', message, { status: run.status });
}

function limitReached({ taskRetries }: StoppedRun): ToolError | null {
  if (taskRetries < MOST_TASK_MOVES) return null;
  const message = `Runs have retried or routed this chain ${taskRetries} times, and ${MOST_TASK_MOVES} are allowed: escalate it with os.escalate_run.`;
  return new ToolError('retry_limit_reached', message, { taskRetries, allowed: MOST_TASK_MOVES });
}

const noTarget = ({ task }: StoppedRun) =>
  new ToolError(
    'task_not_in_pipeline',
    `No earlier stage of this work and no successor of ${task.slug} can take it on: retry it with os.retry_run, or escalate it with os.escalate_run.`,
    { allowed: [] },
  );

/** The refusal of an escalation to somebody who is not there. */
export const nobody = (message: string) => new ToolError('escalation_target_missing', message);
