import type { ToolHandling } from '../db/generated/enums.ts';
import type { DatabaseTrouble, TroubleKind } from '../db/trouble.ts';
import { quoted } from './shown.ts';

interface Meaning {
  /** The REST status. */
  status: number;
  /** What becomes of a tool call that meets this error; none: it is not a tool call's error. */
  handling?: ToolHandling;
  meaning: string;
}

const H = 'HAND_BACK';
const T = 'TOOL_ERROR';
const F = 'FAIL';

/** Every error code of the service. Codes of single tools are declared with the tool and stand here too. */
export const ERRORS = {
  unauthenticated: { status: 401, meaning: 'The credential is missing, unknown, expired or revoked.' },
  csrf_refused: { status: 403, meaning: 'A request with a session’s cookie did not come from a page of the service.' },
  scope_missing: { status: 403, meaning: 'The credential lacks the scope that is named.' },
  not_allowed: { status: 403, meaning: 'This kind of caller may not do this.' },
  not_gate_owner: { status: 403, meaning: 'The CEO decides gates, and the caller is not the CEO.' },
  run_read_only: { status: 403, handling: H, meaning: 'The task holds no writing os tool, so its runs only read.' },
  not_found: { status: 404, handling: T, meaning: 'The enterprise has no such object.' },
  invalid_arguments: { status: 400, handling: H, meaning: 'The arguments do not fit the schema.' },
  tool_call_id_reused: { status: 409, handling: H, meaning: 'The run used this toolCallId for another call.' },
  call_in_progress: { status: 409, handling: H, meaning: 'The call is still executing.' },
  run_waiting: { status: 409, handling: H, meaning: 'The run waits for a gate.' },
  run_not_active: { status: 409, handling: H, meaning: 'The run is not running.' },
  lease_lost: { status: 409, meaning: 'The run was handed out again since.' },
  rate_limited: { status: 429, handling: H, meaning: 'Too many requests in ten seconds.' },
  unknown_tool_name: { status: 404, handling: H, meaning: 'No tool has this name.' },
  unknown_tool_repeated: { status: 409, handling: F, meaning: 'The run kept calling tools that do not exist.' },
  bare_tool_name: { status: 400, handling: H, meaning: 'This names a whole catalog, not one of its tools.' },
  tool_not_on_task: { status: 403, handling: F, meaning: 'The task does not declare this tool.' },
  tool_value_not_declared: { status: 400, handling: H, meaning: 'The task pins this field to other values.' },
  tool_value_refused: { status: 403, handling: F, meaning: 'The task pins this field to other values, fatally.' },
  no_assigned_member: { status: 409, handling: H, meaning: 'The run has no assigned member.' },
  repo_input_required: { status: 409, handling: H, meaning: "The run's input names no repository." },
  binding_required: { status: 409, handling: H, meaning: 'No layer binds the type of this tool.' },
  github_credential_required: { status: 409, handling: H, meaning: 'The cascade of the run has no GitHub credential.' },
  gate_summary_required: { status: 409, handling: H, meaning: 'The run has not set a gate summary yet.' },
  gate_waiting: { status: 202, meaning: 'The call is held by a gate.' },
  gate_rejected: { status: 409, handling: T, meaning: 'A person rejected the call.' },
  gate_changes_requested: { status: 409, handling: H, meaning: 'A person sent the call back with changes to make.' },
  gate_expired: { status: 409, handling: T, meaning: 'Nobody decided the gate in time.' },
  gate_cancelled: { status: 409, handling: T, meaning: 'The run ended while the gate was open.' },
  tool_result_truncated: { status: 422, handling: T, meaning: 'The answer is too large to hand to a run.' },
  outcome_unknown: { status: 409, handling: T, meaning: 'The call was interrupted: it may have happened.' },
  gate_already_decided: { status: 409, meaning: 'Another decision stands.' },
  payload_changed: { status: 409, meaning: 'The decision was made on another payload.' },
  changes_not_possible: { status: 409, meaning: 'This gate cannot be sent back with changes.' },
  choice_invalid: { status: 400, meaning: 'The gate does not offer this choice.' },
  answers_incomplete: { status: 400, meaning: 'Approving needs an answer to each question.' },
  version_conflict: { status: 409, meaning: 'The object was changed since it was read.' },
  idempotency_key_reused: { status: 409, meaning: 'This key was used for other content.' },
  task_input_invalid: { status: 400, meaning: "The input lacks or breaks the task's input fields." },
  task_archived: { status: 409, meaning: 'The task is archived.' },
  run_not_on_blockers: { status: 422, handling: T, meaning: 'The run does not stand on Blockers, or not so that this move fits.' },
  retry_limit_reached: { status: 422, handling: T, meaning: 'Runs have retried or routed this chain three times: escalate.' },
  task_not_in_pipeline: { status: 422, handling: T, meaning: 'The work cannot be routed to this task.' },
  escalation_target_missing: { status: 422, handling: T, meaning: 'Nobody is there to escalate to.' },
  lease_exhausted: { status: 409, handling: F, meaning: 'The run was handed out three times and never ended.' },
  os_draining: { status: 409, meaning: 'The enterprise is draining: no run starts.' },
  cursor_expired: { status: 410, meaning: 'The events behind this cursor are gone.' },
  slow_consumer: { status: 409, meaning: 'The subscriber read more slowly than events came.' },
  too_large: { status: 413, meaning: 'The request is larger than allowed.' },
  query_too_complex: { status: 400, meaning: 'The GraphQL operation exceeds a limit.' },
  service_unavailable: { status: 503, meaning: 'The database is away. Send the same again, under the same id.' },
  service_busy: { status: 503, meaning: 'The database was waited for too long. Send the same again, under the same id.' },
  INTERNAL: { status: 500, handling: T, meaning: 'The service failed; the id finds the cause in its log.' },
} satisfies Record<string, Meaning>;

export type KnownCode = keyof typeof ERRORS;

/** The row of a code; a code of a single tool that is not in the table is its 422 tool error. */
export function meaningOf(code: string): Meaning {
  return (ERRORS as Record<string, Meaning>)[code] ?? { status: 422, handling: T, meaning: 'An error of this tool.' };
}

/** An error for the caller: what is wrong, with which value, and what is allowed. Everything else is INTERNAL to callers. */
export class ToolError extends Error {
  override readonly name = 'ToolError';

  /**
   * @param code a key of `ERRORS`, or a code that the tool declares
   * @param message for whoever must act: names the value and what to do next
   * @param details as the error table says, for programs
   */
  constructor(
    readonly code: string,
    message: string,
    readonly details?: Record<string, unknown>,
  ) {
    super(message);
  }
}

/** Told to whoever still acts with the token of an earlier attempt. */
export const HANDED_OUT_AGAIN =
  'The run was handed out again, and this token is dead: stop work on this run, and claim the next one with the worker’s token.';

/** The error of anything that the enterprise lacks, foreign ids included: they are answered alike. `look`: where to find what there is. */
export const notFound = (what: string, id: string, look = '') =>
  new ToolError('not_found', `There is no ${what} ${quoted(id)} in this enterprise.${look && ` ${look}`}`);

/** Bytes of the texts and documents of one answer to a person or a token. */
export const MOST_ANSWER_BYTES = 16 * 1_048_576;

/** Lets an answer of so many bytes pass. `advice`: what to ask for instead. @throws {ToolError} query_too_complex */
export function requireFit(bytes: number, advice: string): void {
  if (bytes <= MOST_ANSWER_BYTES) return;
  throw new ToolError(
    'query_too_complex',
    `Too complex: ${bytes} bytes of texts and documents in one answer, and ${MOST_ANSWER_BYTES} are allowed. ${advice}`,
    {
      ...{ limit: 'bytes', found: bytes, allowed: MOST_ANSWER_BYTES },
    },
  );
}

const AGAIN = 'Send the same again, under the same id: what was done already is not done twice.';

const UNSERVED: Record<TroubleKind, { code: KnownCode; message: string }> = {
  away: { code: 'service_unavailable', message: `The database of the service cannot be used at the moment. ${AGAIN}` },
  busy: { code: 'service_busy', message: `Others kept the database of the service busy for too long. ${AGAIN}` },
};

/** What the database's trouble is to callers: never the answer of a call, but an error of the operation that asked for it. */
export function unserved({ kind }: DatabaseTrouble): ToolError {
  const { code, message } = UNSERVED[kind];
  return new ToolError(code, message);
}
