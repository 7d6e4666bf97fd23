import { h } from './dom.js';
import { visible } from './invisible.js';
import { moment, ticking } from './time.js';

/** @import { Gate, FullGate } from './types.d.ts' */

/** @type {Record<string, string>} */
const ENDS = {
  APPROVED: 'approved',
  REJECTED: 'rejected',
  CHANGES_REQUESTED: 'sent back with changes',
  EXPIRED: 'timed out',
  CANCELLED: 'cancelled with its run',
};

/** How a gate ended, in words. @param {string} status @param {string | null} [choice] */
export const endOf = (status, choice) => (choice ? `decided: ${choice}` : (ENDS[status] ?? status.toLowerCase()));

/** Who decided what, of a gate that waits no more. @param {Gate} gate */
export function decisionLine({ status, choice, decidedBy, decidedAt }) {
  const by = decidedBy ? [' by ', h('strong', {}, visible(decidedBy.name))] : [];
  return h(
    'span',
    {},
    `This gate was ${endOf(status, choice)}`,
    ...by,
    decidedAt && [', ', moment(decidedAt), ' (', ticking('age', decidedAt), ')'],
    '. That stands.',
  );
}

/** How many runs wait behind it. @param {number} count */
export const holdsUpText = (count) => `holds up ${count} ${count === 1 ? 'run' : 'runs'}`;

/** Who asks. @param {Pick<Gate, 'run'>} gate */
export const askerOf = ({ run: { member } }) => (member ? member.name : 'The system');

/** @param {FullGate} gate @returns {import('./types.d.ts').Question[]} the questions that approving answers */
export function questionsOf({ tool, payload }) {
  const questions = tool === 'os.ask_ceo' ? payload?.questions : undefined;
  return Array.isArray(questions) ? questions : [];
}
