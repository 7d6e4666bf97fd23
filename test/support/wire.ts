import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a process and a server, so that the way from the one to the other can be cut, or fall silent, and come back. */
export class Wire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #open = true;
  #silent = false;

  private constructor(target: { host: string; port: number }) {
    this.#server = createServer((near) => {
      if (!this.#open) return void near.destroy();
      const far = connect(target);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.on('error', () => {});
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
        if (this.#silent) from.pause();
      }
    });
  }

  /** A wire on a free port in front of the server of this URL. */
  static async before(url: string): Promise<Wire> {
    const { hostname, port } = new URL(url);
    const wire = new Wire({ host: hostname, port: Number(port) });
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    return wire;
  }

  /** The same URL by way of the wire. */
  through(url: string): string {
    const way = new URL(url);
    way.hostname = '127.0.0.1';
    way.port = String((this.#server.address() as AddressInfo).port);
    return way.href;
  }

  /** Every connection breaks, and none can be made until `heal`. */
  cut() {
    this.#open = false;
    for (const socket of [...this.#sockets]) socket.destroy();
  }

  /** Connections stay, and nothing passes until `heal`. */
  silence() {
    this.#silent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  heal() {
    this.#open = true;
    this.#silent = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
