/** @typedef {Record<string, (event: KeyboardEvent) => boolean | void>} Keys what single keys do; false: nothing here */

const OFF = 'single-keys-off';

/** Whether single keys act: people who dictate or who hit keys by accident can switch them off, for this browser. */
export const keysAreOn = () => localStorage.getItem(OFF) === null;

/** @param {boolean} on */
export function setKeys(on) {
  if (on) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, 'true');
}

/** @param {EventTarget | null} target */
const writes = (target) => target instanceof HTMLElement && target.matches('textarea, select, input:not([type=radio], [type=checkbox])');

/** Keys that may be held down to go on. */
const HELD = ['j', 'k', 'ArrowDown', 'ArrowUp'];

/** A key that is held down presses nothing a second time. @param {KeyboardEvent} event */
function refuseRepeat(event) {
  const presses = event.key === 'Enter' || event.key === ' ';
  if (presses && event.target instanceof HTMLElement && event.target.closest('button, a, summary, input')) event.preventDefault();
}

/**
 * Listens to single keys while nobody writes and no dialog is open; answers how to stop.
 * @param {Keys} keys @param {(event: KeyboardEvent) => boolean} other what else may have a meaning where the person is @param {() => void} onEscape
 */
export function listenToKeys(keys, other, onEscape) {
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.repeat && !HELD.includes(event.key)) return refuseRepeat(event);
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.isComposing ||
      document.querySelector('dialog[open]')
    )
      return;
    if (event.key === 'Escape') return onEscape();
    if (writes(event.target) || (event.key.length === 1 && !keysAreOn())) return;
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (act ? act(event) !== false : other(event)) event.preventDefault();
  }
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
