import { setAttribute } from './dom.js';

/** How long a form that has come up takes nothing, in milliseconds: until then a hand may still be at what stood there before. */
export const SETTLES = 600;

/** @typedef {'new' | 'live' | 'sending' | 'ended'} FormState */

/**
 * Keeps a form in which something is decided from taking what was not meant for it. Its state is in `data-is`: `new` when it
 * has just come up, `live` when it can be sent, `sending` until an answer has come, `ended` for good.
 * @param {HTMLElement} form @param {HTMLButtonElement[]} buttons those that decide
 * @param {string} place the address under which it stands: anywhere else it takes nothing
 */
export function formGuard(form, buttons, place) {
  /** @type {number | undefined} */
  let timer;
  let liveSince = Number.POSITIVE_INFINITY;

  /** @param {FormState} state */
  function set(state) {
    form.dataset.is = state;
    // Not `disabled`, which would take the focus away.
    for (const button of buttons) setAttribute(button, 'aria-disabled', state === 'live' ? null : 'true');
  }
  const live = () => {
    liveSince = performance.now();
    set('live');
  };
  set('new');
  const is = () => /** @type {FormState} */ (form.dataset.is);

  return {
    is,
    /** It comes up, for the first time or once more. */
    shown() {
      if (is() !== 'new' && is() !== 'live') return;
      clearTimeout(timer);
      set('new');
      timer = setTimeout(live, SETTLES);
    },
    /** Whether the form takes this act: one of its own, begun while it was live, neither a repeated key nor the rest of a double click. @param {UIEvent} event */
    takes: (event) =>
      is() === 'live' &&
      location.hash === `#${place}` &&
      event.timeStamp >= liveSince &&
      event.detail <= 1 &&
      !(event instanceof KeyboardEvent && event.repeat),
    sending: () => set('sending'),
    /** An answer has come that leaves it to be sent again. */
    again: () => is() === 'sending' && set('live'),
    end() {
      clearTimeout(timer);
      set('ended');
    },
  };
}

/** Makes what can be written in read-only and takes what can be pressed away; what has the focus only once the focus has left it. @param {HTMLElement} part */
export function freeze(part) {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (part.querySelectorAll('textarea, select, input, button'))) {
    if (field.matches('textarea')) field.readOnly = true;
    else if (field !== document.activeElement) close(field);
    else {
      field.setAttribute('aria-disabled', 'true');
      field.addEventListener('blur', () => queueMicrotask(() => close(field)), { once: true });
    }
  }
}

/** @param {HTMLInputElement} field */
function close(field) {
  if (field.matches('button')) field.remove();
  else field.disabled = true;
}
