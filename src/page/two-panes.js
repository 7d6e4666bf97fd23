import { fill, h, ICONS, icon } from './dom.js';

/** A list and, beside it or on a narrow screen in its place, what was chosen from it. @param {string} place the address of the list @param {(Node | string)[]} side */
export function twoPanes(place, side) {
  const detail = h('section', { class: 'pane main', 'aria-label': 'Details' });
  const element = h('div', { class: 'panes' }, h('section', { class: 'pane side', 'aria-label': 'List' }, side), detail);
  const back = h('a', { class: 'back', href: `#${place}` }, icon(ICONS.back), 'Back to the list');
  const hasFocus = () => detail.contains(document.activeElement);
  const focus = () => /** @type {HTMLElement | null} */ (detail.querySelector('h2'))?.focus();

  /** @param {HTMLElement} content @param {boolean} [chosen] whether it was chosen, and so takes a narrow screen */
  function show(content, chosen = false) {
    element.classList.toggle('chosen', chosen);
    if (content.parentElement === detail) return;
    fill(detail, back, content);
    detail.scrollTop = 0;
  }
  return {
    element,
    show,
    /** Shows what was chosen in place of what stood for it, and hands it the focus if that had it. @param {HTMLElement} content */
    put(content) {
      const held = hasFocus() && content.parentElement !== detail;
      show(content, true);
      if (held) focus();
    },
    hasFocus,
    visible: () => !element.hidden,
    focus,
  };
}

/** Stands for what was chosen until it has been read. */
export const loading = () => h('div', { class: 'empty loading' }, h('h2', { tabindex: -1 }, 'Loading…'));
