import { inTime } from './wait.ts';

/** A subscription by server-sent events. */
export interface EventSource {
  /** What came under `next`, in order. */
  received: any[];
  status: number;
  /** Resolves when the response has ended, whoever ended it. */
  ended: Promise<void>;
  /** Goes away without a word. */
  abort(): void;
}

/** Subscribes, and resolves with the head of the response. `onNext`: told of each answer as it comes. */
export async function eventSource(
  url: string,
  token: string,
  query: string,
  variables: Record<string, unknown> = {},
  onNext: (answer: any) => void = () => {},
): Promise<EventSource> {
  const leaving = new AbortController();
  const response = await inTime(
    'head of an event stream',
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
      signal: leaving.signal,
    }),
  );
  const received: any[] = [];
  return { received, status: response.status, ended: read(response, received, onNext), abort: () => leaving.abort() };
}

async function read(response: Response, received: any[], onNext: (answer: any) => void) {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const data = /^event: next\ndata: (.*)$/m.exec(block)?.[1];
        if (!data) continue;
        received.push(JSON.parse(data));
        onNext(received.at(-1));
      }
    }
  } catch {} // aborted, or cut off
}
