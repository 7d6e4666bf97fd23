import { ask } from './api.js';
import { decisionButtons, optionsOf } from './decision-bar.js';
import { problemsOf } from './decision-problem.js';
import { fill, h, newId } from './dom.js';
import { draftOf } from './drafts.js';
import { formGuard, freeze } from './form-guard.js';
import { questionsOf } from './gate-words.js';
import { payloadEditor } from './payload-editor.js';
import { DECIDE } from './queries.js';
import { questionForm } from './questions.js';

/** @import { Decision, FullGate, Gate } from './types.d.ts' */
/** @import { Option } from './decision-bar.js' */

/** What was written at a gate for exactly this payload; `text` is the edited one. @param {FullGate} gate @param {string} person */
export const gateDraft = ({ id, payloadHash }, person) =>
  draftOf(
    { person, at: `gate/${id}`, hash: payloadHash },
    {
      note: '',
      text: /** @type {string | null} */ (null),
      answers: /** @type {import('./questions.js').Drafted} */ ({}),
    },
  );

/**
 * The form in which a gate is decided: answers, edit, note and buttons.
 * @param {FullGate} gate
 * @param {ReturnType<typeof gateDraft>} draft
 * @param {object} told
 * @param {() => void} told.onSending
 * @param {(gate: Gate, option: Option) => void} told.onDecided
 * @param {(error: unknown) => void} told.onFailed it was refused, or no answer came
 */
export function gateDecision(gate, draft, told) {
  const { written } = draft;
  const [noteId, problemId, hintId] = [newId('note'), newId('problem'), newId('hint')];
  const note = h('textarea', { id: noteId, class: 'grows', rows: 1, maxlength: 20_000, 'aria-describedby': `${problemId} ${hintId}` });
  const noteProblem = h('p', { class: 'problem', id: problemId, role: 'alert' });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const hint = h('p', { class: 'hint', id: hintId, 'aria-live': 'polite' });
  const buttons = decisionButtons(optionsOf(gate), (option, event) => void decide(option, event));
  const approve = buttons.find(({ option }) => option.decision === 'APPROVE');
  const questions = questionForm(questionsOf(gate), written.answers, keep);
  /** What Ctrl+Enter in the note does. @type {Option | undefined} */
  let armed;
  /** @type {Decision | undefined} */
  let sent;

  note.value = written.note;
  note.addEventListener('input', () => {
    written.note = note.value;
    fill(noteProblem);
    keep();
  });
  note.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !armed) return;
    event.preventDefault();
    void decide(armed, event);
  });
  function keep() {
    if (!draft.keep()) fill(hint, 'This browser keeps no more text: send it before you leave the page.');
  }

  const editor = payloadEditor(gate.payload, written.text, (edit, text) => {
    written.text = text;
    label(edit);
    keep();
  });
  /** @param {import('./payload-editor.js').Edit} edit */
  function label({ changes: { length } }) {
    if (approve) fill(approve.label, length > 0 ? `Approve with ${length} ${length === 1 ? 'change' : 'changes'}` : 'Approve');
  }
  label(editor.edit());
  const edit =
    gate.choices.length === 0 &&
    h(
      'button',
      {
        ...{ type: 'button', class: 'button quiet', 'aria-keyshortcuts': 'e', 'aria-expanded': String(editor.isOpen()) },
        onclick: () => setEditing(!editor.isOpen()),
      },
      'Edit payload',
      h('kbd', { 'aria-hidden': 'true' }, 'e'),
    );

  /** @param {boolean} editing */
  function setEditing(editing) {
    if (!edit) return;
    editor.open(editing);
    edit.setAttribute('aria-expanded', String(editing));
    if (!editing) edit.focus();
  }

  const form = h(
    'form',
    {
      class: 'decision',
      onsubmit: (/** @type {Event} */ event) => event.preventDefault(),
      onfocusout: (/** @type {FocusEvent} */ { relatedTarget }) => relatedTarget !== note && disarm(),
    },
    h('label', { for: noteId, class: 'label' }, 'Note to the run'),
    note,
    noteProblem,
    h(
      'div',
      { class: 'buttons' },
      buttons.map(({ button }) => button),
      edit,
    ),
    problem,
    hint,
  );
  const guard = formGuard(
    form,
    buttons.map(({ button }) => button),
    `gate/${gate.id}`,
  );
  const parts = [questions.element, editor.element, form];

  /** What the person has given, or undefined when something is missing, which is then said where it is. @param {Option} option */
  function decisionOf({ decision, choice, needsNote }) {
    /** @type {Decision} */
    const input = { gateId: gate.id, payloadHash: gate.payloadHash, decision, ...(choice && { choice }) };
    const text = note.value.trim();
    if (needsNote && !text) {
      fill(noteProblem, needsNote);
      note.focus();
      return undefined;
    }
    if (text) input.note = text;
    if (decision !== 'APPROVE') return input;
    const { problem: unsendable, changes, payload: editedPayload } = editor.edit();
    if (unsendable) return void setEditing(true);
    if (!questions.check()) return undefined;
    const answers = questions.answers();
    return { ...input, ...(answers.length > 0 && { answers }), ...(changes.length > 0 && { editedPayload }) };
  }

  /** @param {Option} option @param {UIEvent} event */
  async function decide(option, event) {
    if (!guard.takes(event)) return;
    fill(problem);
    const input = decisionOf(option);
    if (!input) return;
    sent = input;
    sending(true);
    told.onSending();
    const answer = await ask(DECIDE, { input }).catch((error) => ({ error }));
    if (answer.decideGate) {
      draft.drop();
      return told.onDecided(answer.decideGate, option);
    }
    sending(false);
    const problems = problemsOf(answer.error, { edited: input.editedPayload !== undefined, answers: input.answers ?? [] });
    for (const said of problems) tell(said);
    told.onFailed(answer.error);
  }

  /** What was sent is not written on in until there is an answer: that would be lost with the form. @param {boolean} is */
  function sending(is) {
    if (is) guard.sending();
    else guard.again();
    for (const part of parts) for (const text of part.querySelectorAll('textarea')) text.readOnly = is;
  }

  /** @param {import('./decision-problem.js').Problem} said */
  function tell(said) {
    if (said.at === 'question') questions.tell(said.number, said.text);
    else if (said.at === 'editor') editor.tell(said.text);
    else fill(said.at === 'note' ? noteProblem : problem, said.text);
  }

  /** Puts the focus where the decision of this key is confirmed. @param {string} key */
  function arm(key) {
    const made = buttons.find(({ option }) => option.key === key);
    if (!made) return false;
    armed = made.option;
    const writes = made.option.needsNote && !note.value.trim();
    (writes ? note : made.button).focus();
    const name = made.label.textContent?.toLowerCase();
    fill(hint, writes ? `${made.option.needsNote} Then press Ctrl+Enter.` : `Press Enter to ${name}, or Esc to leave it.`);
    return true;
  }
  const disarm = () => {
    armed = undefined;
    fill(hint);
  };

  return {
    ...{ questions: questions.element, editor: editor.element, actions: form },
    shown: guard.shown,
    /** A key that decides or edits; answers whether it meant something here. @param {KeyboardEvent} event */
    press(event) {
      if (!guard.takes(event)) return false;
      if (event.key !== 'e') return arm(event.key);
      setEditing(true);
      return edit !== false;
    },
    /** Whether a gate ended by what was sent from here, the answer to which was lost. @param {Gate} ended @param {string} person */
    endedIt: ({ decision, choice, note: said, decidedBy }, person) =>
      sent !== undefined &&
      decidedBy?.id === person &&
      sent.decision === decision &&
      (sent.choice ?? null) === choice &&
      (sent.note ?? null) === said,
    /** A read after a lost answer has found it waiting. */
    stillWaits: () => fill(problem, 'No answer came. The gate was read again and still waits: decide it again if you still want to.'),
    /** It is decided no more: what was written stays to be read. */
    end() {
      disarm();
      guard.end();
      for (const part of parts) freeze(part);
      for (const said of [problem, noteProblem]) fill(said);
    },
  };
}
