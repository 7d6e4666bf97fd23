import { Refusal } from './api.js';

/**
 * What a refused decision says, and beside which part of the form it belongs.
 * @typedef {{ at: 'actions' | 'note' | 'editor', text: string } | { at: 'question', number: number, text: string }} Problem
 */

/**
 * @param {unknown} error @param {{ edited: boolean, answers: { number: number }[] }} sent
 * @returns {Problem[]}
 */
export function problemsOf(error, { edited, answers }) {
  if (!(error instanceof Refusal)) return [{ at: 'actions', text: `The page failed: ${error}. Reload it, then look at this gate again.` }];
  const { code, message, details } = error;
  if (code === 'answers_incomplete') {
    return details.missing.map((/** @type {number} */ number) => ({ at: 'question', number, text: 'Choose an answer to this question.' }));
  }
  if (code === 'invalid_arguments' && Array.isArray(details.issues)) {
    return details.issues.map((/** @type {Issue} */ issue) => placed(issue, edited, answers));
  }
  if (edited && (code === 'tool_value_not_declared' || code === 'tool_value_refused')) return [{ at: 'editor', text: message }];
  return [{ at: 'actions', text: HINTS[code]?.(message, details) ?? message }];
}

/** @typedef {{ path: string, message: string }} Issue */

/** @param {Issue} issue @param {boolean} edited @param {{ number: number }[]} answers @returns {Problem} */
function placed({ path, message }, edited, answers) {
  const answer = answers[Number(/^answers\[(\d+)\]/.exec(path)?.[1] ?? -1)];
  if (answer) return { at: 'question', number: answer.number, text: `${message}.` };
  if (path === 'note') return { at: 'note', text: message };
  return { at: edited ? 'editor' : 'actions', text: path === '' ? message : `${path}: ${message}` };
}

/** @type {Record<string, (message: string, details: any) => string>} */
const HINTS = {
  unreachable: () =>
    'No answer came, so the decision may or may not have arrived. Once the connection is back the gate shows how it stands; deciding again is safe, as a gate is decided once.',
  payload_changed: () => 'The payload is not the one shown here any more. Reload the page and look at it again before you decide.',
  rate_limited: (message, { retryAfterSeconds }) => `${message} Try again in ${retryAfterSeconds ?? 10} s.`,
};
