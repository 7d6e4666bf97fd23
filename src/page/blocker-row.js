import { fill, h } from './dom.js';
import { visible } from './invisible.js';
import { ticking } from './time.js';

/** @import { Blocker } from './types.d.ts' */

/** A stopped run in the list. @param {Blocker} blocker @returns {import('./keyed-list.js').Row<Blocker>} */
export function blockerRow(blocker) {
  const content = h('a', { href: `#blocker/${blocker.run.id}`, class: 'row' });
  /** @param {Blocker} blocker */
  function update({ run, sections, since, reason, escalation }) {
    fill(
      content,
      h(
        'span',
        { class: 'row-top' },
        h('strong', { class: 'title' }, visible(run.task.name)),
        h('span', { class: 'when' }, ticking('wait', since)),
      ),
      h('span', { class: 'row-tool faint' }, visible(run.member?.name ?? 'The system'), ' · ', visible(run.execution.name)),
      reason && h('span', { class: 'row-text' }, visible(reason.slice(0, 240))),
      h('span', { class: 'chips' }, sections.map(sectionChip), escalation && h('span', { class: 'chip' }, 'escalated')),
    );
  }
  update(blocker);
  return { element: h('li', {}, content), link: content, update };
}

/** @param {string} section */
export const sectionChip = (section) => h('span', { class: `chip section ${section.toLowerCase()}` }, section.toLowerCase());
