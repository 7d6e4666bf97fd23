import { fill, h, newId } from './dom.js';
import { visible } from './invisible.js';

/** @import { Answer, Question } from './types.d.ts' */

/** @type {[Answer['kind'], string, string][]} */
const KINDS = [
  ['ACCEPT', 'Accept the recommendation', ''],
  ['ANSWER', 'Answer in my own words', 'Your answer'],
  ['EXPLAIN', 'Ask for an explanation', 'What should be explained? (optional)'],
];

/**
 * The questions of a gate, each with its answer to choose. `draft` keeps what was chosen and written, by number.
 * @param {Question[]} questions @param {Map<number, Answer>} draft
 */
export function questionForm(questions, draft) {
  const parts = questions.map((question) => questionPart(question, draft));
  return {
    element: h(
      'div',
      { class: 'questions' },
      parts.map(({ element }) => element),
    ),
    /** @returns {Answer[]} */
    answers: () => questions.flatMap(({ number }) => draft.get(number) ?? []),
    /** What is still missing, said at each question; the first such gets the focus. Answers whether all is there. */
    check() {
      const open = parts.filter((part) => !part.check());
      open[0]?.focus();
      return open.length === 0;
    },
    /** @param {number} number @param {string} problem */
    tell: (number, problem) => parts.find((part) => part.number === number)?.tell(problem),
  };
}

/** @param {Question} question @param {Map<number, Answer>} draft */
function questionPart({ number, question, context, ctoRecommendation }, draft) {
  const [name, problemId] = [newId('answer'), newId('problem')];
  const problem = h('p', { class: 'problem', id: problemId, role: 'alert' });
  const text = h('textarea', { rows: 3, 'aria-describedby': problemId, maxlength: 20_000 });
  const tell = (/** @type {string} */ said) => fill(problem, said);
  const known = draft.get(number);
  text.value = known?.text ?? '';

  const store = (/** @type {Answer['kind']} */ kind) => {
    draft.set(number, { number, kind, text: kind === 'ACCEPT' ? null : text.value.trim() || null });
    tell('');
  };
  const show = (/** @type {Answer['kind'] | undefined} */ kind) => {
    const label = KINDS.find(([value]) => value === kind)?.[2] ?? '';
    text.hidden = label === '';
    text.placeholder = label;
    text.setAttribute('aria-label', `${label}, question ${number}`);
  };
  text.addEventListener('input', () => {
    const kind = draft.get(number)?.kind;
    if (kind) store(kind);
  });
  const choose = (/** @type {Answer['kind']} */ kind) => {
    show(kind);
    store(kind);
    if (!text.hidden) text.focus();
  };
  show(known?.kind);
  const radios = KINDS.map(([kind, label]) =>
    h(
      'label',
      { class: 'choice' },
      h('input', { type: 'radio', name, value: kind, checked: known?.kind === kind, onchange: () => choose(kind) }),
      label,
    ),
  );
  const element = h(
    'fieldset',
    { class: 'question' },
    h('legend', {}, h('span', { class: 'number' }, String(number)), h('span', { dir: 'auto' }, visible(String(question)))),
    h('p', { class: 'text', dir: 'auto' }, visible(String(context))),
    h(
      'div',
      { class: 'recommendation' },
      h('span', { class: 'label' }, 'Recommendation'),
      h('p', { class: 'text', dir: 'auto' }, visible(String(ctoRecommendation))),
    ),
    h('div', { class: 'choices' }, radios),
    text,
    problem,
  );
  const check = () => {
    const answer = draft.get(number);
    const missing = !answer ? 'Choose an answer to this question.' : answer.kind === 'ANSWER' && !answer.text ? 'Write your answer.' : '';
    tell(missing);
    return missing === '';
  };
  const focus = () => (draft.get(number)?.kind === 'ANSWER' ? text : /** @type {HTMLElement} */ (element.querySelector('input'))).focus();
  return { number, element, check, tell, focus };
}
