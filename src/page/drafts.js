/** @import { Answer } from './types.d.ts' */

/** @typedef {{ note: string, answers: Map<number, Answer>, editing: boolean, text: string | undefined }} Draft */

/** @type {Map<string, Draft>} */
const drafts = new Map();

/** What was written at a gate and not sent yet: it stays while other gates are looked at. @param {string} id */
export function draftOf(id) {
  const draft = drafts.get(id) ?? { note: '', answers: new Map(), editing: false, text: undefined };
  drafts.set(id, draft);
  return draft;
}

/** @param {string} id */
export const dropDraft = (id) => drafts.delete(id);
