import { ask } from './api.js';
import { fill, h, wide } from './dom.js';
import { gatePane } from './gate-pane.js';
import { gateRow } from './gate-row.js';
import { Gates } from './gates.js';
import { KeyedList } from './keyed-list.js';
import { HOLDS_UP, OPEN_GATES } from './queries.js';
import { twoPanes } from './two-panes.js';

/** @import { Gate, Page } from './types.d.ts' */

/** How often the figures of what is held up are read again, in milliseconds: they change without an event of the gate. */
const FIGURES = 30_000;

/** The inbox: the gates that wait, and the one that is looked at. @param {Page} page @param {(total: number) => void} onTotal */
export function gatesView(page, onTotal) {
  const gates = new Gates();
  /** @type {string | null} */
  let after = null;

  const filter = h('input', {
    type: 'search',
    placeholder: 'Filter',
    'aria-label': 'Filter gates',
    'aria-keyshortcuts': '/',
    oninput: () => render(),
  });
  const sort = h(
    'select',
    { 'aria-label': 'Order', onchange: () => void reload() },
    h('option', { value: 'OLDEST' }, 'Oldest first'),
    h('option', { value: 'COST_OF_DELAY' }, 'Holds up most'),
  );
  const list = new KeyedList(
    h('ul', { class: 'list', tabindex: -1, 'aria-label': 'Waiting gates' }),
    (/** @type {Gate} */ { id }) => id,
    gateRow,
  );
  const more = h('button', { type: 'button', class: 'button', onclick: () => void loadMore() });
  const none = h('p', { class: 'faint' });
  const panes = twoPanes('gates', [h('div', { class: 'tools' }, filter, sort), list.element, h('div', { class: 'rest' }, none, more)]);
  const pane = gatePane(page, panes, {
    onEnded({ id }) {
      gates.end(id);
      render();
    },
    onOpened: () => list.mark(pane.current()),
    first: () => gates.list(filter.value)[0]?.id ?? null,
    beside: list.neighbour,
    focusList: (id) => list.focus(id),
  });

  /** What stands already stays the same elements: whatever has the focus keeps it. */
  function render() {
    const found = gates.list(filter.value);
    const { total, beyond } = gates;
    list.render(found, pane.current());
    more.hidden = beyond === 0;
    fill(more, `Show more (${beyond} not shown)`);
    none.hidden = beyond > 0 || found.length > 0;
    fill(none, total === 0 ? 'Nothing waits for a decision.' : `None of ${total} waiting gates has “${filter.value.trim()}” in it.`);
    onTotal(total);
    if (total === 0) pane.showDone();
  }

  async function load() {
    const { eventCursor, openGates } = await ask(OPEN_GATES, { sort: gates.sort });
    gates.reset(openGates);
    after = openGates.pageInfo.endCursor;
    pane.check(gates.has);
    render();
    return /** @type {string} */ (eventCursor);
  }

  async function reload() {
    gates.sort = /** @type {'OLDEST' | 'COST_OF_DELAY'} */ (sort.value);
    await attempt(async () => {
      const { openGates } = await ask(OPEN_GATES, { sort: gates.sort });
      gates.more(openGates.nodes);
      gates.setHoldsUp(openGates.nodes);
      after = openGates.pageInfo.endCursor;
      render();
    });
  }

  const loadMore = () =>
    attempt(async () => {
      const { openGates } = await ask(OPEN_GATES, { sort: gates.sort, after });
      gates.more(openGates.nodes);
      after = openGates.pageInfo.endCursor;
      render();
    });

  /** @param {() => Promise<void>} act */
  async function attempt(act) {
    try {
      await act();
    } catch (error) {
      page.say(/** @type {Error} */ (error).message);
    }
  }

  /** @param {{ kind: string, gate: Gate }} event */
  function onEvent({ gate }) {
    if (gate.status !== 'WAITING') return pane.heard(gate);
    if (gates.take(gate)) page.say(`New gate: ${gate.run.task.name}, ${gate.tool}`, true);
    render();
    if (wide.matches && pane.isFree()) void pane.open(null);
  }

  const timer = setInterval(() => {
    if (document.hidden || !panes.visible() || gates.total === 0) return;
    ask(HOLDS_UP).then(
      ({ openGates }) => {
        gates.setHoldsUp(openGates.nodes);
        render();
      },
      () => {},
    ); // shown as they were until the next time
  }, FIGURES);

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
      if (!wide.matches && id !== null) page.go('gates');
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
