/** @import { Blocker, BlockersPage } from './types.d.ts' */

/** The stopped runs, longest stopped first. Unlike a gate a run may leave and come back, so events are taken in their order. */
export class Blockers {
  /** @type {Map<string, Blocker>} */
  #runs = new Map();
  /** How many are not loaded. */
  #beyond = 0;
  /** Where the next page begins. @type {string | null} */
  cursor = null;
  /** @type {{ spendEnabled: boolean, draining: boolean }} */
  switches = { spendEnabled: true, draining: false };

  /** @param {BlockersPage} page the first one */
  reset({ stoppedRuns, spendEnabled, draining }) {
    this.#runs.clear();
    this.switches = { spendEnabled, draining };
    this.more({ stoppedRuns });
  }

  /** @param {Pick<BlockersPage, 'stoppedRuns'>} page a further one: the others may have changed meanwhile, by events */
  more({ stoppedRuns: { nodes, totalCount, pageInfo } }) {
    for (const blocker of nodes) if (!this.#runs.has(blocker.run.id)) this.#runs.set(blocker.run.id, blocker);
    this.cursor = pageInfo.endCursor ?? this.cursor;
    this.#beyond = pageInfo.hasNextPage ? Math.max(0, totalCount - this.#runs.size) : 0;
  }

  /**
   * What an event says: the run as it stands now, or null when it has left. Answers whether it is new.
   * @param {string} id @param {Blocker | null} blocker @param {string} kind APPEARED, CHANGED or LEFT
   */
  take(id, blocker, kind) {
    const wasLoaded = this.#runs.has(id);
    if (blocker) this.#runs.set(id, blocker);
    else this.#runs.delete(id);
    const appeared = blocker !== null && kind === 'APPEARED';
    if (!wasLoaded && !appeared) this.#beyond = Math.max(0, this.#beyond - 1);
    return blocker !== null && !wasLoaded;
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
