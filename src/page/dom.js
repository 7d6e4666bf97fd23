/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Makes an element. Strings become text, never markup. `on…` properties are listeners, `class` is the class, booleans are
 * set or left out, everything else is an attribute.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else setAttribute(element, name, value);
  }
  element.append(...nodes(children));
  return element;
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
const nodes = (children) =>
  /** @type {(Node | string)[]} */ (children.flat().filter((child) => child !== null && child !== undefined && child !== false));

/** Sets an attribute; null, undefined and false take it away. @param {Element} element @param {string} name @param {unknown} value */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

/** @param {Element} element @param {...(Child | Child[])} children */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

const SVG = 'http://www.w3.org/2000/svg';

/** A line drawing of 24 by 24 that stands beside text and says nothing by itself. @param {string} path */
export function icon(path) {
  const svg = document.createElementNS(SVG, 'svg');
  for (const [name, value] of Object.entries({ viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true', focusable: 'false' })) {
    svg.setAttribute(name, value);
  }
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

export const ICONS = {
  gate: 'M4 21V9a8 8 0 0 1 16 0v12M2 21h20M9 21V11M15 21V11M4 14h16',
  back: 'M15 5l-7 7 7 7',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  stopped: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM12 8v5M12 16.2v.1',
};

let made = 0;

/** An id for an element that another one refers to. @param {string} name */
export const newId = (name) => `${name}-${++made}`;

/** Whether two panes fit beside each other. */
export const wide = window.matchMedia('(min-width: 56rem)');
