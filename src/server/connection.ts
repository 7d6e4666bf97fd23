import { setMaxListeners } from 'node:events';
import type { Caller } from '../auth/caller.ts';

/** One WebSocket: whose it is, and what is under way on it. */
export class Connection {
  /** Known once the connection was acknowledged. */
  caller: Caller | undefined;
  authorization: string | undefined;
  readonly #close: (code: number, reason: string) => void;
  readonly #leaving = new AbortController();
  readonly #streams = new Set<string>();
  readonly #calls = new Set<string>();
  /** Why it closes as soon as what must be told first has been told. */
  #closing: { code: number; reason: string; awaits: ReadonlySet<string>[] } | undefined;
  /** Stops watching the credential. */
  unwatch = () => {};

  /** `session`: the one in the cookie of the handshake, for a client that names no credential. */
  constructor(
    close: (code: number, reason: string) => void,
    readonly session?: string,
  ) {
    this.#close = close;
    setMaxListeners(0, this.#leaving.signal); // one a subscription
  }

  /** Aborted when the socket has closed. */
  get gone(): AbortSignal {
    return this.#leaving.signal;
  }

  get subscriptions() {
    return this.#streams.size;
  }

  begin(id: string, isStream: boolean) {
    (isStream ? this.#streams : this.#calls).add(id);
  }

  /** What was begun under this id has been answered to its end. */
  end(id: string) {
    this.#streams.delete(id);
    this.#calls.delete(id);
    this.#closeWhenTold();
  }

  /** The credential ended: each stream tells so, then the socket closes. */
  die() {
    this.#closeAfter(4403, 'Forbidden', [this.#streams]);
  }

  /** The service stops: calls under way are answered first. */
  goAway() {
    this.#closeAfter(1001, 'Going away', [this.#calls]);
  }

  /** The client reads too slowly: what waits for it is dropped, and it is told where to go on. */
  tooSlow(lastCursor: string) {
    this.#close(4413, lastCursor);
  }

  left() {
    this.unwatch();
    this.#leaving.abort();
  }

  #closeAfter(code: number, reason: string, awaits: ReadonlySet<string>[]) {
    this.#closing ??= { code, reason, awaits };
    this.#closeWhenTold();
  }

  #closeWhenTold() {
    const closing = this.#closing;
    if (!closing || closing.awaits.some(({ size }) => size > 0)) return;
    // Behind the `complete` that is about to be sent.
    setImmediate(() => this.#close(closing.code, closing.reason));
  }
}
