import { fill, h } from './dom.js';
import { askerOf, holdsUpText } from './gate-words.js';
import { visible } from './invisible.js';
import { ticking } from './time.js';

/** @import { Gate } from './types.d.ts' */

/** The words of a summary, for one or two lines of a list. @param {string} summary */
const plain = (summary) =>
  summary
    .replace(/[#*_`|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 240);

/** A gate in the list. @param {Gate} gate @returns {import('./keyed-list.js').Row<Gate>} */
export function gateRow(gate) {
  const { run, tool, summary, createdAt, timesOutAt } = gate;
  const holdsUp = h('span', { class: 'chip' });
  const update = (/** @type {Gate} */ { holdsUp: { count } }) => {
    holdsUp.hidden = count === 0;
    fill(holdsUp, holdsUpText(count));
  };
  update(gate);
  const link = h(
    'a',
    { href: `#gate/${gate.id}`, class: 'row' },
    h(
      'span',
      { class: 'row-top' },
      h('strong', { class: 'title' }, visible(run.task.name)),
      h('span', { class: 'when' }, ticking('wait', createdAt)),
    ),
    h('span', { class: 'row-tool' }, h('code', {}, visible(tool)), h('span', { class: 'faint' }, ' · ', visible(askerOf(gate)))),
    summary && h('span', { class: 'row-text' }, visible(plain(summary))),
    h('span', { class: 'chips' }, holdsUp, timesOutAt && h('span', { class: 'chip' }, ticking('left', timesOutAt))),
  );
  return { element: h('li', {}, link), link, update };
}
