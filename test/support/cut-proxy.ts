import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a service and its database, and can take it away: connections break, and new ones are refused. */
export class CutProxy {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  private constructor(readonly target: URL) {}

  /** A proxy in front of the server of this URL. */
  static async before(url: string): Promise<CutProxy> {
    const proxy = new CutProxy(new URL(url));
    await proxy.mend();
    return proxy;
  }

  /** The URL by which the target is reached through it. */
  get url() {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.#port}`;
    return url.href;
  }

  async mend(): Promise<void> {
    const { hostname, port } = this.target;
    const server = createServer((near) => {
      const far = connect(Number(port || 5432), hostname);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => {});
        one.once('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
    this.#server = server;
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server!.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
