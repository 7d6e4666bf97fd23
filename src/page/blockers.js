/** @import { Blocker } from './types.d.ts' */

/** The stopped runs, longest stopped first. Unlike a gate a run may leave and come back, so events are taken in their order. */
export class Blockers {
  /** @type {Map<string, Blocker>} */
  #runs = new Map();
  /** How many failed ones are not loaded. */
  #beyond = 0;
  /** @type {{ spendEnabled: boolean, draining: boolean }} */
  switches = { spendEnabled: true, draining: false };

  /** @param {{ runs: Blocker[], failedTotal: number, spendEnabled: boolean, draining: boolean }} page the first one */
  reset({ runs, failedTotal, spendEnabled, draining }) {
    this.#runs = new Map(runs.map((blocker) => [blocker.run.id, blocker]));
    this.switches = { spendEnabled, draining };
    this.#setBeyond(failedTotal);
  }

  /** @param {{ runs: Blocker[], failedTotal: number }} page a further one: the others may have changed meanwhile, by events */
  more({ runs, failedTotal }) {
    for (const blocker of runs) if (!this.#runs.has(blocker.run.id)) this.#runs.set(blocker.run.id, blocker);
    this.#setBeyond(failedTotal);
  }

  /** @param {number} failedTotal */
  #setBeyond(failedTotal) {
    const failed = [...this.#runs.values()].filter(({ sections }) => sections.includes('FAILED')).length;
    this.#beyond = Math.max(0, failedTotal - failed);
  }

  /** What an event says: the run as it stands now, or null when it has left. Answers whether it is new. @param {string} id @param {Blocker | null} blocker */
  take(id, blocker) {
    const isNew = blocker !== null && !this.#runs.has(id);
    if (blocker) this.#runs.set(id, blocker);
    else if (!this.#runs.delete(id)) this.#beyond = Math.max(0, this.#beyond - 1);
    return isNew;
  }

  /** @param {string} id */
  find = (id) => this.#runs.get(id);

  get total() {
    return this.#runs.size + this.#beyond;
  }

  get beyond() {
    return this.#beyond;
  }

  /** @param {string} filter */
  list(filter) {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [...this.#runs.values()].filter((blocker) => words.every((word) => textOf(blocker).includes(word)));
    return found.sort((a, b) => Date.parse(a.since) - Date.parse(b.since) || (a.run.id < b.run.id ? -1 : 1));
  }
}

/** @param {Blocker} blocker */
const textOf = ({ run: { task, member, execution }, sections, reason, blockClass }) =>
  [task.name, task.slug, member?.name, execution.name, reason, blockClass, ...sections].filter(Boolean).join('\n').toLowerCase();
