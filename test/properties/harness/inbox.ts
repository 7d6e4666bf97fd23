import { greetedSocket, type RawSocket } from './sockets.ts';

/** The gates that wait, kept as a portal keeps them: from the events alone; and when each run was told of its gate's end. */
export class Inbox {
  readonly #waiting = new Set<string>();
  /** By gate: when the run's DECIDED came, on the clock of `performance.now()`. */
  readonly woken = new Map<string, number>();
  readonly #socket: RawSocket;

  private constructor(socket: RawSocket) {
    this.#socket = socket;
  }

  /** Subscribes to both streams before anything happens. */
  static async open(url: string, token: string): Promise<Inbox> {
    const socket = await greetedSocket(url, token);
    const inbox = new Inbox(socket);
    socket.socket.on('message', (data) => inbox.#read(JSON.parse(String(data))));
    const subscribe = (id: string, query: string) => socket.send({ id, type: 'subscribe', payload: { query } });
    const after = '"0"';
    subscribe('gates', `subscription { gateEvents(after: ${after}) { kind gate { id } } }`);
    subscribe('runs', `subscription { runEvents(after: ${after}) { kind gate { id } } }`);
    return inbox;
  }

  #read(message: any) {
    const { gateEvents, runEvents } = message.payload?.data ?? {};
    if (gateEvents?.kind === 'OPENED') this.#waiting.add(gateEvents.gate.id);
    else if (gateEvents && gateEvents.kind !== 'EDITED') this.#waiting.delete(gateEvents.gate.id);
    const decided = runEvents?.kind === 'DECIDED' && runEvents.gate.id;
    if (decided && !this.woken.has(decided)) this.woken.set(decided, performance.now());
  }

  get waiting() {
    return [...this.#waiting].sort();
  }

  async close() {
    this.#socket.socket.terminate();
    await this.#socket.closed;
  }
}
