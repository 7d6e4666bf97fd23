import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import type { GraphQLAnswer } from './graphql-client.ts';

/** How a socket ended. */
export interface Closed {
  code: number;
  reason: string;
}

/** One subscription on a WebSocket of its own. */
export interface Subscriber<Data> {
  /** Everything that came, in order. */
  received: GraphQLAnswer<Data>[];
  /** The next answer that was not taken yet; rejects when the stream has ended without one. */
  next(): Promise<GraphQLAnswer<Data>>;
  /** Takes answers until one fits. */
  until(fits: (data: Data) => boolean): Promise<Data>;
  closed: Promise<Closed>;
  close(): Promise<void>;
}

/** Subscribes over graphql-transport-ws, and resolves once the server has acknowledged the connection. */
export async function subscribe<Data = any>(
  url: string,
  token: string,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Subscriber<Data>> {
  let onClosed!: (closed: Closed) => void;
  const closed = new Promise<Closed>((resolve) => {
    onClosed = resolve;
  });
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
    lazy: true,
  });
  client.on('closed', (event) => onClosed({ code: (event as CloseEvent).code, reason: (event as CloseEvent).reason }));
  const connected = new Promise<void>((resolve, reject) => {
    client.on('connected', () => resolve());
    void closed.then(({ code, reason }) => reject(new Error(`The socket closed with ${code} ${reason}`)));
  });
  const stream = collect<Data>(client, query, variables);
  await connected;
  return { ...stream, closed, close: async () => client.dispose() };
}

function collect<Data>(client: Client, query: string, variables: Record<string, unknown>) {
  const received: GraphQLAnswer<Data>[] = [];
  let taken = 0;
  let ended: Error | undefined;
  let wake = () => {};
  const end = (error: Error) => {
    ended ??= error;
    wake();
  };
  client.subscribe<Data>(
    { query, variables },
    {
      next(answer) {
        received.push(answer as GraphQLAnswer<Data>);
        wake();
      },
      error: (error) => end(new Error(`The stream failed: ${JSON.stringify(error)} ${String(error)}`)),
      complete: () => end(new Error('The stream is complete')),
    },
  );
  async function next(): Promise<GraphQLAnswer<Data>> {
    while (taken === received.length) {
      if (ended) throw ended;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return received[taken++]!;
  }
  async function until(fits: (data: Data) => boolean): Promise<Data> {
    for (;;) {
      const { data, errors } = await next();
      if (errors) throw new Error(`The stream answered errors: ${JSON.stringify(errors)}`);
      if (data && fits(data)) return data;
    }
  }
  return { received, next, until };
}
