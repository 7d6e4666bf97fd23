import { fill, h } from './dom.js';
import { visible } from './invisible.js';

/** How long a message stays to be read, in milliseconds. */
const STAYS = 8_000;

/** Where the page says what has happened: in a corner, or to screen readers alone. */
export function speaker() {
  const quiet = h('p', { class: 'unseen-text', 'aria-live': 'polite' });
  const loud = h('div', { class: 'toast', role: 'status' });
  /** @type {number | undefined} */
  let timer;
  return {
    element: h('div', {}, quiet, loud),
    /** @param {string} text @param {boolean} [quietly] */
    say(text, quietly = false) {
      if (quietly) return fill(quiet, text);
      fill(loud, h('p', {}, visible(text)));
      clearTimeout(timer);
      timer = setTimeout(() => fill(loud), STAYS);
    },
  };
}
