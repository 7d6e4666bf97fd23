import { setAttribute, wide } from './dom.js';

/**
 * @template Item
 * @typedef {{ element: HTMLElement, link: HTMLAnchorElement, update: (item: Item) => void }} Row
 */

/**
 * A list whose rows stay the same elements while their items change, so that focus and scrolling stay where they are.
 * @template Item
 */
export class KeyedList {
  /** @type {Map<string, Row<Item>>} */
  #rows = new Map();

  /** @param {HTMLElement} element @param {(item: Item) => string} idOf @param {(item: Item) => Row<Item>} make */
  constructor(element, idOf, make) {
    this.element = element;
    this.idOf = idOf;
    this.make = make;
  }

  /** The place of the focus among the rows, for when its row has left. */
  #lastAt = -1;

  /** Shows these, the same elements as before; the focus stays on its row, or on the list when that row has left. @param {Item[]} items @param {string | null} current */
  render(items, current) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const held = focused !== null && this.element.contains(focused);
    if (focused?.matches('.row')) this.#lastAt = [...this.#links()].indexOf(/** @type {HTMLAnchorElement} */ (focused));
    this.#place(items);
    this.mark(current);
    if (held && document.activeElement !== focused) (focused.isConnected ? focused : this.element).focus({ preventScroll: true });
  }

  /** @param {Item[]} items */
  #place(items) {
    const ids = new Set(items.map(this.idOf));
    for (const [id, { element }] of this.#rows) {
      if (ids.has(id)) continue;
      element.remove();
      this.#rows.delete(id);
    }
    for (const [index, item] of items.entries()) {
      const row = this.#row(item);
      if (this.element.children[index] !== row.element) this.element.insertBefore(row.element, this.element.children[index] ?? null);
    }
  }

  /** Marks the row of what is looked at. @param {string | null} current */
  mark(current) {
    for (const [id, { link }] of this.#rows) setAttribute(link, 'aria-current', id === current ? 'true' : null);
  }

  /** @param {Item} item */
  #row(item) {
    const known = this.#rows.get(this.idOf(item));
    if (known) {
      known.update(item);
      return known;
    }
    const row = this.make(item);
    this.#rows.set(this.idOf(item), row);
    return row;
  }

  /** The row with the focus, else the current one. @returns {number} -1 without one */
  #at() {
    const links = [...this.#links()];
    const focused = links.indexOf(/** @type {any} */ (document.activeElement));
    return focused >= 0 ? focused : links.findIndex((link) => link.hasAttribute('aria-current'));
  }

  /** From where to move by so many: where the row of the focus has left, its place is taken by the next one. @param {number} by */
  #from(by) {
    const isOnList = document.activeElement === this.element && this.#lastAt >= 0;
    return isOnList ? this.#lastAt - (by > 0 ? 1 : 0) : this.#at();
  }

  #links = () => /** @type {NodeListOf<HTMLAnchorElement>} */ (this.element.querySelectorAll(':scope > li > a'));

  /** Moves the focus by so many rows; where the list is not all there is to see, what it lands on is opened. @param {number} by */
  move(by) {
    const links = [...this.#links()];
    const at = this.#from(by);
    const link = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by))];
    link?.focus();
    link?.scrollIntoView({ block: 'nearest' });
    if (link && (wide.matches || link.offsetParent === null) && !link.hasAttribute('aria-current')) location.replace(link.href);
  }

  /** Puts the focus on the row of this id, else on the current row, or on the first. @param {string | null} [id] */
  focus(id) {
    const links = [...this.#links()];
    const row = id ? this.#rows.get(id) : undefined;
    (row?.link ?? links[Math.max(0, this.#at())] ?? this.element).focus();
  }

  /** Whether the focus is on the row that is open. */
  isOnCurrent = () => document.activeElement?.matches('.row[aria-current]') === true && this.element.contains(document.activeElement);

  /** The id of the row behind this one, else of the one before it; null when there is none. @param {string} id */
  neighbour = (id) => {
    const element = this.#rows.get(id)?.element;
    const beside = element?.nextElementSibling ?? element?.previousElementSibling;
    return [...this.#rows].find(([, row]) => row.element === beside)?.[0] ?? null;
  };
}
