import { ask, Refusal, refusalOf } from './api.js';
import { VIEWER } from './queries.js';

/** Of a lost connection, in milliseconds: the first wait before trying again, and the longest. */
const WAIT = { first: 500, longest: 15_000 };
/** How often the service is asked for a sign of life, and how long it may take, in milliseconds. */
const PING = 15_000;
const PATIENCE = 6_000;

/**
 * A stream of events: `cursor` is that of the last one seen, so a lost connection goes on behind it.
 * @typedef {{ field: string, query: string, cursor: string, onEvent: (event: any) => void, ended?: boolean }} Stream
 * @typedef {{ is: 'connecting' | 'live' } | { is: 'lost', until: number }} State
 */

/** The page's subscriptions, over one graphql-transport-ws socket that is opened again whenever it is lost. */
export class Live {
  /** @type {WebSocket | undefined} */
  #socket;
  /** @type {Stream[]} */
  #streams = [];
  #acknowledged = false;
  #closed = false;
  #wait = WAIT.first;
  /** @type {number | undefined} */
  #again;
  /** @type {number | undefined} */
  #pings;
  /** @type {number | undefined} */
  #deadline;

  /**
   * @param {object} told
   * @param {(state: State) => void} told.onState
   * @param {() => void} told.onExpired the events behind a cursor are no longer kept: load anew
   * @param {() => void} told.onSignedOut the session has ended
   */
  constructor(told) {
    this.told = told;
    this.wake = () => {
      if (!document.hidden) this.now();
    };
  }

  /** @param {Stream[]} streams */
  start(streams) {
    this.#streams = streams;
    window.addEventListener('online', this.wake);
    document.addEventListener('visibilitychange', this.wake);
    this.#open();
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#again);
    this.#leave();
    window.removeEventListener('online', this.wake);
    document.removeEventListener('visibilitychange', this.wake);
  }

  /** Tries at once instead of when the wait is over; a connection that seems to stand is tested. */
  now() {
    if (this.#closed) return;
    if (this.#socket) return this.#acknowledged ? this.#ping() : undefined;
    clearTimeout(this.#again);
    this.#open();
  }

  #open() {
    this.told.onState({ is: 'connecting' });
    this.#acknowledged = false;
    const socket = new WebSocket(new URL('graphql', document.baseURI).href.replace(/^http/, 'ws'), 'graphql-transport-ws');
    this.#socket = socket;
    this.#expectSign();
    socket.onopen = () => this.#send({ type: 'connection_init', payload: {} });
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#read(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (socket === this.#socket) this.#lost(code);
    };
  }

  /** @param {object} message */
  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #expectSign() {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#lost(1006), PATIENCE);
  }

  #ping() {
    this.#send({ type: 'ping' });
    this.#expectSign();
  }

  /** @param {{ type: string, id?: string, payload?: any }} message */
  #read({ type, id, payload }) {
    clearTimeout(this.#deadline);
    const stream = this.#streams.find(({ field }) => field === id);
    if (type === 'ping') this.#send({ type: 'pong' });
    else if (type === 'connection_ack') this.#subscribe();
    else if (type === 'next' && stream) this.#take(stream, payload);
    else if (type === 'error' && stream) this.#refused(stream, refusalOf(payload[0]));
    else if (type === 'complete' && stream && !stream.ended) this.#lost(1000);
  }

  #subscribe() {
    this.#acknowledged = true;
    this.#wait = WAIT.first;
    this.#pings = setInterval(() => this.#ping(), PING);
    for (const { field, query, cursor, ended } of this.#streams) {
      if (!ended) this.#send({ id: field, type: 'subscribe', payload: { query, variables: { after: cursor } } });
    }
    this.told.onState({ is: 'live' });
  }

  /** @param {Stream} stream @param {{ data?: any, errors?: any[] }} answer */
  #take(stream, { data, errors }) {
    if (errors) return this.#refused(stream, refusalOf(errors[0]));
    const event = data[stream.field];
    stream.onEvent(event);
    stream.cursor = event.cursor;
  }

  /** @param {Stream} stream @param {Refusal} refusal */
  #refused(stream, { code }) {
    if (code === 'unauthenticated') return this.#signedOut();
    if (code === 'cursor_expired' || code === 'invalid_arguments') return this.told.onExpired();
    // What is refused by its form would be refused again.
    if (code === 'GRAPHQL_VALIDATION_FAILED') stream.ended = true;
    else this.#lost(1011);
  }

  #signedOut() {
    this.close();
    this.told.onSignedOut();
  }

  #leave() {
    clearInterval(this.#pings);
    clearTimeout(this.#deadline);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  /** @param {number} code */
  #lost(code) {
    const refused = !this.#acknowledged;
    this.#leave();
    if (this.#closed) return;
    if (code === 4403) return this.#signedOut();
    const wait = this.#wait * (0.75 + Math.random() / 2);
    this.#wait = Math.min(this.#wait * 2, WAIT.longest);
    this.told.onState({ is: 'lost', until: Date.now() + wait });
    this.#again = setTimeout(() => (refused ? this.#openIfSignedIn() : this.#open()), wait);
  }

  /** A handshake that failed does not tell why: a session that has ended is seen here. */
  async #openIfSignedIn() {
    try {
      await ask(VIEWER);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unauthenticated') return this.#signedOut();
    }
    if (!this.#closed && !this.#socket) this.#open();
  }
}
