import { fill, h } from './dom.js';

/** What the page knows of its connection, and a way to try at once. @param {() => void} retry */
export function connectionState(retry) {
  const text = h('span', { class: 'state-text' });
  const element = h('div', { class: 'state', role: 'status' }, h('span', { class: 'dot', 'aria-hidden': 'true' }), text);
  const again = h('button', { type: 'button', class: 'link', onclick: retry }, 'Reconnect');
  /** Whether a connection was lost and not yet found again: a try is then no news. */
  let lost = false;

  /** @param {import('./live.js').State} state */
  function set(state) {
    if (state.is === 'live') lost = false;
    if (state.is === 'lost') lost = true;
    element.dataset.is = lost ? 'lost' : state.is;
    fill(text, ...(lost ? ['Connection lost', again] : [state.is === 'live' ? 'Live' : 'Connecting']));
  }
  set({ is: 'connecting' });
  return { element, set };
}
