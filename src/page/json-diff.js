import { h } from './dom.js';
import { readableJson } from './invisible.js';

/** @typedef {{ path: string, before?: unknown, after?: unknown, kind: 'added' | 'removed' | 'changed' }} Change */

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isPlain = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What differs between two JSON values, by path: `questions[0].text`; the root is "".
 * @param {any} before @param {any} after @param {string} [path]
 * @returns {Change[]}
 */
export function changesBetween(before, after, path = '') {
  if (isPlain(before) && isPlain(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => changeAt(before, after, key, path === '' ? key : `${path}.${key}`));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const indexes = Array.from({ length: Math.max(before.length, after.length) }, (_, index) => index);
    return indexes.flatMap((index) => changeAt(before, after, index, `${path}[${index}]`));
  }
  return Object.is(before, after) || JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after, kind: 'changed' }];
}

/** @param {any} before @param {any} after @param {string | number} key @param {string} path @returns {Change[]} */
function changeAt(before, after, key, path) {
  if (!Object.hasOwn(before, key)) return [{ path, after: after[key], kind: 'added' }];
  if (!Object.hasOwn(after, key)) return [{ path, before: before[key], kind: 'removed' }];
  return changesBetween(before[key], after[key], path);
}

/** The changes as a list to read, each with what was and what will be. @param {Change[]} changes */
export const changeList = (changes) =>
  h(
    'ul',
    { class: 'changes' },
    changes.map(({ path, before, after, kind }) =>
      h(
        'li',
        {},
        h('code', { class: 'path' }, path === '' ? 'the whole payload' : readableJson(path).slice(1, -1)),
        ' ',
        h('span', { class: 'faint' }, kind),
        kind !== 'added' && h('del', {}, h('span', { class: 'sign', 'aria-hidden': 'true' }, '− '), readableJson(before)),
        kind !== 'removed' && h('ins', {}, h('span', { class: 'sign', 'aria-hidden': 'true' }, '+ '), readableJson(after)),
      ),
    ),
  );
