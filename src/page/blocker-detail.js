import { sectionChip } from './blocker-row.js';
import { fill, h } from './dom.js';
import { visible } from './invisible.js';
import { moveForm } from './move-form.js';
import { payloadFields } from './payload-view.js';
import { moment, ticking } from './time.js';

/** @import { Blocker } from './types.d.ts' */

/** @param {Blocker} blocker @param {(left: boolean, said: string) => void} onMoved @param {() => void} onGone */
export function blockerDetail(blocker, onMoved, onGone) {
  const { run, sections, reason, outcomeUnknown } = blocker;
  const heading = h('h2', { tabindex: -1 }, visible(run.task.name));
  const notice = h('div', { class: 'notice', role: 'status' });
  const form = moveForm(blocker, (kind, said) => onMoved(kind !== 'ESCALATE', said), onGone);
  const foot = h('section', {}, form.element);
  const element = h(
    'article',
    { class: 'detail', 'aria-label': `Stopped run: ${run.task.name}` },
    h(
      'div',
      { class: 'detail-body' },
      notice,
      h('header', {}, heading, h('p', { class: 'sub chips' }, sections.map(sectionChip)), facts(blocker)),
      h('section', {}, h('h3', {}, 'Why it stopped'), h('p', { class: 'text', dir: 'auto' }, visible(reason ?? 'It gave no reason.'))),
      escalated(blocker),
      outcomeUnknown.length > 0 && unknownOutcomes(outcomeUnknown),
      foot,
    ),
  );
  return {
    id: run.id,
    blocker,
    note: form.note,
    element,
    focus: () => heading.focus(),
    press: form.press,
    end() {
      fill(notice, h('p', {}, 'This run is not stopped any more: somebody moved it, or it went on.'));
      foot.remove();
      heading.focus();
    },
  };
}

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
      h('details', {}, h('summary', {}, h('code', {}, visible(tool)), ' ', moment(createdAt)), payloadFields(sent)),
    ),
  );
