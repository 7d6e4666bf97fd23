import { ask } from './api.js';
import { fill, h, ICONS, icon, wide } from './dom.js';
import { dropDraft } from './drafts.js';
import { gateDetail } from './gate-detail.js';
import { gateRow } from './gate-row.js';
import { askerOf, endOf } from './gate-words.js';
import { Gates } from './gates.js';
import { KeyedList } from './keyed-list.js';
import { HOLDS_UP, ONE_GATE, OPEN_GATES } from './queries.js';
import { twoPanes } from './two-panes.js';

/** @import { Gate, Page } from './types.d.ts' */

/** How often the figures of what is held up are read again, in milliseconds: they change without an event of the gate. */
const FIGURES = 30_000;

/** The inbox: the gates that wait, and the one that is looked at. @param {Page} page @param {(total: number) => void} onTotal */
export function gatesView(page, onTotal) {
  const gates = new Gates();
  /** @type {ReturnType<typeof gateDetail> | undefined} */
  let shown;
  /** The id that the address names. @type {string | null} */
  let wanted = null;
  /** Whose decision is under way from here: its event is not somebody else's. @type {string | null} */
  let deciding = null;
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
  const rest = h('div', { class: 'rest' });
  const panes = twoPanes('gates', [h('div', { class: 'tools' }, filter, sort), list.element, rest]);

  function render() {
    const found = gates.list(filter.value);
    list.render(found, shown?.id ?? wanted);
    fill(rest, ...restOf(found.length));
    onTotal(gates.total);
    if (gates.total === 0 && !shown) panes.show(allDone());
  }

  /** @param {number} found */
  function restOf(found) {
    const { total, beyond } = gates;
    if (total === 0) return [h('p', { class: 'faint' }, 'Nothing waits for a decision.')];
    if (beyond > 0)
      return [h('button', { type: 'button', class: 'button', onclick: () => void more() }, `Show more (${beyond} not shown)`)];
    return found === 0 ? [h('p', { class: 'faint' }, `None of ${total} waiting gates has “${filter.value.trim()}” in it.`)] : [];
  }

  async function load() {
    const { eventCursor, openGates } = await ask(OPEN_GATES, { sort: gates.sort });
    gates.reset(openGates);
    after = openGates.pageInfo.endCursor;
    if (shown?.waits() && !gates.has(shown.id)) void lost(shown.id);
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

  const more = () =>
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

  /** Shows a gate; null: the list, beside which the first one stands where there is room. @param {string | null} id */
  async function open(id) {
    wanted = id;
    if (id === null) return openNone();
    if (shown?.id === id) return panes.show(shown.element, true);
    list.render(gates.list(filter.value), id);
    try {
      const { gate } = await ask(ONE_GATE, { id });
      if (wanted !== id) return;
      if (!gate) return panes.show(missing(`There is no gate ${id} in this enterprise.`), true);
      present(gate);
    } catch (error) {
      if (wanted === id)
        panes.show(
          missing(/** @type {Error} */ (error).message, () => void open(id)),
          true,
        );
    }
  }

  function openNone() {
    shown = undefined;
    const first = gates.list(filter.value)[0];
    if (first && wide.matches) return page.go(`gate/${first.id}`, true);
    panes.show(first ? h('p', { class: 'empty' }, 'Choose a gate.') : allDone(), false);
    render();
  }

  /** @param {import('./types.d.ts').FullGate} gate */
  function present(gate) {
    const focused = panes.hasFocus();
    shown = gateDetail(gate, {
      onDeciding(is) {
        deciding = is ? gate.id : null;
      },
      onDecided: (decided, { done }) => leave(decided, `${done}: ${decided.run.task.name}. ${afterwards(decided)}`),
      onLost: () => void lost(gate.id),
    });
    if (gate.status !== 'WAITING') gates.end(gate.id);
    panes.show(shown.element, true);
    if (focused || !wide.matches) shown.focus();
    render();
  }

  /** The card leaves at once, and the next one takes its place. @param {Gate} gate @param {string} said */
  function leave(gate, said) {
    const next = list.neighbour(gate.id);
    gates.end(gate.id);
    dropDraft(gate.id);
    shown = undefined;
    wanted = wide.matches ? next : null;
    page.say(said);
    page.go(wanted ? `gate/${wanted}` : 'gates', true);
    render();
    if (next) list.focus(next);
    else panes.focus();
  }

  /** Somebody else decided, or nobody in time: what stands is shown in place of the form. @param {string} id */
  const lost = (id) =>
    attempt(async () => {
      const { gate } = await ask(ONE_GATE, { id });
      if (gate) end(gate);
    });

  /** @param {Gate} gate */
  function end(gate) {
    gates.end(gate.id);
    if (shown?.id === gate.id) shown.end(gate);
    dropDraft(gate.id);
    render();
  }

  /** @param {{ kind: string, gate: Gate }} event */
  function onEvent({ gate }) {
    if (gate.id === deciding) return;
    if (gate.status !== 'WAITING') return end(gate);
    if (gates.take(gate)) page.say(`New gate: ${gate.run.task.name}, ${gate.tool}`, true);
    render();
    if (wanted === null && wide.matches && shown === undefined && panes.visible()) openNone();
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
      if (!wide.matches && wanted !== null) page.go('gates');
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

/** @param {Gate} gate */
function afterwards(gate) {
  if (gate.kind === 'RUN_ENDING' && gate.status !== 'CHANGES_REQUESTED') return `The run of ${askerOf(gate)} has its answer.`;
  return gate.status === 'APPROVED'
    ? 'The call is made, and the run goes on.'
    : `The call was ${endOf(gate.status)}; the run goes on and reads why.`;
}

const allDone = () =>
  h(
    'div',
    { class: 'empty' },
    icon(ICONS.check),
    h('h2', { tabindex: -1 }, 'All decided'),
    h('p', {}, 'Nothing waits for you. A gate that opens appears here by itself.'),
  );

/** @param {string} text @param {() => void} [again] */
const missing = (text, again) =>
  h(
    'div',
    { class: 'empty' },
    h('h2', { tabindex: -1 }, 'This gate cannot be shown'),
    h('p', {}, text),
    again && h('button', { type: 'button', class: 'button', onclick: again }, 'Try again'),
  );
