/** Prints what was done and how long it took; the last line tells whether everything held. */
export class Steps {
  readonly #begun = performance.now();
  #last = this.#begun;

  done(text: string) {
    const now = performance.now();
    console.log(`${(now - this.#last).toFixed(1).padStart(8)} ms  ${text}`);
    this.#last = now;
  }

  /** @throws with the text and the value when it does not hold */
  expect(holds: unknown, text: string, found?: unknown): asserts holds {
    if (!holds) throw new Error(`${text}, but found ${JSON.stringify(found)}`);
  }

  end(text: string) {
    console.log(`${(performance.now() - this.#begun).toFixed(1).padStart(8)} ms  ${text}`);
  }
}
