/** What goes on after its request was answered: approved calls being executed. A stopping process waits for it. */
export class Work {
  readonly #open = new Set<Promise<unknown>>();

  /** Remembers a promise until it settles. Its rejection is handed to `onError`. */
  track(promise: Promise<unknown>, onError: (error: unknown) => void): void {
    const kept: Promise<unknown> = promise.catch(onError).finally(() => this.#open.delete(kept));
    this.#open.add(kept);
  }

  /** Resolves once nothing is going on. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open);
  }
}
