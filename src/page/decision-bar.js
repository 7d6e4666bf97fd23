import { h } from './dom.js';

/** @import { Decision, FullGate } from './types.d.ts' */

/**
 * What a person can choose at a gate.
 * @typedef {{ decision: Decision['decision'], choice?: string, label: string, done: string, key?: string, look: string, needsNote?: string }} Option
 */

/** @param {FullGate} gate @returns {Option[]} */
export function optionsOf(gate) {
  if (gate.choices.length > 0) {
    return gate.choices.map(({ value, label, note }, index) => ({
      ...{ decision: 'CHOICE', choice: value, label, done: `Decided: ${label}`, key: index < 9 ? String(index + 1) : undefined, look: '' },
      ...(note && { needsNote: `${label} needs a note: ${note}` }),
    }));
  }
  /** @type {Option[]} */
  const options = [{ decision: 'APPROVE', label: 'Approve', done: 'Approved', key: 'a', look: 'primary' }];
  if (gate.canRequestChanges) {
    const needsNote = 'Say in the note what should change: the run reads it.';
    options.push({ decision: 'REQUEST_CHANGES', label: 'Send back', done: 'Sent back', key: 's', look: '', needsNote });
  }
  return [...options, { decision: 'REJECT', label: 'Reject', done: 'Rejected', key: 'r', look: 'danger' }];
}

/** The buttons of a gate. @param {Option[]} options @param {(option: Option, event: MouseEvent) => void} onDecide */
export function decisionButtons(options, onDecide) {
  return options.map((option) => {
    const label = h('span', {}, option.label);
    const button = h(
      'button',
      {
        type: 'button',
        class: `button ${option.look}`,
        'aria-keyshortcuts': option.key,
        onclick: (/** @type {MouseEvent} */ event) => onDecide(option, event),
      },
      label,
      option.key && h('kbd', { 'aria-hidden': 'true' }, option.key),
    );
    return { option, button, label };
  });
}
