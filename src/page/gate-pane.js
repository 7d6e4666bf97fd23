import { ask, Refusal } from './api.js';
import { h, ICONS, icon, wide } from './dom.js';
import { gateDetail } from './gate-detail.js';
import { askerOf, endOf } from './gate-words.js';
import { ONE_GATE } from './queries.js';
import { loading } from './two-panes.js';

/** @import { FullGate, Gate, Page } from './types.d.ts' */

/** @typedef {ReturnType<typeof gateDetail>} Detail */

/** How long until a gate is read again whose reading failed, in milliseconds. */
const AGAIN = 3_000;

/**
 * The gate that is looked at, and those whose decision is under way.
 * @param {Page} page @param {ReturnType<typeof import('./two-panes.js').twoPanes>} panes
 * @param {object} told
 * @param {(gate: Gate) => void} told.onEnded it leaves the list
 * @param {() => void} told.onOpened another one is looked at, or none
 * @param {() => string | null} told.first the id of the first in the list
 * @param {(id: string) => string | null} told.beside the id of one beside it in the list
 * @param {(id: string | null) => void} told.focusList
 */
export function gatePane(page, panes, told) {
  /** @type {Detail | undefined} */
  let shown;
  /** The id that the address names. @type {string | null} */
  let wanted = null;
  /** The id of the gate that is being read to be shown. @type {string | null} */
  let opening = null;
  let closed = false;
  /** Those whose decision was sent from here, with how they ended by an event that came before the answer. @type {Map<string, { detail: Detail, heard?: Gate }>} */
  const sending = new Map();
  const done = allDone();

  /** Shows a gate; null: none, or the first where there is room beside the list. @param {string | null} id */
  async function open(id) {
    if (id !== null && id === opening) return;
    wanted = id;
    opening = null;
    if (id === null) return openNone();
    const known = shown?.id === id ? shown : sending.get(id)?.detail;
    if (known) return put(known);
    clear();
    opening = id;
    const answer = await ask(ONE_GATE, { id }).catch((error) => ({ error }));
    if (opening !== id || closed) return;
    opening = null;
    if (answer.gate) present(answer.gate);
    else if (answer.error) panes.put(missing(answer.error.message, () => void open(id)));
    else panes.put(missing(`There is no gate ${id} in this enterprise.`));
  }

  /** The form of one gate is gone before another one is asked for. */
  function clear() {
    shown = undefined;
    const focused = panes.hasFocus() || !wide.matches;
    panes.show(loading(), true);
    if (focused) panes.focus();
    told.onOpened();
  }

  function openNone() {
    shown = undefined;
    const first = told.first();
    if (first !== null && wide.matches) return page.go(`gate/${first}`, true);
    panes.show(first === null ? done : h('p', { class: 'empty' }, 'Choose a gate.'), false);
    told.onOpened();
  }

  /** @param {FullGate} gate */
  function present(gate) {
    if (gate.status !== 'WAITING') told.onEnded(gate);
    /** @type {Detail} */
    const detail = gateDetail(gate, page.person, {
      onSending: () => void sending.set(gate.id, { detail }),
      onDecided: (decided, { done: said }) => leave(decided, `${said}: ${decided.run.task.name}. ${afterwards(decided)}`),
      onFailed: (error) => failed(detail, error),
    });
    put(detail);
  }

  /** @param {Detail} detail */
  function put(detail) {
    shown = detail;
    panes.put(detail.element);
    detail.shown();
    told.onOpened();
  }

  /** It was decided from here: the next one takes its place, unless the person has gone elsewhere. @param {Gate} gate @param {string} said */
  function leave(gate, said) {
    sending.delete(gate.id);
    const next = told.beside(gate.id);
    const held = panes.hasFocus() || document.activeElement === document.body;
    const isShown = shown?.id === gate.id;
    if (isShown) shown = undefined;
    told.onEnded(gate);
    page.say(said);
    if (!isShown) return;
    const to = wide.matches ? next : null;
    page.go(to ? `gate/${to}` : 'gates', true);
    void open(to);
    if (held) told.focusList(next);
  }

  /** @param {Detail} detail @param {unknown} error */
  function failed(detail, error) {
    const heard = sending.get(detail.id)?.heard;
    sending.delete(detail.id);
    if (shown?.id !== detail.id) page.say(`Not decided: ${detail.name}. ${error instanceof Error ? error.message : error}`);
    if (heard) return end(heard);
    const code = error instanceof Refusal ? error.code : '';
    if (code === 'unreachable') void settle(detail, detail.stillWaits);
    else if (code === 'gate_already_decided') void settle(detail);
  }

  /** Reads how a gate stands, until there is an answer. @param {Detail} detail @param {() => void} [onWaiting] */
  async function settle(detail, onWaiting) {
    while (!closed && detail.waits()) {
      const { gate, error } = await ask(ONE_GATE, { id: detail.id }).catch((error) => ({ error }));
      if (gate && gate.status !== 'WAITING') return end(gate);
      if (!error) return onWaiting?.();
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }

  /** Somebody else decided, or nobody in time: it stays, read-only. @param {Gate} gate */
  function end(gate) {
    told.onEnded(gate);
    if (shown?.id === gate.id) shown.end(gate);
  }

  return {
    open,
    /** The end of a gate, as an event tells it: one that was sent from here first waits for its answer. @param {Gate} gate */
    heard(gate) {
      const own = sending.get(gate.id);
      if (own) own.heard = gate;
      else end(gate);
    },
    /** The id that is current in the list. */
    current: () => shown?.id ?? wanted,
    /** Nothing is looked at, and nobody is in the pane: then what comes first may be shown there. */
    isFree: () => wanted === null && shown === undefined && panes.visible() && !panes.hasFocus(),
    showDone: () => wanted === null && shown === undefined && panes.show(done),
    /** Reads the gate that is looked at when it is no longer among those that wait. @param {(id: string) => boolean} isWaiting */
    check: (isWaiting) => shown?.waits() && !isWaiting(shown.id) && !sending.has(shown.id) && void settle(shown),
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
