import { inTime } from './wait.ts';

/** What a request was answered, as it came. */
export interface RawAnswer {
  status: number;
  text: string;
}

/** Sends a body to GraphQL as it is; of a stream, reads to the first thing in it. */
export async function sendBody(url: string, token: string, body: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body,
    signal: leaving.signal,
  });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return { status: response.status, text: await response.text() };
  const text = await inTime('first event of a stream', firstEvent(response), 10_000);
  leaving.abort();
  return { status: response.status, text };
}

async function firstEvent(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const event = /^data: .*\n/m.exec(text);
    if (event) return text.slice(0, event.index) + event[0];
  }
  return text;
}

/** Sends an operation, a subscription as one. */
export const sendOperation = (url: string, token: string, query: string, variables: unknown): Promise<RawAnswer> =>
  sendBody(url, token, JSON.stringify({ query, variables }), query.startsWith('subscription') ? { accept: 'text/event-stream' } : {});

/** The codes of the errors in an answer. */
export const codesIn = ({ text }: RawAnswer): string[] => [...text.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code!);
