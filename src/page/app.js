import { Refusal, signOut } from './api.js';
import { blockersView } from './blockers-view.js';
import { connectionState } from './connection-state.js';
import { fill, h, ICONS, icon } from './dom.js';
import { gatesView } from './gates-view.js';
import { helpDialog } from './help.js';
import { visible } from './invisible.js';
import { listenToKeys } from './keys.js';
import { Live } from './live.js';
import { BLOCKER_EVENTS, GATE_EVENTS } from './queries.js';
import { speaker } from './speaker.js';

/** @import { Page, Viewer } from './types.d.ts' */

/** How long until what could not be read is tried again, in milliseconds. */
const AGAIN = 3_000;

/** The page of somebody who is signed in. @param {Viewer} viewer @param {(why: string, asked: boolean) => void} onSignedOut */
export function app(viewer, onSignedOut) {
  const spoken = speaker();
  /** @type {Page} */
  const page = { viewer, person: viewer.person?.id ?? 'nobody', go, say: spoken.say };
  const counts = { gates: h('span', { class: 'count' }), blockers: h('span', { class: 'count' }) };
  const views = {
    gates: gatesView(page, (total) => count('gates', total)),
    blockers: blockersView(page, (total) => count('blockers', total)),
  };
  const tabs = { gates: tab('gates', 'Gates'), blockers: tab('blockers', 'Blockers') };
  const help = helpDialog();
  const state = connectionState(() => live.now());
  /** @type {Live} */
  let live;
  /** @type {'gates' | 'blockers'} */
  let at = 'gates';
  let closed = false;

  /** @param {'gates' | 'blockers'} name @param {string} label */
  function tab(name, label) {
    return h('a', { href: `#${name}`, class: 'tab' }, label, ' ', counts[name]);
  }

  /** @param {'gates' | 'blockers'} name @param {number} total */
  function count(name, total) {
    fill(counts[name], String(total));
    counts[name].classList.toggle('none', total === 0);
    if (name === 'gates') document.title = `${total > 0 ? `(${total}) ` : ''}Gatehouse`;
  }

  const account = h(
    'details',
    { class: 'account' },
    h('summary', { 'aria-label': `Account of ${viewer.person?.name ?? 'this session'}` }, initials(viewer.person?.name ?? '?')),
    h(
      'div',
      { class: 'menu' },
      h(
        'p',
        {},
        h('strong', {}, visible(viewer.person?.name ?? 'This session')),
        viewer.person?.isCeo && h('span', { class: 'chip' }, 'CEO'),
      ),
      h('p', { class: 'faint' }, visible(viewer.person?.email ?? '')),
      h('p', { class: 'faint' }, visible(viewer.enterprise.name)),
      h('button', { type: 'button', class: 'button', onclick: () => void leave() }, 'Sign out'),
    ),
  );
  const element = h(
    'div',
    { class: 'app' },
    h(
      'header',
      { class: 'bar' },
      h('a', { class: 'brand', href: '#gates', 'aria-label': 'Gatehouse' }, icon(ICONS.gate), h('span', {}, 'Gatehouse')),
      h('nav', { 'aria-label': 'Sections' }, tabs.gates, tabs.blockers),
      h('span', { class: 'company' }, visible(viewer.enterprise.name)),
      state.element,
      h(
        'button',
        { type: 'button', class: 'round', 'aria-label': 'Keyboard help', 'aria-keyshortcuts': '?', onclick: () => help.showModal() },
        '?',
      ),
      account,
    ),
    h('main', {}, views.gates.element, views.blockers.element),
    spoken.element,
    help,
  );

  async function leave() {
    try {
      await signOut();
      onSignedOut('You are signed out.', true);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unauthenticated') return onSignedOut('You are signed out.', true);
      page.say(`You are still signed in: ${/** @type {Error} */ (error).message}`);
    }
  }

  /** @param {string} place @param {boolean} [quietly] */
  function go(place, quietly) {
    if (location.hash === `#${place}`) show();
    else if (quietly) location.replace(`#${place}`);
    else location.hash = place;
  }

  /** Shows what the address names: `gates`, `gate/<id>`, `blockers`, `blocker/<id>`. */
  function show() {
    const [name, id] = location.hash.slice(1).split('/');
    at = name?.startsWith('blocker') ? 'blockers' : 'gates';
    for (const key of /** @type {const} */ (['gates', 'blockers'])) {
      views[key].element.hidden = key !== at;
      if (key === at) tabs[key].setAttribute('aria-current', 'page');
      else tabs[key].removeAttribute('aria-current');
    }
    void views[at].open(id || null);
  }

  const ended = () => onSignedOut('Your session has ended. Sign in again.', false);

  /** Reads what there is, then hears of every change behind it. @throws {Refusal} */
  async function load() {
    live?.close();
    live = new Live({ onState: state.set, onExpired: () => void reload(), onSignedOut: ended });
    const gates = await views.gates.load();
    const blockers = await views.blockers.load();
    if (closed) return;
    show();
    /** @type {import('./live.js').Stream[]} */
    const streams = [{ field: 'gateEvents', query: GATE_EVENTS, cursor: gates, onEvent: views.gates.onEvent }];
    if (blockers) streams.push({ field: 'blockerEvents', query: BLOCKER_EVENTS, cursor: blockers, onEvent: views.blockers.onEvent });
    live.start(streams);
  }

  /** The same once more, until it works. */
  async function reload() {
    try {
      await load();
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unauthenticated') return ended();
      state.set({ is: 'lost', until: Date.now() + AGAIN });
      setTimeout(() => !closed && void reload(), AGAIN);
    }
  }

  const stopKeys = listenToKeys(
    {
      j: () => views[at].move(1),
      k: () => views[at].move(-1),
      ArrowDown: () => moveInList(1),
      ArrowUp: () => moveInList(-1),
      '/': () => views[at].filter(),
      '?': () => help.showModal(),
      g: () => go('gates'),
      b: () => go('blockers'),
    },
    (event) => (event.key === 'Enter' ? views[at].enter() : views[at].press(event)),
    stepBack,
  );

  /** Arrows move within the list, and scroll elsewhere. @param {number} by */
  function moveInList(by) {
    if (!document.activeElement?.matches('.list .row')) return false;
    views[at].move(by);
    return true;
  }

  /** One step back: out of a menu, a filter, a field, the details. */
  function stepBack() {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    if (account.open) account.open = false;
    else if (focused?.matches('input[type=search]')) {
      views[at].clearFilter();
      views[at].focusList();
    } else if (focused?.matches('textarea, select, input'))
      /** @type {HTMLElement | null} */ (focused.closest('article')?.querySelector('h2'))?.focus();
    else if (focused?.closest('.list') === null) views[at].back();
  }

  document.addEventListener('click', closeMenu);
  window.addEventListener('hashchange', show);
  /** @param {MouseEvent} event */
  function closeMenu({ target }) {
    if (account.open && !account.contains(/** @type {Node} */ (target))) account.open = false;
  }

  return {
    element,
    load,
    close() {
      closed = true;
      live?.close();
      stopKeys();
      document.removeEventListener('click', closeMenu);
      window.removeEventListener('hashchange', show);
      for (const view of Object.values(views)) view.close();
    },
  };
}

/** @param {string} name */
const initials = (name) =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();
