import { ask, Refusal } from './api.js';
import { decisionButtons, optionsOf } from './decision-bar.js';
import { problemsOf } from './decision-problem.js';
import { fill, h, newId } from './dom.js';
import { draftOf } from './drafts.js';
import { questionsOf } from './gate-words.js';
import { payloadEditor } from './payload-editor.js';
import { DECIDE } from './queries.js';
import { questionForm } from './questions.js';

/** @import { Decision, FullGate, Gate } from './types.d.ts' */
/** @import { Option } from './decision-bar.js' */

/**
 * The form in which a gate is decided: answers, edit, note and buttons.
 * @param {FullGate} gate
 * @param {object} told
 * @param {(deciding: boolean) => void} told.onDeciding
 * @param {(gate: Gate, option: Option) => void} told.onDecided
 * @param {() => void} told.onLost somebody else decided, or time did
 */
export function gateDecision(gate, told) {
  const draft = draftOf(gate.id);
  const questions = questionForm(questionsOf(gate), draft.answers);
  const editable = gate.choices.length === 0;
  const [noteId, problemId, hintId] = [newId('note'), newId('problem'), newId('hint')];
  const note = h('textarea', { id: noteId, class: 'grows', rows: 1, maxlength: 20_000, 'aria-describedby': `${problemId} ${hintId}` });
  const noteProblem = h('p', { class: 'problem', id: problemId, role: 'alert' });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const hint = h('p', { class: 'hint', id: hintId, 'aria-live': 'polite' });
  const buttons = decisionButtons(optionsOf(gate), (option) => void decide(option));
  const approve = buttons.find(({ option }) => option.decision === 'APPROVE');
  /** What Ctrl+Enter in the note does. @type {Option | undefined} */
  let armed;

  note.value = draft.note;
  note.addEventListener('input', () => {
    draft.note = note.value;
    fill(noteProblem);
  });
  note.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !armed) return;
    event.preventDefault();
    void decide(armed);
  });

  const editor = payloadEditor(gate.payload, draft.text, (changes, text) => {
    draft.text = text;
    if (approve) fill(approve.label, changes ? `Approve with ${changes} ${changes === 1 ? 'change' : 'changes'}` : 'Approve');
  });
  editor.element.hidden = !draft.editing;
  const edit = h(
    'button',
    {
      type: 'button',
      class: 'button quiet',
      'aria-keyshortcuts': 'e',
      'aria-expanded': draft.editing,
      onclick: () => setEditing(!draft.editing),
    },
    'Edit payload',
    h('kbd', { 'aria-hidden': 'true' }, 'e'),
  );
  if (draft.editing) editor.read();

  /** @param {boolean} editing */
  function setEditing(editing) {
    draft.editing = editing;
    editor.element.hidden = !editing;
    edit.setAttribute('aria-expanded', String(editing));
    if (!editing) return edit.focus();
    editor.read();
    editor.focus();
  }

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
    if (draft.text !== undefined && draft.editing && !editor.isJson()) return void editor.focus();
    if (!questions.check()) return undefined;
    const answers = questions.answers();
    const editedPayload = draft.editing ? editor.edited() : undefined;
    return { ...input, ...(answers.length > 0 && { answers }), ...(editedPayload !== undefined && { editedPayload }) };
  }

  /** @param {Option} option */
  async function decide(option) {
    fill(problem);
    const input = decisionOf(option);
    if (!input) return;
    busy(true);
    told.onDeciding(true);
    try {
      const { decideGate } = await ask(DECIDE, { input });
      told.onDecided(decideGate, option);
    } catch (error) {
      busy(false);
      if (error instanceof Refusal && (error.code === 'gate_already_decided' || error.code === 'not_found')) return told.onLost();
      const sent = { edited: input.editedPayload !== undefined, answers: input.answers ?? [] };
      for (const said of problemsOf(error, sent)) tell(said);
      buttons.find((made) => made.option === option)?.button.focus();
    } finally {
      told.onDeciding(false);
    }
  }

  /** @param {import('./decision-problem.js').Problem} said */
  function tell(said) {
    if (said.at === 'question') questions.tell(said.number, said.text);
    else if (said.at === 'editor') editor.tell(said.text);
    else fill(said.at === 'note' ? noteProblem : problem, said.text);
  }

  /** @param {boolean} is */
  function busy(is) {
    for (const { button } of buttons) button.disabled = is;
    edit.disabled = is;
  }

  /** Puts the focus where the decision of this key is confirmed. @param {string} key */
  function arm(key) {
    const made = buttons.find(({ option }) => option.key === key);
    if (!made) return false;
    armed = made.option;
    const writes = made.option.needsNote && !note.value.trim();
    (writes ? note : made.button).focus();
    fill(
      hint,
      writes ? `${made.option.needsNote} Then press Ctrl+Enter.` : `Press Enter to ${made.option.label.toLowerCase()}, or Esc to leave it.`,
    );
    return true;
  }
  const disarm = () => {
    armed = undefined;
    fill(hint);
  };

  return {
    questions: questions.element,
    editor: editor.element,
    actions: h(
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
        editable && edit,
      ),
      problem,
      hint,
    ),
    /** A key that decides or edits; answers whether it meant something here. @param {string} key */
    press(key) {
      if (key !== 'e') return arm(key);
      if (editable) setEditing(true);
      return editable;
    },
  };
}
