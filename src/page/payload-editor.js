import { fill, h, newId } from './dom.js';
import { readableJson } from './invisible.js';
import { changeList, changesBetween } from './json-diff.js';

/**
 * What a text makes of a payload. Label, difference and request all come from this one value.
 * @typedef {{ changes: import('./json-diff.js').Change[], payload?: unknown, problem?: string }} Edit `problem`: why it cannot be sent
 */

/** @param {unknown} payload @param {string} text @returns {Edit} */
function editOf(payload, text) {
  try {
    const edited = JSON.parse(text);
    if (typeof edited !== 'object' || edited === null || Array.isArray(edited)) throw new Error('a payload is an object, in { }');
    return { changes: changesBetween(payload, edited), payload: edited };
  } catch (error) {
    const said = placed(/** @type {Error} */ (error).message, text);
    return { changes: [], problem: `This cannot be sent: ${said} Correct it, or discard your changes.` };
  }
}

/**
 * Changes a payload as JSON before it is approved, and shows the difference, also while its field is closed.
 * @param {unknown} payload @param {string | null} draft what was written before
 * @param {(edit: Edit, text: string | null) => void} onEdit hears of every change of the text, null being the payload as it was
 */
export function payloadEditor(payload, draft, onEdit) {
  const original = readableJson(payload);
  const [labelId, problemId] = [newId('editor'), newId('problem')];
  const text = h('textarea', {
    class: 'code',
    spellcheck: 'false',
    autocapitalize: 'off',
    'aria-labelledby': labelId,
    'aria-describedby': problemId,
  });
  text.value = draft ?? original;
  text.rows = Math.min(24, Math.max(6, text.value.split('\n').length + 1));
  const problem = h('p', { class: 'problem', id: problemId, role: 'alert' });
  const difference = h('div', { class: 'difference', 'aria-live': 'polite' });
  const discard = h('button', { type: 'button', class: 'link', onclick: () => write(original) }, 'Discard changes');
  const field = h(
    'div',
    { class: 'editor-field', hidden: draft === null },
    h('div', { class: 'editor-head' }, h('span', { class: 'label', id: labelId }, 'Payload as JSON'), discard),
    text,
  );
  const element = h('div', { class: 'editor' }, field, problem, difference);
  let edit = editOf(payload, text.value);

  function show() {
    fill(problem, edit.problem);
    const said = field.hidden || edit.problem ? [] : [h('p', { class: 'faint' }, 'Nothing is changed yet.')];
    fill(difference, ...(edit.changes.length > 0 ? [h('h3', {}, 'What you change'), changeList(edit.changes)] : said));
    element.hidden = field.hidden && edit.changes.length === 0 && !edit.problem;
  }
  function read() {
    edit = editOf(payload, text.value);
    show();
    onEdit(edit, text.value === original ? null : text.value);
  }
  /** @param {string} to */
  function write(to) {
    text.value = to;
    read();
    text.focus();
  }
  text.addEventListener('input', read);
  show();
  return {
    element,
    edit: () => edit,
    isOpen: () => !field.hidden,
    /** @param {boolean} is */
    open(is) {
      field.hidden = !is;
      show();
      if (is) text.focus();
    },
    /** @param {string} said */
    tell: (said) => fill(problem, said),
  };
}

/** A parser's message with the place as people count it. @param {string} message @param {string} text */
function placed(message, text) {
  const position = /at position (\d+)/.exec(message)?.[1];
  const plain = message.replace(/ in JSON at position \d+.*$/s, '').replace(/\.$/, '');
  if (position === undefined) return `${plain}.`;
  const before = text.slice(0, Number(position)).split('\n');
  return `${plain}, in line ${before.length}, column ${(before.at(-1) ?? '').length + 1}.`;
}
