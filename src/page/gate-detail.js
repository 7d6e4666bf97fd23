import { fill, h } from './dom.js';
import { gateDecision, gateDraft } from './gate-decision.js';
import { askerOf, decisionLine, holdsUpText, questionsOf } from './gate-words.js';
import { visible } from './invisible.js';
import { changeList, changesBetween } from './json-diff.js';
import { markdown } from './markdown.js';
import { payloadFields, rawJson } from './payload-view.js';
import { moment, ticking } from './time.js';

/** @import { FullGate, Gate } from './types.d.ts' */

const KINDS = {
  RUN_ENDING: 'The decision ends the run.',
  HOLDING: 'The run goes on after the decision.',
};

/** @param {string} title @param {...import('./dom.js').Child} content */
const section = (title, ...content) => h('section', {}, h('h3', {}, title), ...content);

/**
 * A gate with all that is needed to decide it; of one that has ended the form is read-only, or left out where nothing was written.
 * @param {FullGate} gate @param {string} person who looks at it @param {Parameters<typeof gateDecision>[2]} told
 */
export function gateDetail(gate, person, told) {
  let waits = gate.status === 'WAITING';
  const draft = gateDraft(gate, person);
  const form = (waits ? gate.mayDecide : draft.isKept()) ? gateDecision(gate, draft, told) : undefined;
  const heading = h('h2', { tabindex: -1 }, visible(gate.run.task.name));
  const notice = h('div', { class: 'notice', role: 'status' });
  const foot = h(
    'div',
    { class: 'foot' },
    form ? form.actions : waits && h('p', { class: 'faint' }, visible(`${gate.owner.name} decides this gate; you can read it.`)),
  );
  const asked = questionsOf(gate);
  const body = h(
    'div',
    { class: 'detail-body' },
    notice,
    h(
      'header',
      {},
      heading,
      h('p', { class: 'sub' }, h('code', {}, visible(gate.tool)), h('span', { class: 'faint' }, ` · ${KINDS[gate.kind]}`)),
      facts(gate),
    ),
    section(
      'Summary by the run',
      gate.summary
        ? h('div', { class: 'written' }, markdown(gate.summary))
        : h('p', { class: 'faint' }, 'The run wrote no summary. Judge by the payload.'),
    ),
    form && asked.length > 0 && section(asked.length === 1 ? 'Question' : 'Questions', contextOf(gate), form.questions),
    !waits && gate.answers.length > 0 && section('Answers', answers(gate)),
    payload(gate, asked.length > 0 && form !== undefined),
    form?.editor,
    h(
      'p',
      { class: 'hash faint' },
      'A decision holds for exactly this payload: SHA-256 ',
      h('code', { title: gate.payloadHash }, gate.payloadHash.slice(0, 16), '…'),
    ),
  );

  /** Says how it ended and takes nothing more. The focus, what was written and the place looked at stay. @param {Gate} ended */
  function end(ended) {
    waits = false;
    if (form?.endedIt(ended, person)) draft.drop();
    const note = draft.isKept() && draft.written.note;
    fill(notice, decided(ended), note && h('p', { class: 'faint' }, 'Your note was not sent: ', h('q', {}, visible(note))));
    form?.end();
    if (!draft.isKept() && !foot.contains(document.activeElement)) fill(foot);
  }
  if (!waits) end(gate);
  return {
    id: gate.id,
    name: gate.run.task.name,
    element: h('article', { class: 'detail', 'aria-label': `Gate: ${gate.run.task.name}` }, body, foot),
    focus: () => heading.focus(),
    waits: () => waits,
    press: (/** @type {KeyboardEvent} */ event) => form?.press(event) ?? false,
    shown: () => form?.shown(),
    stillWaits: () => form?.stillWaits(),
    /** It has ended meanwhile. @param {Gate} ended */
    end: (ended) => waits && end(ended),
  };
}

/** @param {Gate} gate */
const decided = (gate) => h('p', {}, decisionLine(gate), gate.note && h('span', {}, ' Note: ', h('q', {}, visible(gate.note))));

/** @param {FullGate} gate */
function facts({ run, createdAt, timesOutAt, holdsUp }) {
  const behind = holdsUp.runs.map(({ task, member }) => (member ? `${task.name} (${member.name})` : task.name));
  const left = holdsUp.count - behind.length;
  /** @type {[string, import('./dom.js').Child[]][]} */
  const pairs = [
    ['Asked by', visible(askerOf({ run }))],
    ['Part of', visible(run.execution.name)],
    ['Waiting since', [moment(createdAt), h('span', { class: 'faint' }, ' (', ticking('age', createdAt), ')')]],
    ...(timesOutAt
      ? [
          /** @type {[string, import('./dom.js').Child[]]} */ ([
            'Times out',
            [moment(timesOutAt), h('span', { class: 'faint' }, ' (', ticking('left', timesOutAt), ')')],
          ]),
        ]
      : []),
    ...(holdsUp.count > 0
      ? [
          /** @type {[string, import('./dom.js').Child[]]} */ ([
            capital(holdsUpText(holdsUp.count)),
            visible(behind.join(', ') + (left > 0 ? ` and ${left} more` : '')),
          ]),
        ]
      : []),
  ];
  return h(
    'dl',
    { class: 'facts' },
    pairs.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What concerns all the questions. @param {FullGate} gate */
const contextOf = ({ payload: { context } }) =>
  typeof context === 'string' && h('p', { class: 'text written', dir: 'auto' }, visible(context));

const ANSWERS = { ACCEPT: 'the recommendation was accepted', ANSWER: 'answered', EXPLAIN: 'an explanation was asked for' };

/** @param {FullGate} gate */
const answers = (gate) =>
  h(
    'dl',
    { class: 'fields' },
    gate.answers.flatMap(({ number, kind, text }) => [
      h('dt', {}, String(number)),
      h('dd', {}, ANSWERS[kind], text && [': ', h('q', {}, visible(text))]),
    ]),
  );

/** @param {FullGate} gate @param {boolean} shownAsQuestions */
function payload({ payload, versions }, shownAsQuestions) {
  const [first, last] = [versions[0], versions.at(-1)];
  const changes = first && last && first !== last ? changesBetween(first.payload, last.payload) : [];
  const raw = h('details', { class: 'raw' }, h('summary', {}, 'Payload as JSON'), rawJson(payload));
  if (shownAsQuestions) return section('Payload', raw);
  return section(
    'Payload',
    h('div', { class: 'written' }, payloadFields(payload)),
    changes.length > 0 &&
      h(
        'div',
        { class: 'difference' },
        h('h3', {}, visible(`Changed by ${last?.editedBy?.name ?? 'a person'} before approving`)),
        changeList(changes),
      ),
    raw,
  );
}
