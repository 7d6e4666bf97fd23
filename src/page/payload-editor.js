import { fill, h, newId } from './dom.js';
import { readableJson } from './invisible.js';
import { changeList, changesBetween } from './json-diff.js';

/**
 * Changes a payload as JSON before it is approved, and shows the difference. `onChange` hears how many changes there are,
 * or null while the text is no JSON.
 * @param {unknown} payload @param {string | undefined} draft what was written before @param {(changes: number | null, text: string) => void} onChange
 */
export function payloadEditor(payload, draft, onChange) {
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
  /** @type {{ value: unknown } | undefined} */
  let edited;

  function read() {
    try {
      const value = JSON.parse(text.value);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('a payload is an object, in { }');
      edited = { value };
      const changes = changesBetween(payload, value);
      fill(problem);
      fill(
        difference,
        changes.length === 0
          ? h('p', { class: 'faint' }, 'Nothing is changed yet.')
          : [h('h3', {}, 'What you change'), changeList(changes)],
      );
      onChange(changes.length, text.value);
    } catch (error) {
      edited = undefined;
      fill(
        problem,
        `This cannot be sent: ${placed(/** @type {Error} */ (error).message, text.value)} Correct it, or discard your changes.`,
      );
      fill(difference);
      onChange(null, text.value);
    }
  }
  text.addEventListener('input', read);
  const discard = () => {
    text.value = original;
    read();
    text.focus();
  };
  const element = h(
    'div',
    { class: 'editor' },
    h(
      'div',
      { class: 'editor-head' },
      h('span', { class: 'label', id: labelId }, 'Payload as JSON'),
      h('button', { type: 'button', class: 'link', onclick: discard }, 'Discard changes'),
    ),
    text,
    problem,
    difference,
  );
  return {
    element,
    read,
    focus: () => text.focus(),
    /** The payload as it was changed; undefined while nothing is. */
    edited: () => (edited && changesBetween(payload, edited.value).length > 0 ? edited.value : undefined),
    isJson: () => edited !== undefined,
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
