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
 * What was chosen and written, by the number of its question: the text stays while another answer is chosen.
 * @typedef {Record<number, { kind: Answer['kind'], text: string }>} Drafted
 */

/**
 * The questions of a gate, each with its answer to choose.
 * @param {Question[]} questions @param {Drafted} draft @param {() => void} onWritten
 */
export function questionForm(questions, draft, onWritten) {
  const parts = questions.map((question) => questionPart(question, draft, onWritten));
  return {
    element: h(
      'div',
      { class: 'questions' },
      parts.map(({ element }) => element),
    ),
    /** @returns {Answer[]} */
    answers: () => questions.flatMap(({ number }) => answerOf(number, draft) ?? []),
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

/** @param {number} number @param {Drafted} draft @returns {Answer | undefined} */
function answerOf(number, draft) {
  const drafted = draft[number];
  return drafted && { number, kind: drafted.kind, text: drafted.kind === 'ACCEPT' ? null : drafted.text.trim() || null };
}

/** @param {Question} question @param {Drafted} draft @param {() => void} onWritten */
function questionPart({ number, question, context, ctoRecommendation }, draft, onWritten) {
  const [name, problemId] = [newId('answer'), newId('problem')];
  const problem = h('p', { class: 'problem', id: problemId, role: 'alert' });
  const text = h('textarea', { rows: 3, 'aria-describedby': problemId, maxlength: 20_000 });
  const tell = (/** @type {string} */ said) => fill(problem, said);
  const known = draft[number];
  text.value = known?.text ?? '';

  const store = (/** @type {Answer['kind']} */ kind) => {
    draft[number] = { kind, text: text.value };
    tell('');
    onWritten();
  };
  const show = (/** @type {Answer['kind'] | undefined} */ kind) => {
    const label = KINDS.find(([value]) => value === kind)?.[2] ?? '';
    text.hidden = label === '';
    text.placeholder = label;
    text.setAttribute('aria-label', `${label}, question ${number}`);
  };
  text.addEventListener('input', () => {
    const kind = draft[number]?.kind;
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
    const answer = answerOf(number, draft);
    const missing = !answer ? 'Choose an answer to this question.' : answer.kind === 'ANSWER' && !answer.text ? 'Write your answer.' : '';
    tell(missing);
    return missing === '';
  };
  const focus = () => (draft[number]?.kind === 'ANSWER' ? text : /** @type {HTMLElement} */ (element.querySelector('input'))).focus();
  return { number, element, check, tell, focus };
}
