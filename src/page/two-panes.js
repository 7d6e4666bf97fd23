import { fill, h, ICONS, icon } from './dom.js';

/** A list and, beside it or on a narrow screen in its place, what was chosen from it. @param {string} place the address of the list @param {(Node | string)[]} side */
export function twoPanes(place, side) {
  const detail = h('section', { class: 'pane main', 'aria-label': 'Details' });
  const element = h('div', { class: 'panes' }, h('section', { class: 'pane side', 'aria-label': 'List' }, side), detail);
  const back = h('a', { class: 'back', href: `#${place}` }, icon(ICONS.back), 'Back to the list');
  return {
    element,
    /** @param {HTMLElement} content @param {boolean} [chosen] whether it was chosen, and so takes a narrow screen */
    show(content, chosen = false) {
      element.classList.toggle('chosen', chosen);
      if (content.parentElement !== detail) fill(detail, back, content);
      if (chosen) detail.scrollTop = 0;
    },
    hasFocus: () => detail.contains(document.activeElement),
    visible: () => !element.hidden,
    focus: () => /** @type {HTMLElement | null} */ (detail.querySelector('h2'))?.focus(),
  };
}
