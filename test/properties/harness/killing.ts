import type { Node, Stage } from './stage.ts';

/** Puts a new process in the place of one that dies, as soon as it is dead; after the last trial none is needed. */
export class Replacement {
  diedAt: number | undefined;
  readonly #victim: Node;
  readonly #replaced: Promise<void>;
  #reached = true;

  constructor(stage: Stage, victim: Node, isLast: boolean) {
    this.#victim = victim;
    const place = stage.nodes.indexOf(victim);
    this.#replaced = victim.ended.then(async () => {
      this.diedAt = performance.now();
      if (!isLast) stage.nodes[place] = await stage.startNode();
    });
    this.#replaced.catch(() => {}); // told by done()
  }

  /** Whether it has died at the armed point; one that never came there is killed now. */
  async dead(): Promise<boolean> {
    if (this.diedAt === undefined) {
      this.#reached = false;
      this.#victim.kill('SIGKILL');
    }
    await this.#victim.ended;
    return this.#reached;
  }

  /** Resolves when the new process serves. */
  done(): Promise<void> {
    return this.#replaced;
  }
}
