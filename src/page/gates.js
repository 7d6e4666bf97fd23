/** @import { Gate } from './types.d.ts' */

/** The waiting gates. One that has ended never waits again, so in whatever order answers and events come, none returns. */
export class Gates {
  /** @type {Map<string, Gate>} */
  #waiting = new Map();
  /** @type {Set<string>} */
  #ended = new Set();
  /** How many wait that are not loaded. */
  #beyond = 0;
  /** @type {'OLDEST' | 'COST_OF_DELAY'} */
  sort = 'OLDEST';

  /** @param {{ nodes: Gate[], totalCount: number }} page the first one */
  reset({ nodes, totalCount }) {
    this.#waiting = new Map(nodes.filter(({ id }) => !this.#ended.has(id)).map((gate) => [gate.id, gate]));
    this.#beyond = Math.max(0, totalCount - nodes.length);
  }

  /** @param {Gate[]} nodes a further page */
  more(nodes) {
    for (const gate of nodes) {
      if (this.#waiting.has(gate.id) || this.#ended.has(gate.id)) continue;
      this.#waiting.set(gate.id, gate);
      this.#beyond = Math.max(0, this.#beyond - 1);
    }
  }

  /** Takes what an event says. Answers whether the gate is new among those that wait. @param {Gate} gate */
  take(gate) {
    if (gate.status !== 'WAITING') return void this.end(gate.id);
    if (this.#ended.has(gate.id)) return false;
    const isNew = !this.#waiting.has(gate.id);
    this.#waiting.set(gate.id, gate);
    return isNew;
  }

  /** @param {string} id */
  end(id) {
    if (this.#ended.has(id)) return;
    this.#ended.add(id);
    if (!this.#waiting.delete(id)) this.#beyond = Math.max(0, this.#beyond - 1);
  }

  /** @param {{ id: string, holdsUp: { count: number } }[]} figures */
  setHoldsUp(figures) {
    for (const { id, holdsUp } of figures) {
      const gate = this.#waiting.get(id);
      if (gate) this.#waiting.set(id, { ...gate, holdsUp });
    }
  }

  /** @param {string} id */
  has = (id) => this.#waiting.has(id);

  get total() {
    return this.#waiting.size + this.#beyond;
  }

  get beyond() {
    return this.#beyond;
  }

  /** Those in which each word of the filter stands, in the chosen order. Ids ascend with the time of opening. @param {string} filter */
  list(filter) {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [...this.#waiting.values()].filter((gate) => words.every((word) => textOf(gate).includes(word)));
    return found.sort((a, b) => (this.sort === 'OLDEST' ? 0 : b.holdsUp.count - a.holdsUp.count) || (a.id < b.id ? -1 : 1));
  }
}

/** @param {Gate} gate */
const textOf = ({ tool, summary, run: { task, member, execution } }) =>
  [tool, task.name, task.slug, member?.name, execution.name, summary].filter(Boolean).join('\n').toLowerCase();
