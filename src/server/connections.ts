import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of an HTTP server, and the request that each is being answered. Upgraded ones are not among them. */
export class Connections {
  readonly #open = new Map<Socket, IncomingMessage | undefined>();

  constructor(http: Server) {
    http.on('connection', (socket: Socket) => {
      this.#open.set(socket, undefined);
      socket.once('close', () => this.#open.delete(socket));
    });
    http.on('request', (request, response) => {
      this.#open.set(request.socket, request);
      response.once('close', () => this.#open.has(request.socket) && this.#open.set(request.socket, undefined));
    });
    http.on('upgrade', ({ socket }) => this.#open.delete(socket));
  }

  /** Closes those that nobody is owed an answer on: idle, and with a request that has not arrived whole. */
  closeIdle(): void {
    for (const [socket, request] of this.#open) if (!request?.complete) socket.destroy();
  }
}
