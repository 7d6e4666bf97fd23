import type { EventRow } from '../db/event-row.ts';

/** Told of the events of one enterprise. An empty list says that some may have been missed: look in the table. */
export type OnEvents = (events: EventRow[]) => void;

/**
 * The bell that tells processes of committed events. It may lose, repeat and reorder: the event table is the truth, and
 * whoever listens orders by `number` and reads there what did not ring.
 */
export interface Bus {
  /** Tells every process that listens, this one included. Never throws, never waits; all events are of one enterprise. */
  publish(events: EventRow[]): void;
  /** Listens to one enterprise until the answered function is called. */
  listen(enterpriseId: string, onEvents: OnEvents): () => void;
  /** `down`: events of other processes do not ring at present. */
  status(): 'up' | 'down';
  /**
   * Calls `then` when events of other processes may not have rung, until the answered function is called: again and again
   * while the bell does not work, and once it works again.
   */
  onDoubt(then: () => void): () => void;
  close(): Promise<void>;
}

/** Who listens in this process, by enterprise. */
export class Listeners {
  readonly #byEnterprise = new Map<string, Set<OnEvents>>();

  /** Adds a listener. `first` and `last` run when the enterprise gets its first, and when its last has left. */
  add(enterpriseId: string, onEvents: OnEvents, first: () => void, last: () => void): () => void {
    const listener: OnEvents = (events) => onEvents(events); // one function may listen twice
    const known = this.#byEnterprise.get(enterpriseId);
    if (known) known.add(listener);
    else this.#byEnterprise.set(enterpriseId, new Set([listener]));
    if (!known) first();
    return () => {
      const left = this.#byEnterprise.get(enterpriseId);
      if (!left?.delete(listener) || left.size > 0) return;
      this.#byEnterprise.delete(enterpriseId);
      last();
    };
  }

  tell(enterpriseId: string, events: EventRow[]) {
    for (const listener of [...(this.#byEnterprise.get(enterpriseId) ?? [])]) listener(events);
  }

  enterprises(): string[] {
    return [...this.#byEnterprise.keys()];
  }
}

const nothing = () => {};

/** The bus of a single process. */
export class ProcessBus implements Bus {
  readonly #listeners = new Listeners();

  publish(events: EventRow[]) {
    if (events[0]) this.#listeners.tell(events[0].enterpriseId, events);
  }

  listen(enterpriseId: string, onEvents: OnEvents) {
    return this.#listeners.add(enterpriseId, onEvents, nothing, nothing);
  }

  status() {
    return 'up' as const;
  }

  /** A bell in the process is never gone. */
  onDoubt() {
    return nothing;
  }

  /** How many enterprises are listened to. */
  get listening() {
    return this.#listeners.enterprises().length;
  }

  async close() {}
}
