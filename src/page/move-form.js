import { ask } from './api.js';
import { fill, h, newId } from './dom.js';
import { draftOf } from './drafts.js';
import { formGuard, freeze } from './form-guard.js';
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

/** The note that was written at a stopped run. @param {Blocker} blocker @param {string} person */
export const moveDraft = ({ run }, person) => draftOf({ person, at: `blocker/${run.id}` }, { note: '' });

/**
 * The moves of a stopped run, one to choose, with the note that each needs.
 * @param {Blocker} blocker @param {ReturnType<typeof moveDraft>} draft
 * @param {object} told
 * @param {() => void} told.onSending
 * @param {(move: Move['kind'], said: string) => void} told.onMoved
 * @param {(error: unknown) => string} told.onFailed answers what to say
 */
export function moveForm({ run, moves: first, lead }, draft, told) {
  const [name, noteId, problemId] = [newId('move'), newId('note'), newId('problem')];
  const target = h('select', { 'aria-label': 'Task to route to', hidden: true });
  const to = h(
    'select',
    { 'aria-label': 'Escalate to', hidden: true },
    lead && h('option', { value: 'LEAD' }, visible(`${lead.name}, who leads`)),
    h('option', { value: 'CEO' }, 'The CEO'),
  );
  const note = h('textarea', { id: noteId, class: 'grows', rows: 1, maxlength: 20_000, 'aria-describedby': problemId, required: true });
  const problem = h('p', { class: 'problem', id: problemId, role: 'alert' });
  // Enter in a field sends nothing: this is not the form's submit button.
  const submit = h(
    'button',
    { type: 'button', class: 'button primary', disabled: true, onclick: (/** @type {MouseEvent} */ event) => void send(event) },
    'Choose a move',
  );
  const more = h(
    'div',
    { class: 'move-more', hidden: draft.written.note === '' },
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
  const rows = first.map(({ kind }) =>
    moveRow(kind, name, () => choose(kind), kind === 'ROUTE' ? target : kind === 'ESCALATE' ? to : undefined),
  );
  const form = h(
    'form',
    { class: 'moves', onsubmit: (/** @type {Event} */ event) => event.preventDefault(), novalidate: true },
    h(
      'fieldset',
      {},
      h('legend', { class: 'label' }, 'What shall happen with it?'),
      rows.map(({ element }) => element),
    ),
    more,
  );
  const guard = formGuard(form, [submit], `blocker/${run.id}`);

  /** What is possible may change while the form is used: nothing in it that was chosen or written does. @param {Move[]} moves */
  function update(moves) {
    for (const row of rows) {
      const move = moves.find(({ kind }) => kind === row.kind);
      row.update(move?.possible ? undefined : (move?.reason ?? 'Not possible now.'));
    }
    const targets = moves.find(({ kind }) => kind === 'ROUTE')?.targets ?? [];
    if ([...target.options].map(({ value }) => value).join() === targets.join()) return;
    const was = target.value;
    fill(target, ...targets.map((slug) => h('option', { value: slug, selected: slug === was }, visible(slug))));
  }

  /** The move as it is sent, or undefined when something stands against it, which is then said. */
  function moveOf() {
    const row = rows.find(({ kind }) => kind === chosen);
    const text = note.value.trim();
    if (!chosen || !row) return undefined;
    const against = row.against() ?? (text ? '' : 'Write a note: whoever looks at this run later reads it.');
    fill(problem, against);
    if (against && !text) note.focus();
    if (against) return undefined;
    const more = { ...(chosen === 'ROUTE' && { task: target.value }), ...(chosen === 'ESCALATE' && { to: to.value }) };
    return { kind: chosen, input: { runId: run.id, note: text, ...more } };
  }

  /** @param {UIEvent} event */
  async function send(event) {
    const move = guard.takes(event) ? moveOf() : undefined;
    if (!move) return;
    sending(true);
    told.onSending();
    const { error } = await ask(/** @type {string} */ (MOVES[move.kind]), { input: move.input }).catch((error) => ({ error }));
    sending(false);
    if (error) return fill(problem, told.onFailed(error));
    draft.written.note = note.value = '';
    draft.drop();
    told.onMoved(move.kind, `${MOVE_WORDS[move.kind].done}: ${run.task.name}.`);
  }

  /** @param {boolean} is */
  function sending(is) {
    if (is) guard.sending();
    else guard.again();
    note.readOnly = is;
  }
  note.value = draft.written.note;
  note.addEventListener('input', () => {
    draft.written.note = note.value;
    if (!draft.keep()) fill(problem, 'This browser keeps no more text: send it before you leave the page.');
  });
  note.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send(event);
  });
  update(first);
  return {
    element: form,
    update,
    shown: guard.shown,
    /** A key that chooses a move; answers whether it meant one. @param {KeyboardEvent} event */
    press(event) {
      const row = rows.find(({ kind, input }) => MOVE_WORDS[kind].key === event.key && !input.disabled);
      if (!row || !guard.takes(event)) return false;
      row.input.checked = true;
      choose(row.kind);
      (row.kind === 'ROUTE' ? target : note).focus();
      return true;
    },
    /** @param {string} said */
    tell: (said) => fill(problem, said),
    /** The run is not stopped any more: what was written stays to be read. */
    end() {
      guard.end();
      freeze(form);
      fill(problem);
    },
  };
}

/** @param {Move['kind']} kind @param {string} name @param {() => void} onchange @param {HTMLSelectElement | undefined} choice */
function moveRow(kind, name, onchange, choice) {
  const { label, key, does } = MOVE_WORDS[kind];
  const input = h('input', { type: 'radio', name, value: kind, onchange, 'aria-keyshortcuts': key });
  const whyNot = h('span', { class: 'why-not' });
  const hint = h('kbd', { 'aria-hidden': 'true' }, key);
  const said = h('span', {}, h('strong', {}, label), ' ', h('span', { class: 'faint' }, does));
  const element = h('div', { class: 'move' }, h('label', { class: 'choice' }, input, said, hint), choice);
  /** @type {string | undefined} */
  let against;
  return {
    kind,
    input,
    element,
    /** What stands against it now. */
    against: () => against,
    /** @param {string | undefined} reason */
    update(reason) {
      against = reason;
      element.classList.toggle('impossible', reason !== undefined);
      fill(whyNot, ...visible(reason ?? ''));
      if (reason === undefined) whyNot.remove();
      else said.append(whyNot);
      hint.hidden = reason !== undefined;
      // One that is chosen or has the focus keeps it.
      input.disabled = reason !== undefined && !input.checked && input !== document.activeElement;
    },
  };
}
