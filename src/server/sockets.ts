import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { handleProtocols, makeServer, type Server as Protocol } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { GraphqlDeps } from '../graphql/context.ts';
import { asGraphQLError } from '../graphql/errors.ts';
import { MOST_BYTES } from '../graphql/limits.ts';
import type { Graphql } from '../graphql/yoga.ts';
import { Connection } from './connection.ts';
import { sessionIn } from './session-cookie.ts';
import { protocolOf } from './socket-operations.ts';

/** How often a client is pinged; one that does not answer until the next ping is gone. */
const PING = 12_000;

/** The WebSockets of the service: graphql-transport-ws over `ws`, one `Connection` each. */
export class Sockets {
  readonly #deps: GraphqlDeps;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES, handleProtocols, clientTracking: false });
  readonly #protocol: Protocol<Connection>;
  readonly #open = new Map<Connection, WebSocket>();

  constructor(deps: GraphqlDeps, graphql: Graphql) {
    this.#deps = deps;
    this.#protocol = makeServer(protocolOf(deps, graphql));
  }

  accept(request: IncomingMessage, socket: Duplex, head: Buffer) {
    this.#server.handleUpgrade(request, socket, head, (opened) => this.#serve(opened, sessionIn(request.headers)));
  }

  /** Closes every socket with 1001 once the calls under way on it have been answered. */
  close() {
    for (const connection of this.#open.keys()) connection.goAway();
  }

  terminate() {
    for (const socket of this.#open.values()) socket.terminate();
  }

  #serve(socket: WebSocket, session: string | undefined) {
    const { log } = this.#deps.kernel;
    const connection = new Connection(socket, session);
    this.#open.set(connection, socket);
    // A frame that breaks the protocol or the limit: ws closes with 1002, 1007 or 1009 by itself.
    socket.on('error', (error) => log.debug({ error: error.message }, 'A socket broke'));
    const pings = keepAlive(socket);
    const closed = this.#protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => send(socket, text),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (handle) =>
          socket.on('message', (data) => {
            handle(String(data)).catch((error) => {
              asGraphQLError(error, log);
              connection.unavailable(); // not 4500, after which clients never try again
            });
          }),
      },
      connection,
    );
    socket.once('close', (code, reason) => {
      clearInterval(pings);
      this.#open.delete(connection);
      connection.left();
      Promise.resolve(closed(code, String(reason))).catch((error) => log.error({ err: error }, 'Leaving a socket failed'));
    });
  }
}

/** Bytes of answers that wait for one client: a few of the largest. */
const MOST_UNREAD = 64 * 1_048_576;

/** Resolves when the text went out to the operating system, so that a slow client holds back what is sent to it. */
const send = (socket: WebSocket, text: string) =>
  new Promise<void>((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve();
    if (socket.bufferedAmount > MOST_UNREAD) socket.terminate(); // it asks, and does not read the answers
    socket.send(text, () => resolve());
  });

function keepAlive(socket: WebSocket) {
  let answered = true;
  socket.on('pong', () => {
    answered = true;
  });
  return setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, PING);
}
