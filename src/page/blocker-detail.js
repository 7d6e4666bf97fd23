import { sectionChip } from './blocker-row.js';
import { fill, h } from './dom.js';
import { visible } from './invisible.js';
import { moveDraft, moveForm } from './move-form.js';
import { payloadFields } from './payload-view.js';
import { moment, ticking } from './time.js';

/** @import { Blocker } from './types.d.ts' */

/** A stopped run with its moves. @param {Blocker} blocker @param {string} person who looks at it @param {Parameters<typeof moveForm>[2]} told */
export function blockerDetail(blocker, person, told) {
  const { run } = blocker;
  const draft = moveDraft(blocker, person);
  const heading = h('h2', { tabindex: -1 }, visible(run.task.name));
  const notice = h('div', { class: 'notice', role: 'status' });
  const form = moveForm(blocker, draft, told);
  const [above, why, calls] = [part(), part(), part()];
  let isStopped = true;

  /** Shows how it stands now; the form stays as it is. @param {Blocker} now */
  function update(now) {
    const { moves, sections, reason, escalation, outcomeUnknown, ...rest } = now;
    above.show([sections, rest], () => [h('p', { class: 'sub chips' }, sections.map(sectionChip)), facts(now)]);
    why.show([reason, escalation], () => [whyStopped(now), escalated(now)]);
    calls.show(outcomeUnknown, () => [outcomeUnknown.length > 0 && unknownOutcomes(outcomeUnknown)]);
    form.update(moves);
  }
  update(blocker);
  return {
    id: run.id,
    name: run.task.name,
    element: h(
      'article',
      { class: 'detail', 'aria-label': `Stopped run: ${run.task.name}` },
      h(
        'div',
        { class: 'detail-body' },
        notice,
        h('header', {}, heading, above.element),
        why.element,
        calls.element,
        h('section', {}, form.element),
      ),
    ),
    update,
    focus: () => heading.focus(),
    press: (/** @type {KeyboardEvent} */ event) => isStopped && form.press(event),
    shown: form.shown,
    isStopped: () => isStopped,
    tell: form.tell,
    /** It has stopped once more after it had ended here. @param {() => void} onLook */
    returned: (onLook) =>
      fill(
        notice,
        h('p', {}, 'This run has stopped again. '),
        h('button', { type: 'button', class: 'link', onclick: onLook }, 'Look at it'),
      ),
    /** It is not stopped any more. The focus, what was written and the place looked at stay. @param {string} [ofNote] what became of the note */
    end(ofNote = 'Your note was not sent: ') {
      if (!isStopped) return;
      isStopped = false;
      fill(
        notice,
        h('p', {}, 'This run is not stopped any more: somebody moved it, or it went on.'),
        draft.isKept() && h('p', { class: 'faint' }, ofNote, h('q', {}, visible(draft.written.note))),
      );
      form.end();
    },
  };
}

/** A part that is made anew only when what it shows has changed: until then it keeps the focus and what was opened in it. */
function part() {
  const element = h('div', { class: 'part' });
  let last = '';
  return {
    element,
    /** @param {unknown} value @param {() => import('./dom.js').Child[]} make */
    show(value, make) {
      const text = JSON.stringify(value);
      if (text === last) return;
      last = text;
      fill(element, ...make());
      element.hidden = element.childElementCount === 0;
    },
  };
}

/** @param {Blocker} blocker */
const whyStopped = ({ reason }) =>
  h('section', {}, h('h3', {}, 'Why it stopped'), h('p', { class: 'text written', dir: 'auto' }, visible(reason ?? 'It gave no reason.')));

/** @param {Blocker} blocker */
function facts({ run, blockClass, since, lead, taskRetries }) {
  /** @type {[string, import('./dom.js').Child[]][]} */
  const pairs = [
    ['Done by', visible(run.member?.name ?? 'The system')],
    ['Part of', visible(run.execution.name)],
    ['Stopped since', [moment(since), h('span', { class: 'faint' }, ' (', ticking('age', since), ')')]],
    ['Team’s lead', visible(lead?.name ?? 'nobody')],
    ['Retries by runs', [`${taskRetries} of 3`]],
    ['Attempt', [String(run.attempt)]],
  ];
  if (blockClass) pairs.push(['Kind of block', visible(blockClass)]);
  if (run.failureCode) pairs.push(['Failure', [h('code', {}, visible(run.failureCode))]]);
  return h(
    'dl',
    { class: 'facts' },
    pairs.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );
}

/** @param {Blocker} blocker */
const escalated = ({ escalation }) =>
  escalation &&
  h(
    'section',
    {},
    h('h3', {}, 'Escalated'),
    h(
      'p',
      {},
      'To ',
      h('strong', {}, visible(escalation.member?.name ?? escalation.person?.name ?? escalation.to.toLowerCase())),
      ', ',
      moment(escalation.at),
      '.',
    ),
    h('p', { class: 'text', dir: 'auto' }, visible(escalation.note)),
  );

/** @param {Blocker['outcomeUnknown']} calls */
const unknownOutcomes = (calls) =>
  h(
    'section',
    { class: 'warning' },
    h('h3', {}, 'Calls that may have happened'),
    h(
      'p',
      {},
      'The service stopped while these were made outside. Look there before you retry: the new run is told of them, and does not know how they ended either.',
    ),
    calls.map(({ tool, arguments: sent, createdAt }) =>
      h(
        'details',
        {},
        h('summary', {}, h('code', {}, visible(tool)), ' ', moment(createdAt)),
        h('div', { class: 'written' }, payloadFields(sent)),
      ),
    ),
  );
