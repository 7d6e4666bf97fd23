import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';

/** An error that the service answered, with its code. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly code: string | undefined,
  ) {
    super(message);
  }
}

interface Answer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** GraphQL over HTTP, and subscriptions over one WebSocket, with one credential. */
export class GatehouseClient {
  #socket: Client | undefined;

  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  /** One query or mutation. @throws {Refusal} */
  async send<Data>(query: string, variables: Record<string, unknown> = {}): Promise<Data> {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      body: JSON.stringify({ query, variables }),
    });
    return unwrapped((await response.json()) as Answer<Data>);
  }

  /** The number of the last event: what is read now includes it, and a subscription `after` it misses nothing. */
  async cursor(): Promise<string> {
    return (await this.send<{ eventCursor: string }>('{ eventCursor }')).eventCursor;
  }

  /** A subscription, event by event, until the loop over it ends. After a lost connection it goes on behind `after`. */
  async *events<Event extends { cursor: string }>(field: string, selection: string, runId?: string, after?: string): AsyncGenerator<Event> {
    this.#socket ??= createClient({
      url: `${this.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${this.token}` },
    });
    const run = runId ? { declared: ', $run: ID', given: ', runId: $run' } : { declared: '', given: '' };
    const query = `subscription ($after: String${run.declared}) { ${field}(after: $after${run.given}) { cursor ${selection} } }`;
    const stream = this.#socket.iterate<Record<string, Event>>({ query, variables: { after, run: runId } });
    for await (const answer of stream) yield unwrapped(answer as Answer<Record<string, Event>>)[field]!;
  }

  async close(): Promise<void> {
    await this.#socket?.dispose();
  }
}

function unwrapped<Data>({ data, errors }: Answer<Data>): Data {
  if (errors) throw new Refusal(errors.map(({ message }) => message).join('; '), errors[0]?.extensions?.code);
  return data!;
}
