import { ask, Refusal } from './api.js';
import { blockerPane } from './blocker-pane.js';
import { blockerRow } from './blocker-row.js';
import { Blockers } from './blockers.js';
import { fill, h, wide } from './dom.js';
import { KeyedList } from './keyed-list.js';
import { BLOCKERS } from './queries.js';
import { readSections, sectionList } from './sections.js';
import { twoPanes } from './two-panes.js';

/** @import { Blocker, Page } from './types.d.ts' */

/** How often what has no events is read again, in milliseconds. */
const AGAIN = 60_000;

/** What has stopped, with the moves of a person; and what else stands in the company's way. @param {Page} page @param {(total: number) => void} onTotal */
export function blockersView(page, onTotal) {
  const blockers = new Blockers();
  /** How many pages of a section are shown, where it is more than one. @type {Map<string, number>} */
  const sectionPages = new Map();
  const filter = h('input', {
    type: 'search',
    placeholder: 'Filter',
    'aria-label': 'Filter blockers',
    'aria-keyshortcuts': '/',
    oninput: () => render(),
  });
  const list = new KeyedList(
    h('ul', { class: 'list', tabindex: -1, 'aria-label': 'Stopped runs' }),
    (/** @type {Blocker} */ { run }) => run.id,
    blockerRow,
  );
  const switches = h('div', { class: 'switches' });
  const more = h('button', { type: 'button', class: 'button', onclick: () => void loadMore() });
  const none = h('p', { class: 'faint' });
  const failure = h('p', { class: 'problem' });
  const rest = h('div', { class: 'rest' }, none, failure, more);
  const sections = h('div', { class: 'sections' });
  const panes = twoPanes('blockers', [h('div', { class: 'tools' }, filter), switches, list.element, rest, sections]);
  const pane = blockerPane(page, panes, {
    find: blockers.find,
    isComplete: () => blockers.beyond === 0,
    onSeek: (id) => void seek(id),
    onLeft(id) {
      if (blockers.find(id)) blockers.take(id, null, 'LEFT');
      render();
    },
    onOpened: () => list.mark(pane.current()),
    first: () => blockers.list(filter.value)[0]?.run.id ?? null,
    beside: list.neighbour,
    focusList: (id) => list.focus(id),
  });

  /** What stands already stays the same elements: whatever has the focus keeps it. */
  function render() {
    const { total, beyond } = blockers;
    const found = blockers.list(filter.value);
    list.render(found, pane.current());
    fill(switches, ...switchLines(blockers.switches));
    more.hidden = beyond === 0;
    fill(more, `Show more stopped runs (${beyond} not shown)`);
    none.hidden = total > 0 && found.length > 0;
    fill(none, total === 0 ? 'No run has stopped.' : `None of ${total} stopped runs has “${filter.value.trim()}” in it.`);
    fill(failure);
    onTotal(total);
  }

  /** Answers the cursor to go on behind; undefined when they could not be read, which keeps nobody from the gates. */
  async function load() {
    try {
      const { eventCursor, blockers: first } = await ask(BLOCKERS);
      blockers.reset(first);
      render();
      pane.check();
      void refresh();
      return /** @type {string} */ (eventCursor);
    } catch (error) {
      if (error instanceof Refusal && (error.code === 'unauthenticated' || error.code === 'unreachable')) throw error;
      fill(failure, `Blockers could not be read: ${/** @type {Error} */ (error).message}`);
      panes.show(h('div'), false);
      return undefined;
    }
  }

  /** Answers whether a further page was loaded. */
  async function loadMore() {
    try {
      const { blockers: next } = await ask(BLOCKERS, { after: blockers.cursor });
      blockers.more(next);
      render();
      return true;
    } catch (error) {
      page.say(/** @type {Error} */ (error).message);
      return false;
    }
  }

  /** Loads further pages until the run that is wanted is among them. @param {string} id */
  async function seek(id) {
    while (pane.isWanted(id) && !blockers.find(id) && blockers.beyond > 0) if (!(await loadMore())) return;
    if (pane.isWanted(id)) pane.open(id);
  }

  /** @param {boolean} [isAsked] whether a person asked for it: otherwise what has the focus stays as it is */
  async function refresh(isAsked = false) {
    try {
      const read = await readSections(sectionPages);
      blockers.switches = read.switches;
      fill(switches, ...switchLines(read.switches));
      if (isAsked || !sections.contains(document.activeElement))
        fill(sections, ...sectionList(read.sections, sectionPages, () => void refresh(true)));
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'unreachable')
        fill(sections, h('p', { class: 'problem' }, `The other sections could not be read: ${error.message}`));
    }
  }

  /** @param {{ kind: string, runId: string, blocker: Blocker | null }} event */
  function onEvent({ kind, runId, blocker }) {
    if (blockers.take(runId, blocker, kind) && blocker) page.say(`Stopped: ${blocker.run.task.name}`, true);
    render();
    pane.heard(runId, blocker);
    if (wide.matches && pane.isFree()) pane.open(null);
  }

  const timer = setInterval(() => !document.hidden && panes.visible() && void refresh(), AGAIN);

  return {
    ...{ element: panes.element, load, open: pane.open, onEvent, press: pane.press },
    filter: () => filter.focus(),
    move: (/** @type {number} */ by) => list.move(by),
    /** From the list to the details; answers whether the focus was on the row that is open. */
    enter: () => list.isOnCurrent() && pane.focus(),
    focusList: () => list.focus(),
    /** From the details to the list. */
    back() {
      const id = pane.current();
      if (!wide.matches && id !== null) page.go('blockers');
      list.focus(id);
    },
    close() {
      clearInterval(timer);
      pane.close();
    },
    clearFilter() {
      filter.value = '';
      render();
    },
  };
}

/** @param {{ spendEnabled: boolean, draining: boolean }} switches */
const switchLines = ({ spendEnabled, draining }) => [
  ...(spendEnabled
    ? []
    : [
        h(
          'p',
          { class: 'warning' },
          h('strong', {}, 'Spending is off.'),
          ' Runs that would start are paused until the operator switches it on.',
        ),
      ]),
  ...(draining
    ? [h('p', { class: 'warning' }, h('strong', {}, 'Draining.'), ' No run starts or is handed out until the operator ends it.')]
    : []),
];
