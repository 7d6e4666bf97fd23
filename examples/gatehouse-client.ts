import { setTimeout } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
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

/** How long a service that does not answer is tried again, in milliseconds. */
const PATIENCE = 120_000;

/** Refusals that do not last: nothing happened, and the same may be sent again. */
const PASSING = ['INTERNAL', 'rate_limited', 'service_busy', 'service_unavailable'];

/** Whether sending it again cannot help. */
export const isFinal = (error: unknown) => error instanceof Refusal && !PASSING.includes(error.code ?? '');

/** Soon at first, every five seconds in a long outage. */
const pause = (tries: number) => setTimeout(Math.min(100 * 2 ** Math.min(tries, 6), 5_000));

/** Close codes of a socket whose credential is refused; after any other one the client connects again. */
const REFUSED = [4401, 4403];

/** GraphQL over HTTP, and subscriptions over WebSockets, with one credential. Both outlive a restart of the service. */
export class GatehouseClient {
  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  /**
   * One query or mutation. It is sent again while the service is away, for up to `patience` milliseconds: what changes something
   * carries an id of the caller's (`toolCallId`, `claimId`, `idempotencyKey`), so that it is done once.
   * @throws {Refusal}
   */
  async send<Data>(query: string, variables: Record<string, unknown> = {}, patience = PATIENCE): Promise<Data> {
    const until = Date.now() + patience;
    for (let tries = 0; ; tries++) {
      try {
        return await this.#post<Data>(query, variables);
      } catch (error) {
        if (isFinal(error) || Date.now() > until) throw error;
        await pause(tries);
      }
    }
  }

  async #post<Data>(query: string, variables: Record<string, unknown>): Promise<Data> {
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

  /**
   * A subscription, event by event, until the loop over it ends. After a lost connection it goes on behind the last event that
   * arrived: none is missed, and none comes twice. @throws {Refusal}
   */
  async *events<Event extends { cursor: string }>(field: string, selection: string, runId?: string, after?: string): AsyncGenerator<Event> {
    const run = runId ? { declared: ', $run: ID', given: ', runId: $run' } : { declared: '', given: '' };
    const query = `subscription ($after: String${run.declared}) { ${field}(after: $after${run.given}) { cursor ${selection} } }`;
    let cursor = after ?? (await this.cursor());
    const client = createClient({
      url: `${this.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${this.token}` },
      retryAttempts: Number.POSITIVE_INFINITY,
      retryWait: pause,
      shouldRetry: (problem) => !REFUSED.includes((problem as { code?: number }).code ?? 0),
      on: {
        // As it arrives, not as it is read: what waits to be read must not be asked for again.
        message: (message) => {
          const event = message.type === 'next' ? (message.payload.data?.[field] as Event | null | undefined) : undefined;
          cursor = event?.cursor ?? cursor;
        },
      },
    });
    // Read anew for each connection.
    const payload = {
      query,
      get variables() {
        return { after: cursor, run: runId };
      },
    };
    try {
      for (let ends = 0; ; ends++) {
        for await (const answer of client.iterate<Record<string, Event>>(payload))
          yield unwrapped(answer as Answer<Record<string, Event>>)[field]!;
        await pause(ends); // a service that stops ends its streams
      }
    } finally {
      await client.dispose();
    }
  }
}

function unwrapped<Data>({ data, errors }: Answer<Data>): Data {
  if (errors) throw new Refusal(errors.map(({ message }) => message).join('; '), errors[0]?.extensions?.code);
  if (!data) throw new Error('What answered was not the service');
  return data;
}
