import { ask, Refusal } from './api.js';
import { fill, h, newId } from './dom.js';
import { visible } from './invisible.js';
import { MOVES } from './queries.js';

/** @import { Blocker, Move } from './types.d.ts' */

/** @type {Record<Move['kind'], { label: string, key: string, does: string, done: string }>} */
export const MOVE_WORDS = {
  RETRY: { label: 'Retry', key: 'r', does: 'The same task starts again with the same input.', done: 'A new run was started' },
  ROUTE: { label: 'Route', key: 'o', does: 'Another task takes the work over.', done: 'The work was routed' },
  CLEAR: { label: 'Clear', key: 'c', does: 'It leaves Blockers, and nothing runs.', done: 'Cleared' },
  ESCALATE: { label: 'Escalate', key: 'x', does: 'Somebody else decides about it.', done: 'Escalated' },
};

/**
 * The moves of a stopped run, one to choose, with the note that each needs.
 * @param {Blocker} blocker @param {(move: Move['kind'], said: string) => void} onMoved @param {() => void} onGone it was moved meanwhile
 */
export function moveForm({ run, moves, lead }, onMoved, onGone) {
  const [name, noteId, problemId] = [newId('move'), newId('note'), newId('problem')];
  const target = h('select', { 'aria-label': 'Task to route to' });
  const to = h(
    'select',
    { 'aria-label': 'Escalate to' },
    lead && h('option', { value: 'LEAD' }, visible(`${lead.name}, who leads`)),
    h('option', { value: 'CEO' }, 'The CEO'),
  );
  const note = h('textarea', { id: noteId, class: 'grows', rows: 1, maxlength: 20_000, 'aria-describedby': problemId, required: true });
  const problem = h('p', { class: 'problem', id: problemId, role: 'alert' });
  const submit = h('button', { class: 'button primary', disabled: true }, 'Choose a move');
  const more = h(
    'div',
    { class: 'move-more', hidden: true },
    h('label', { for: noteId, class: 'label' }, 'Note, which stays on the run'),
    note,
    problem,
    h('div', { class: 'buttons' }, submit),
  );
  /** @type {Move['kind'] | undefined} */
  let chosen;

  /** @param {Move['kind']} kind */
  function choose(kind) {
    chosen = kind;
    more.hidden = false;
    target.hidden = kind !== 'ROUTE';
    to.hidden = kind !== 'ESCALATE';
    submit.disabled = false;
    fill(submit, `${MOVE_WORDS[kind].label} this run`);
    fill(problem);
  }
  const rows = moves.map((move) =>
    moveRow(move, name, () => choose(move.kind), move.kind === 'ROUTE' ? target : move.kind === 'ESCALATE' ? to : undefined),
  );
  fill(target, ...(moves.find(({ kind }) => kind === 'ROUTE')?.targets ?? []).map((slug) => h('option', { value: slug }, visible(slug))));
  target.hidden = true;
  to.hidden = true;

  /** @param {Event} event */
  async function send(event) {
    event.preventDefault();
    const text = note.value.trim();
    if (!chosen) return;
    if (!text) {
      fill(problem, 'Write a note: whoever looks at this run later reads it.');
      return note.focus();
    }
    const input = {
      runId: run.id,
      note: text,
      ...(chosen === 'ROUTE' && { task: target.value }),
      ...(chosen === 'ESCALATE' && { to: to.value }),
    };
    submit.disabled = true;
    try {
      await ask(/** @type {string} */ (MOVES[chosen]), { input });
      onMoved(chosen, `${MOVE_WORDS[chosen].done}: ${run.task.name}.`);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'run_not_on_blockers') return onGone();
      fill(
        problem,
        error instanceof Refusal && error.code === 'unreachable'
          ? 'No answer came: look at this run once the connection is back, before you try again.'
          : /** @type {Error} */ (error).message,
      );
    } finally {
      submit.disabled = false;
    }
  }
  note.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send(event);
  });
  return {
    element: h(
      'form',
      { class: 'moves', onsubmit: send, novalidate: true },
      h(
        'fieldset',
        {},
        h('legend', { class: 'label' }, 'What shall happen with it?'),
        rows.map(({ element }) => element),
      ),
      more,
    ),
    note,
    /** A key that chooses a move; answers whether it meant one. @param {string} key */
    press(key) {
      const row = rows.find(({ kind, input }) => MOVE_WORDS[kind].key === key && !input.disabled);
      if (!row) return false;
      row.input.checked = true;
      choose(row.kind);
      (row.kind === 'ROUTE' ? target : note).focus();
      return true;
    },
  };
}

/** @param {Move} move @param {string} name @param {() => void} onchange @param {HTMLSelectElement | undefined} choice */
function moveRow({ kind, possible, reason }, name, onchange, choice) {
  const { label, key, does } = MOVE_WORDS[kind];
  const input = h('input', { type: 'radio', name, value: kind, disabled: !possible, onchange, 'aria-keyshortcuts': key });
  const element = h(
    'div',
    { class: possible ? 'move' : 'move impossible' },
    h(
      'label',
      { class: 'choice' },
      input,
      h(
        'span',
        {},
        h('strong', {}, label),
        ' ',
        h('span', { class: 'faint' }, does),
        !possible && h('span', { class: 'why-not' }, visible(reason ?? 'Not possible now.')),
      ),
      possible && h('kbd', { 'aria-hidden': 'true' }, key),
    ),
    choice,
  );
  return { kind, input, element };
}
