import { DatabaseTrouble } from './trouble.ts';

interface Line {
  held: number;
  /** In the order of their coming. */
  waiting: Set<() => void>;
}

/** Lets under each key only so many work at once; the others wait in line, and not for ever. */
export class Turns {
  readonly #lines = new Map<string, Line>();

  /**
   * @param most how many work at once under one key
   * @param patience how long one waits for its turn, in milliseconds
   */
  constructor(
    readonly most: number,
    readonly patience: number,
  ) {}

  /** Does the work when its turn has come. @throws {DatabaseTrouble} busy: it did not come in time */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { held: 0, waiting: new Set() };
    this.#lines.set(key, line);
    if (line.held < this.most) line.held++;
    else await this.#wait(line);
    try {
      return await work();
    } finally {
      this.#pass(key, line);
    }
  }

  #wait({ waiting }: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(new DatabaseTrouble('busy', `Others of the same enterprise used its ${this.most} connections for ${this.patience} ms`));
      }, this.patience);
      waiting.add(begin);
    });
  }

  /** Hands the turn on. */
  #pass(key: string, line: Line) {
    const [next] = line.waiting;
    if (next) {
      line.waiting.delete(next);
      next();
    } else if (--line.held === 0) this.#lines.delete(key);
  }
}
