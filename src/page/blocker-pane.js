import { ask, Refusal } from './api.js';
import { blockerDetail } from './blocker-detail.js';
import { h, ICONS, icon, wide } from './dom.js';
import { BLOCKERS } from './queries.js';

/** @import { Blocker, Page } from './types.d.ts' */

/** @typedef {ReturnType<typeof blockerDetail>} Detail */

/** How long until what could not be read is read again, in milliseconds. */
const AGAIN = 3_000;

/**
 * The stopped run that is looked at, and those whose move is under way.
 * @param {Page} page @param {ReturnType<typeof import('./two-panes.js').twoPanes>} panes
 * @param {object} told
 * @param {(id: string) => Blocker | undefined} told.find
 * @param {() => boolean} told.isComplete whether every stopped run is loaded
 * @param {(id: string) => void} told.onSeek it may stand on a page that is not loaded yet
 * @param {(id: string) => void} told.onLeft
 * @param {() => void} told.onOpened
 * @param {() => string | null} told.first the id of the first in the list
 * @param {(id: string) => string | null} told.beside
 * @param {(id: string | null) => void} told.focusList
 */
export function blockerPane(page, panes, told) {
  /** @type {Detail | undefined} */
  let shown;
  /** The id that the address names. @type {string | null} */
  let wanted = null;
  let closed = false;
  /** Those whose move was sent from here and is not answered, with whether an event said meanwhile that they left. @type {Map<string, { detail: Detail, left: boolean }>} */
  const sending = new Map();

  /** Shows a run; null: none, or the first where there is room beside the list. @param {string | null} id */
  function open(id) {
    wanted = id;
    if (id === null) return openNone();
    const known = shown?.id === id ? shown : sending.get(id)?.detail;
    const blocker = told.find(id);
    if (known && (known.isStopped() || !blocker)) return put(known);
    if (blocker) return present(blocker);
    shown = undefined;
    panes.show(told.isComplete() ? notStopped() : h('p', { class: 'empty' }, 'Looking for this run…'), true);
    told.onOpened();
    if (!told.isComplete()) told.onSeek(id);
  }

  function openNone() {
    shown = undefined;
    const first = told.first();
    if (first !== null && wide.matches) return page.go(`blocker/${first}`, true);
    panes.show(first === null ? allRunning() : h('p', { class: 'empty' }, 'Choose a stopped run.'), false);
    told.onOpened();
  }

  /** @param {Blocker} blocker @param {boolean} [focused] whether it gets the focus */
  function present(blocker, focused = panes.hasFocus() || !wide.matches) {
    const { id } = blocker.run;
    /** @type {Detail} */
    const detail = blockerDetail(blocker, page.person, {
      onSending: () => void sending.set(id, { detail, left: false }),
      onMoved(kind, said) {
        sending.delete(id);
        if (kind === 'ESCALATE') page.say(said);
        else leave(id, said);
      },
      onFailed(error) {
        const hasLeft = sending.get(id)?.left ?? false;
        sending.delete(id);
        return failed(detail, error, hasLeft);
      },
    });
    put(detail);
    if (focused) detail.focus();
  }

  /** @param {Detail} detail */
  function put(detail) {
    shown = detail;
    panes.show(detail.element, true);
    detail.shown();
    told.onOpened();
  }

  /** It was moved from here: the next one takes its place, unless the person has gone elsewhere. @param {string} id @param {string} said */
  function leave(id, said) {
    const next = told.beside(id);
    const held = panes.hasFocus() || document.activeElement === document.body;
    const isShown = shown?.id === id;
    if (isShown) shown = undefined;
    told.onLeft(id);
    page.say(said);
    if (!isShown) return;
    const to = wide.matches ? next : null;
    page.go(to ? `blocker/${to}` : 'blockers', true);
    open(to);
    if (held) told.focusList(next);
  }

  /** Answers what to say beside the form. @param {Detail} detail @param {unknown} error @param {boolean} hasLeft */
  function failed(detail, error, hasLeft) {
    const said = error instanceof Error ? error.message : String(error);
    if (shown?.id !== detail.id) page.say(`Not moved: ${detail.name}. ${said}`);
    const code = error instanceof Refusal ? error.code : '';
    if (code === 'unreachable') void settle(detail);
    else if (hasLeft || code === 'run_not_on_blockers') queueMicrotask(() => left(detail.id));
    return code === 'unreachable'
      ? 'No answer came, so the move may or may not have arrived. The run is read again as soon as there is a connection.'
      : said;
  }

  /** Reads how a run stands, until there is an answer. @param {Detail} detail */
  async function settle(detail) {
    while (!closed && detail.isStopped()) {
      const blocker = await find(detail.id).catch(() => undefined);
      if (blocker === null) return detail.end('Your note, which may have been sent: ');
      if (blocker) {
        detail.update(blocker);
        return detail.tell('No answer came. The run was read again and stands as shown: move it again if you still want to.');
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }

  /** It left Blockers otherwise than from here: what was written stays, read-only. @param {string} id */
  function left(id) {
    told.onLeft(id);
    if (shown?.id === id) shown.end();
  }

  return {
    open,
    /** What an event tells of a run, after the list has taken it. @param {string} id @param {Blocker | null} blocker */
    heard(id, blocker) {
      const own = sending.get(id);
      if (own) own.left = blocker === null;
      if (own || shown?.id !== id) return;
      if (!blocker) shown.end();
      else if (shown.isStopped()) shown.update(blocker);
      else if (panes.hasFocus()) shown.returned(() => present(/** @type {Blocker} */ (told.find(id) ?? blocker)));
      else present(blocker, false);
    },
    /** After everything was read anew. */
    check() {
      if (!shown || sending.has(shown.id)) return;
      const blocker = told.find(shown.id);
      if (blocker || told.isComplete()) this.heard(shown.id, blocker ?? null);
    },
    current: () => shown?.id ?? wanted,
    isWanted: (/** @type {string} */ id) => wanted === id,
    /** Nothing is looked at, and nobody is in the pane: then what comes first may be shown there. */
    isFree: () => wanted === null && shown === undefined && panes.visible() && !panes.hasFocus(),
    focus() {
      shown?.focus();
      return shown !== undefined;
    },
    press: (/** @type {KeyboardEvent} */ event) => shown?.press(event) ?? false,
    close() {
      closed = true;
    },
  };
}

/** A stopped run as it stands now; null: it is not stopped. @param {string} id @returns {Promise<Blocker | null>} */
async function find(id) {
  let after = null;
  for (;;) {
    /** @type {{ blockers: import('./types.d.ts').BlockersPage }} */
    const { blockers } = await ask(BLOCKERS, { after });
    const { nodes, pageInfo } = blockers.stoppedRuns;
    const found = nodes.find(({ run }) => run.id === id);
    if (found) return found;
    if (!pageInfo.hasNextPage) return null;
    after = pageInfo.endCursor;
  }
}

const notStopped = () =>
  h('div', { class: 'empty' }, h('h2', { tabindex: -1 }, 'This run is not stopped'), h('p', {}, 'It was moved, or it went on.'));

const allRunning = () =>
  h(
    'div',
    { class: 'empty' },
    icon(ICONS.check),
    h('h2', { tabindex: -1 }, 'Nothing has stopped'),
    h('p', {}, 'A run that fails, blocks or stalls appears here by itself.'),
  );
