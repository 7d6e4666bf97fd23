import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { eventSource } from './sse.ts';
import { eventually, passing } from './wait.ts';

const QUERY = 'subscription ($after: String) { runEvents(after: $after) { cursor run { id status member { id name } } } }';

/** A subscriber as a client writes one that must miss nothing: whenever its stream ends it goes on behind the last event that it saw. */
export abstract class Follower {
  readonly numbers: number[] = [];
  /** What came where an event belongs, or ended the stream so that a client gives up. */
  readonly faults: unknown[] = [];
  /** How often it had to subscribe anew. */
  resumed = -1;

  constructor(readonly start: number) {}

  get last(): number {
    return this.numbers.at(-1) ?? this.start;
  }

  protected take(event: { cursor: string } | null | undefined) {
    if (event) this.numbers.push(Number(event.cursor));
    else this.faults.push('a next without an event');
  }

  reaches(number: number, within: number): Promise<unknown> {
    return eventually(`event ${number} after ${this.last}`, () => this.last >= number || this.faults.length > 0, within);
  }

  abstract close(): void;
}

/** By graphql-ws' own client, which decides by the close code whether it tries again. */
export class SocketFollower extends Follower {
  readonly #client: Client;

  constructor(url: string, token: string, start: number) {
    super(start);
    this.#client = createClient({
      url: `${url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: token },
      retryAttempts: 1_000,
      retryWait: () => passing(100),
      on: { connected: () => void this.resumed++ },
    });
    const payload = {
      query: QUERY,
      get variables() {
        return { after: String(follower.last) };
      },
    };
    const follower = this;
    this.#client.subscribe<any>(payload, {
      next: ({ data, errors }) => (errors ? this.faults.push(errors) : this.take(data?.runEvents)),
      error: (error) => this.faults.push(String((error as CloseEvent).code ?? JSON.stringify(error))),
      complete: () => {},
    });
  }

  close() {
    void this.#client.dispose();
  }
}

/** By server-sent events. */
export class SseFollower extends Follower {
  readonly #url: string;
  readonly #token: string;
  #closed = false;
  #abort = () => {};

  constructor(url: string, token: string, start: number) {
    super(start);
    this.#url = url;
    this.#token = token;
    void this.#follow();
  }

  async #follow() {
    while (!this.#closed) {
      try {
        this.resumed++;
        let first = true;
        const source = await eventSource(this.#url, this.#token, QUERY, { after: String(this.last) }, (answer) => {
          this.#read(answer, first);
          first = false;
        });
        this.#abort = source.abort;
        await source.ended;
      } catch {} // refused, or cut off: again
      await passing(100);
    }
  }

  #read({ data, errors }: { data?: any; errors?: any[] }, first: boolean) {
    if (!errors) return this.take(data?.runEvents);
    const { code, details } = errors[0].extensions ?? {};
    if (code === 'service_unavailable' && [undefined, String(this.last)].includes(details?.cursor)) return;
    if (code === 'INTERNAL' && first) return; // refused before it began
    this.faults.push(errors);
  }

  close() {
    this.#closed = true;
    this.#abort();
  }
}
