/** One thing that saving a task refuses or warns of. `field` is where the input says it: `tools[2]`, `gates[0].tool`. */
export interface TaskProblem {
  code: TaskProblemCode;
  field: string;
  message: string;
  details?: Record<string, unknown>;
}

/** Why a task is not saved. */
export type TaskErrorCode =
  | 'tool_unknown'
  | 'tool_not_run_callable'
  | 'tool_type_not_bound'
  | 'tool_not_in_catalog'
  | 'tool_name_bare'
  | 'tool_duplicate'
  | 'tool_name_collision'
  | 'gate_required_for_tool'
  | 'gate_tool_not_declared'
  | 'summary_tool_required'
  | 'pin_invalid'
  | 'memory_grant_invalid'
  | 'tool_os_owned_only'
  | 'task_member_pinned'
  | 'role_unknown'
  | 'team_unknown'
  | 'successor_unknown'
  | 'slug_invalid'
  | 'slug_taken'
  | 'version_conflict'
  // of `clonedFrom`: the task it names does not exist; an existing task cannot become a clone of another
  | 'not_found'
  | 'invalid_arguments';

/** What a saved task may surprise with. */
export type TaskWarningCode = 'gate_never_waits' | 'gate_redundant' | 'run_read_only' | 'grant_unusable_on_clone' | 'assignee_needed';

export type TaskProblemCode = TaskErrorCode | TaskWarningCode;
