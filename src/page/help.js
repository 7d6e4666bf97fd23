import { h } from './dom.js';
import { keysAreOn, setKeys } from './keys.js';

const KEYS = [
  [
    'Everywhere',
    [
      ['j', 'Next in the list'],
      ['k', 'Previous in the list'],
      ['Enter', 'Open it'],
      ['Esc', 'Back; out of a field'],
      ['/', 'Filter the list'],
      ['g', 'Gates'],
      ['b', 'Blockers'],
      ['?', 'This help'],
    ],
  ],
  [
    'At a gate',
    [
      ['a', 'Approve, then Enter'],
      ['s', 'Send back, with a note'],
      ['r', 'Reject, then Enter'],
      ['e', 'Edit the payload'],
      ['1 – 9', 'Take a choice offered'],
      ['Ctrl ⏎', 'In the note: confirm'],
    ],
  ],
  [
    'At a blocker',
    [
      ['r', 'Retry'],
      ['o', 'Route to another task'],
      ['c', 'Clear'],
      ['x', 'Escalate'],
    ],
  ],
];

/** The dialog that tells the keys. */
export function helpDialog() {
  const groups = /** @type {[string, [string, string][]][]} */ (KEYS);
  const on = h('input', { type: 'checkbox', checked: keysAreOn(), onchange: () => setKeys(on.checked) });
  const dialog = h(
    'dialog',
    { class: 'help', 'aria-labelledby': 'help-title' },
    h('h2', { id: 'help-title' }, 'Keyboard'),
    h(
      'div',
      { class: 'groups' },
      groups.map(([title, keys]) =>
        h(
          'section',
          {},
          h('h3', {}, title),
          h(
            'dl',
            {},
            keys.map(([key, meaning]) =>
              h(
                'div',
                {},
                h(
                  'dt',
                  {},
                  key.split(' ').map((part) => (part === '–' ? ' – ' : h('kbd', {}, part))),
                ),
                h('dd', {}, meaning),
              ),
            ),
          ),
        ),
      ),
    ),
    h(
      'label',
      { class: 'choice' },
      on,
      h('span', {}, 'Use single keys ', h('span', { class: 'faint' }, '(never while you write in a field)')),
    ),
    h('form', { method: 'dialog' }, h('button', { class: 'button' }, 'Close')),
  );
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  return dialog;
}
