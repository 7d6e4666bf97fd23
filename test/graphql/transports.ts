import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import type { GraphQLAnswer } from '../support/graphql-client.ts';

export const TRANSPORTS = ['POST', 'GET', 'SSE', 'SOCKET'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export interface Operation {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
}

/** Sends one operation over a transport, and answers the first thing that comes back. */
export async function over(transport: Transport, url: string, token: string, operation: Operation): Promise<GraphQLAnswer> {
  if (transport === 'SOCKET') return overSocket(url, token, operation);
  const accept = transport === 'SSE' ? 'text/event-stream' : 'application/json';
  const headers = { authorization: `Bearer ${token}`, accept };
  const response = transport === 'GET' ? await get(url, headers, operation) : await post(url, headers, operation);
  const text = await response.text();
  return JSON.parse(transport === 'SSE' && text.includes('data: ') ? /^data: (.*)$/m.exec(text)![1]! : text);
}

const post = (url: string, headers: Record<string, string>, operation: Operation) =>
  fetch(`${url}/graphql`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(operation) });

const get = (url: string, headers: Record<string, string>, { query, variables, operationName }: Operation) => {
  const named: Record<string, string> = operationName === undefined ? {} : { operationName };
  const search = new URLSearchParams({ query, ...named, ...(variables && { variables: JSON.stringify(variables) }) });
  return fetch(`${url}/graphql?${search}`, { headers });
};

function overSocket(url: string, token: string, operation: Operation): Promise<GraphQLAnswer> {
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: token },
    retryAttempts: 0,
  });
  return new Promise<GraphQLAnswer>((resolve, reject) => {
    let first: GraphQLAnswer | undefined;
    client.subscribe(operation, {
      next: (answer) => {
        first ??= answer as GraphQLAnswer;
      },
      error: (error) => (Array.isArray(error) ? resolve({ errors: error as never }) : reject(error)),
      complete: () => resolve(first!),
    });
  }).finally(() => client.dispose());
}

/** Everything that an SSE response says, as it comes. */
export async function* serverSentEvents(response: Response): AsyncGenerator<{ event: string; data: string }> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const event = /^event: (.*)$/m.exec(block)?.[1];
      if (event) yield { event, data: /^data: ?(.*)$/m.exec(block)?.[1] ?? '' };
    }
  }
}

/** A WebSocket that speaks as it is told, for what no client library would send. */
export class RawSocket {
  readonly received: string[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #socket: WebSocket;
  #wake = () => {};
  #taken = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      this.received.push(String(data));
      this.#wake();
    });
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        resolve({ code, reason: String(reason) });
        this.#wake();
      });
    });
  }

  static async open(url: string, protocol: string | string[] = 'graphql-transport-ws'): Promise<RawSocket> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, protocol);
    const raw = new RawSocket(socket);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return raw;
  }

  /** Opens one and has it acknowledged. */
  static async acknowledged(url: string, token: string): Promise<RawSocket> {
    const raw = await RawSocket.open(url);
    raw.send({ type: 'connection_init', payload: { authorization: token } });
    await raw.next();
    return raw;
  }

  send(message: unknown) {
    this.#socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  }

  subscribe(id: string, query: string, variables: Record<string, unknown> = {}) {
    this.send({ id, type: 'subscribe', payload: { query, variables } });
  }

  /** Stops reading from the network, as a client that hangs does. */
  pause() {
    (this.#socket as unknown as { _socket: { pause(): void } })._socket.pause();
  }

  resume() {
    (this.#socket as unknown as { _socket: { resume(): void } })._socket.resume();
  }

  /** The next message; rejects when the socket has closed without one. */
  async next(): Promise<any> {
    while (this.#taken === this.received.length) {
      if (this.#socket.readyState >= WebSocket.CLOSING) throw new Error('The socket has closed');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return JSON.parse(this.received[this.#taken++]!);
  }

  terminate() {
    this.#socket.terminate();
  }

  close() {
    this.#socket.close();
    return this.closed;
  }
}
