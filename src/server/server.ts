import { setMaxListeners } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { GraphQLError } from 'graphql';
import type { Config } from '../config.ts';
import type { Bus } from '../events/bus.ts';
import type { GraphqlDeps } from '../graphql/context.ts';
import { internal } from '../graphql/errors.ts';
import { createSchema } from '../graphql/schema.ts';
import { createGraphql } from '../graphql/yoga.ts';
import { meaningOf } from '../kernel/errors.ts';
import { Connections } from './connections.ts';
import { answer, answerError, answerUnreadable, notAllowed, notFound } from './http-answers.ts';
import { prepare, useHttpRequests } from './http-operations.ts';
import { Page } from './page.ts';
import { Readiness } from './readiness.ts';
import { refusedHandshake, requireOwnPage } from './session-guard.ts';
import { OidcRoutes } from './session-oidc.ts';
import { serveSession } from './session-routes.ts';
import { Sockets } from './sockets.ts';

export interface ServerDeps extends GraphqlDeps {
  config: Pick<Config, 'port' | 'host' | 'development' | 'publicUrl' | 'oidc'>;
  bus: Pick<Bus, 'status'>;
}

export interface Server {
  /** Accepts requests, and answers where. */
  listen(): Promise<{ url: string }>;
  /**
   * Accepts nothing new, closes what is idle or half sent, lets what is under way end for as long as `timing.drain` allows,
   * and cuts the rest off.
   */
  close(): Promise<void>;
}

/** The service's HTTP server: GraphQL by POST, GET, SSE and WebSocket at `/graphql`, and how the service is. */
export function createServer(deps: ServerDeps): Server {
  const { kernel, config, bus } = deps;
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // one a stream
  const graphql = createGraphql(createSchema(kernel.registry), deps, useHttpRequests(deps, closing.signal), config.development);
  const sockets = new Sockets(deps, graphql);
  const page = new Page(config);
  const readiness = new Readiness({ ...kernel, bus });
  const oidc = config.oidc && new OidcRoutes(deps, config.oidc, config.publicUrl!);

  const http = createHttpServer((request, response) => {
    route(request, response).catch((error) => {
      if (request.destroyed && !request.complete) return response.destroy(); // it has not arrived whole, and will not
      const { code, message } = internal(error, kernel.log);
      if (response.headersSent) return response.destroy();
      answer(response, meaningOf(code).status, { error: { code, message } });
    });
  });

  async function route(request: IncomingMessage, response: ServerResponse) {
    if (closing.signal.aborted) response.setHeader('Connection', 'close');
    const path = pathOf(request);
    if (path === '/graphql') return operate(request, response);
    if (path === '/session') return serveSession(deps, request, response);
    if (oidc && path.startsWith('/session/')) return oidc.serve(path, request, response);
    if (page.has(path)) return page.serve(path, request, response);
    if (path !== '/health' && path !== '/ready') return notFound(response, path);
    if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(response, 'GET, HEAD');
    if (path === '/health') return answer(response, 200, { status: 'ok' });
    const ready = await readiness.look();
    answer(response, ready.reason || closing.signal.aborted ? 503 : 200, ready);
  }

  async function operate(request: IncomingMessage, response: ServerResponse) {
    try {
      if (request.method === 'POST') requireOwnPage(config, request);
      if (request.method === 'POST') await prepare(request);
      await graphql(request, response);
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      request.resume(); // what the client still sends is dropped, so that it gets to read the answer
      answerError(response, error);
    }
  }

  const connections = new Connections(http);
  // Longer than proxies and clients keep an idle connection: whoever reuses one must not find it closing under a request.
  http.keepAliveTimeout = 75_000;

  http.on('upgrade', (request, socket: Socket, head) => {
    socket.on('error', () => {}); // a client that goes away in the handshake
    if (pathOf(request) !== '/graphql') return socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
    if (closing.signal.aborted) return socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
    if (refusedHandshake(config, request, socket)) return;
    sockets.accept(request, socket, head);
  });
  http.on('clientError', answerUnreadable);

  return {
    listen: () =>
      new Promise((resolve, reject) => {
        http.once('error', reject);
        http.listen(config.port, config.host, () => {
          http.removeListener('error', reject);
          readiness.watch();
          resolve({ url: urlOf(http.address() as AddressInfo, config.host) });
        });
      }),
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      readiness.stop();
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      sockets.close();
      const idle = setInterval(() => connections.closeIdle(), 50); // what has arrived by now is read first
      const cutOff = setTimeout(() => {
        http.closeAllConnections();
        sockets.terminate();
      }, kernel.timing.drain);
      await closed;
      clearInterval(idle);
      clearTimeout(cutOff);
    },
  };
}

const pathOf = ({ url }: IncomingMessage) => (url ?? '/').split('?', 1)[0]!;

/** The address of a server on this host and port, for somebody on the same machine. */
export function urlOf({ port }: Pick<AddressInfo, 'port'>, host: string): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
