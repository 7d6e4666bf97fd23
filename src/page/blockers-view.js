import { ask, Refusal } from './api.js';
import { blockerDetail } from './blocker-detail.js';
import { blockerRow } from './blocker-row.js';
import { Blockers } from './blockers.js';
import { fill, h, ICONS, icon, wide } from './dom.js';
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
  /** @type {ReturnType<typeof blockerDetail> | undefined} */
  let shown;
  /** @type {string | null} */
  let wanted = null;

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
  const rest = h('div', { class: 'rest' });
  const sections = h('div', { class: 'sections' });
  const panes = twoPanes('blockers', [h('div', { class: 'tools' }, filter), switches, list.element, rest, sections]);

  function render() {
    const { total, beyond } = blockers;
    const found = blockers.list(filter.value);
    list.render(found, shown?.id ?? wanted);
    fill(switches, ...switchLines(blockers.switches));
    fill(
      rest,
      beyond > 0 &&
        h('button', { type: 'button', class: 'button', onclick: () => void more() }, `Show more stopped runs (${beyond} not shown)`),
      total === 0 && h('p', { class: 'faint' }, 'No run has stopped.'),
      total > 0 && found.length === 0 && h('p', { class: 'faint' }, `None of ${total} stopped runs has “${filter.value.trim()}” in it.`),
    );
    onTotal(total);
  }

  /** Answers the cursor to go on behind; undefined when they could not be read, which keeps nobody from the gates. */
  async function load() {
    try {
      const { eventCursor, blockers: first } = await ask(BLOCKERS);
      blockers.reset(first);
      render();
      if (shown && !blockers.find(shown.id) && blockers.beyond === 0) shown.end();
      void refresh();
      return /** @type {string} */ (eventCursor);
    } catch (error) {
      if (error instanceof Refusal && (error.code === 'unauthenticated' || error.code === 'unreachable')) throw error;
      fill(rest, h('p', { class: 'problem' }, `Blockers could not be read: ${/** @type {Error} */ (error).message}`));
      panes.show(h('div'), false);
      return undefined;
    }
  }

  /** Answers whether a further page was loaded. */
  async function more() {
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
    while (wanted === id && !blockers.find(id) && blockers.beyond > 0) if (!(await more())) return;
    if (wanted === id) open(id);
  }

  async function refresh() {
    try {
      const read = await readSections(sectionPages);
      blockers.switches = read.switches;
      fill(switches, ...switchLines(read.switches));
      fill(sections, ...sectionList(read.sections, sectionPages, refresh));
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'unreachable')
        fill(sections, h('p', { class: 'problem' }, `The other sections could not be read: ${error.message}`));
    }
  }

  /** @param {string | null} id */
  function open(id) {
    wanted = id;
    if (id === null) return openNone();
    if (shown?.id === id) return panes.show(shown.element, true);
    const blocker = blockers.find(id);
    if (!blocker && blockers.beyond > 0) {
      panes.show(h('p', { class: 'empty' }, 'Looking for this run…'), true);
      void seek(id);
    } else if (!blocker)
      panes.show(
        h('div', { class: 'empty' }, h('h2', { tabindex: -1 }, 'This run is not stopped'), h('p', {}, 'It was moved, or it went on.')),
        true,
      );
    else present(blocker);
    render();
  }

  function openNone() {
    shown = undefined;
    const first = blockers.list(filter.value)[0];
    if (first && wide.matches) return page.go(`blocker/${first.run.id}`, true);
    panes.show(first ? h('p', { class: 'empty' }, 'Choose a stopped run.') : allRunning(), false);
    render();
  }

  /** @param {Blocker} blocker */
  function present(blocker) {
    const focused = panes.hasFocus();
    const note = shown?.id === blocker.run.id ? shown.note.value : '';
    shown = blockerDetail(
      blocker,
      (left, said) => (left ? leave(blocker.run.id, said) : page.say(said)),
      () => leave(blocker.run.id, 'Somebody has moved this run already, or it went on.'),
    );
    shown.note.value = note;
    panes.show(shown.element, true);
    if (focused || !wide.matches) shown.focus();
  }

  /** @param {string} id @param {string} said */
  function leave(id, said) {
    const next = list.neighbour(id);
    if (blockers.find(id)) blockers.take(id, null, 'LEFT');
    shown = undefined;
    wanted = wide.matches ? next : null;
    page.say(said);
    page.go(wanted ? `blocker/${wanted}` : 'blockers', true);
    render();
    if (next) list.focus(next);
    else panes.focus();
  }

  /** @param {{ kind: string, runId: string, blocker: Blocker | null }} event */
  function onEvent({ kind, runId, blocker }) {
    if (blockers.take(runId, blocker, kind) && blocker) page.say(`Stopped: ${blocker.run.task.name}`, true);
    render();
    if (shown?.id === runId) {
      if (!blocker) shown.end();
      else if (JSON.stringify(blocker) !== JSON.stringify(shown.blocker)) present(blocker);
    }
    if (wanted === null && wide.matches && shown === undefined && panes.visible()) openNone();
  }

  const timer = setInterval(() => !document.hidden && panes.visible() && void refresh(), AGAIN);

  return {
    ...{ element: panes.element, load, open, onEvent },
    filter: () => filter.focus(),
    move: (/** @type {number} */ by) => list.move(by),
    /** From the list to the details; answers whether the focus was on the row that is open. */
    enter() {
      if (!shown || !list.isOnCurrent()) return false;
      shown.focus();
      return true;
    },
    focusList: () => list.focus(),
    /** From the details to the list. */
    back() {
      if (!wide.matches && wanted !== null) page.go('blockers');
      list.focus(wanted);
    },
    close: () => clearInterval(timer),
    clearFilter() {
      filter.value = '';
      render();
    },
    press: (/** @type {string} */ key) => shown?.press(key) ?? false,
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

const allRunning = () =>
  h(
    'div',
    { class: 'empty' },
    icon(ICONS.check),
    h('h2', { tabindex: -1 }, 'Nothing has stopped'),
    h('p', {}, 'A run that fails, blocks or stalls appears here by itself.'),
  );
