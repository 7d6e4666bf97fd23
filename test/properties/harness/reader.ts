import { greetedSocket, type RawSocket } from './sockets.ts';
import { eventually } from './wait.ts';

/** What a reader was told of one event. */
export interface Told {
  number: number;
  runId: string | undefined;
  /** Between the event and its arrival, in milliseconds: both on the clock of this machine. */
  lag: number;
}

/** One subscription to run events on a socket of its own, from an event on. */
export class Reader {
  readonly told: Told[] = [];
  readonly errors: any[] = [];
  readonly raw: RawSocket;

  private constructor(raw: RawSocket) {
    this.raw = raw;
    raw.socket.on('message', (data) => this.#read(JSON.parse(String(data))));
  }

  /** `more`: what is selected beside cursor and time. */
  static async open(url: string, token: string, after: number | null, more = ''): Promise<Reader> {
    const reader = new Reader(await greetedSocket(url, token));
    const from = after === null ? '' : `(after: "${after}")`;
    reader.raw.send({ id: 'runs', type: 'subscribe', payload: { query: `subscription { runEvents${from} { cursor at ${more} } }` } });
    return reader;
  }

  #read({ type, payload }: any) {
    if (type === 'error' || payload?.errors) this.errors.push(payload);
    const event = payload?.data?.runEvents;
    if (event) this.told.push({ number: Number(event.cursor), runId: event.run?.id, lag: Date.now() - Date.parse(event.at) });
  }

  get numbers() {
    return this.told.map(({ number }) => number);
  }

  /** The last event that came; 0 before the first. */
  get last() {
    return this.told.at(-1)?.number ?? 0;
  }

  /** Resolves when the event, or a later one, has come. */
  reaches(number: number, within = 60_000): Promise<unknown> {
    return eventually(`event ${number} after ${this.last}`, () => this.last >= number || this.errors.length > 0, within);
  }

  async close() {
    this.raw.socket.terminate();
    await this.raw.closed;
  }
}
