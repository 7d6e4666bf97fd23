import { setMaxListeners } from 'node:events';
import type { WebSocket } from 'ws';
import type { Caller } from '../auth/caller.ts';

/** How long a client whose credential ended may take to read that; one that does not read is cut off. */
const PATIENCE = 4_000;

/** As much may stay for half a minute with a client that was cut for reading too slowly; one that holds more is cut off sooner. */
const LITTLE = 1_048_576;

/** What a connection needs of its socket. */
type Carrier = Pick<WebSocket, 'close' | 'terminate' | 'bufferedAmount'>;

/** How long a client may take to say goodbye too. */
const GOODBYE = 1_000;

/** One WebSocket: whose it is, and what is under way on it. */
export class Connection {
  /** Known once the connection was acknowledged. */
  caller: Caller | undefined;
  authorization: string | undefined;
  readonly #socket: Carrier;
  readonly #leaving = new AbortController();
  readonly #streams = new Set<string>();
  readonly #calls = new Set<string>();
  /** Why it closes as soon as what must be told first has been told. */
  #closing: { code: number; reason: string; awaits: ReadonlySet<string>[] } | undefined;
  #cutOff: NodeJS.Timeout | undefined;
  /** Stops watching the credential. */
  unwatch = () => {};

  /** `session`: the one in the cookie of the handshake, for a client that names no credential. */
  constructor(
    socket: Carrier,
    readonly session?: string,
  ) {
    this.#socket = socket;
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
    this.#cutOff ??= setTimeout(() => this.#socket.terminate(), PATIENCE);
    this.#closeAfter(4403, 'Forbidden', [this.#streams]);
  }

  /** The service stops: calls under way are answered first. */
  goAway() {
    this.#closeAfter(1001, 'Going away', [this.#calls]);
  }

  /** What the socket holds for its client, in bytes: the part of each of its streams. */
  get buffered() {
    return this.#socket.bufferedAmount / Math.max(1, this.#streams.size);
  }

  /** The client reads too slowly: the socket closes, and says after which event it was sent nothing more. */
  tooSlow(lastCursor: () => string) {
    if (this.#socket.bufferedAmount > LITTLE) this.#cutOff ??= setTimeout(() => this.#socket.terminate(), PATIENCE);
    // What is on its way out at this moment is out by then, and counted.
    setImmediate(() => this.#socket.close(4413, lastCursor()));
  }

  /** The service cannot serve a stream at present: clients try again, and resume. `reason`: the last cursor, if there is one. */
  unavailable(reason = 'Try again later') {
    this.#socket.close(1013, reason);
  }

  left() {
    this.unwatch();
    clearTimeout(this.#cutOff);
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
    setImmediate(() => this.#socket.close(closing.code, closing.reason));
    this.#cutOff ??= setTimeout(() => this.#socket.terminate(), GOODBYE);
  }
}
