import { h } from './dom.js';
import { readableJson, visible } from './invisible.js';

const LONGEST = 20_000;
const DEEPEST = 5;
const MOST = 200;

/**
 * A payload as fields to read: texts as they are, lists and objects one within another.
 * @param {unknown} payload
 * @returns {HTMLElement}
 */
export function payloadFields(payload) {
  return isObject(payload) && Object.keys(payload).length === 0 ? h('p', { class: 'faint' }, 'No arguments.') : shownValue(payload, 0);
}

/** @param {unknown} value @returns {value is object} */
const isObject = (value) => typeof value === 'object' && value !== null;

/** @param {unknown} value @param {number} depth @returns {HTMLElement} */
function shownValue(value, depth) {
  if (typeof value === 'string') return textOf(value);
  if (!isObject(value)) return h('code', { class: 'scalar' }, String(value));
  const entries = Array.isArray(value) ? value.map((item, index) => [String(index + 1), item]) : Object.entries(value);
  if (entries.length === 0) return h('span', { class: 'faint' }, Array.isArray(value) ? 'empty list' : 'empty object');
  if (depth >= DEEPEST) return rawJson(value);
  if (Array.isArray(value) && value.length <= MOST && !value.some(isObject))
    return h(
      'ul',
      { class: 'items' },
      value.map((item) => h('li', {}, shownValue(item, depth))),
    );
  return h(
    'dl',
    { class: depth === 0 ? 'fields' : 'fields nested' },
    shortened(entries, (some) => some.flatMap(([key, item]) => field(key, item, depth))),
  );
}

/** @param {string} key @param {unknown} value @param {number} depth */
const field = (key, value, depth) => [h('dt', {}, visible(key)), h('dd', {}, shownValue(value, depth + 1))];

/** @param {any[]} entries @param {(some: any[]) => HTMLElement[]} made */
function shortened(entries, made) {
  const left = entries.length - MOST;
  if (left <= 0) return made(entries);
  const more = h(
    'button',
    { type: 'button', class: 'link', onclick: () => rest.replaceWith(...made(entries.slice(MOST))) },
    `Show the other ${left}`,
  );
  const rest = h('dd', {}, more);
  return [...made(entries.slice(0, MOST)), rest];
}

/** @param {string} text */
function textOf(text) {
  if (text === '') return h('span', { class: 'faint' }, 'empty text');
  const block = h('div', { class: 'text', dir: 'auto' }, visible(text.slice(0, LONGEST)));
  const left = text.length - LONGEST;
  if (left > 0) {
    const show = () => block.replaceChildren(...visible(text));
    block.append(h('button', { type: 'button', class: 'link', onclick: show }, `… show the other ${left.toLocaleString()} characters`));
  }
  return block;
}

/** A value as JSON, nothing in it hidden. @param {unknown} value */
export const rawJson = (value) => h('pre', { class: 'json', tabindex: 0, 'aria-label': 'JSON' }, readableJson(value));
