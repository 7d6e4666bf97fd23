import type { IncomingHttpHeaders } from 'node:http';
import type { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Arrival, GraphqlDeps } from '../graphql/context.ts';
import { told, unreadable } from '../graphql/errors.ts';
import { MOST_BYTES, tooComplex } from '../graphql/limits.ts';
import { ToolError } from '../kernel/errors.ts';
import { invalidArguments } from '../kernel/parse-input.ts';

/** The refusal of a body that is too large. `bytes`: its size, or what came before reading stopped. */
export const tooLarge = (bytes: number) => {
  const error = new ToolError('too_large', `The body has ${bytes} bytes or more; ${MOST_BYTES} are allowed.`, { bytes, allowed: MOST_BYTES });
  const refusal = told(error);
  refusal.extensions.http = { status: 413 };
  return refusal;
};

/** Why a POST is refused before its body is read: GraphQL is JSON, in one piece of a known coding, and not too large. */
export function unfit(headers: IncomingHttpHeaders): GraphQLError | undefined {
  const type = headers['content-type'];
  if (!/^application\/json *(;|$)/i.test(type ?? '')) {
    return unreadable(`The Content-Type is ${JSON.stringify(type ?? null)}; only application/json is allowed.`, 415);
  }
  const charset = /charset *= *"?([^";\s]+)/i.exec(type!)?.[1];
  if (charset && !/^utf-?8$/i.test(charset)) return unreadable(`The charset is ${JSON.stringify(charset)}; only utf-8 is allowed.`, 415);
  const coding = headers['content-encoding'];
  if (coding && coding !== 'identity') return unreadable(`The Content-Encoding is ${JSON.stringify(coding)}; none is allowed.`, 415);
  const bytes = Number(headers['content-length'] ?? 0);
  return bytes > MOST_BYTES ? tooLarge(bytes) : undefined;
}

/** Reads a body whose length nobody announced, and stops where it gets too large. */
async function readBody(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw tooLarge(bytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function checkQueryString(url: URL) {
  for (const name of ['variables', 'extensions']) {
    const text = url.searchParams.get(name);
    if (text === null || text === '') continue;
    try {
      JSON.parse(text);
    } catch {
      throw unreadable(`The parameter ${name} is not JSON.`);
    }
  }
}

/** What is taken out of a request when an operation of it arrives. @throws {ToolError} unauthenticated */
export async function arrive(
  { authenticate, limiter }: Pick<GraphqlDeps, 'authenticate' | 'limiter'>,
  authorization: string | null | undefined,
): Promise<Pick<Arrival, 'caller' | 'limited'>> {
  const caller = await authenticate(authorization);
  try {
    limiter.take(caller.tokenId);
    return { caller, limited: undefined };
  } catch (error) {
    if (error instanceof ToolError && error.code === 'rate_limited') return { caller, limited: error };
    throw error;
  }
}

/** `__proto__` among the variables is refused by name; what lies deeper is looked at where it is used. */
export function checkVariables(variables: unknown) {
  if (typeof variables !== 'object' || variables === null || !Object.hasOwn(variables, '__proto__')) return;
  throw invalidArguments([{ path: 'variables.__proto__', message: 'the key __proto__ is not allowed' }]);
}

/** What an HTTP request goes through before its operation: reading, one operation only, the credential, the rate limit. */
export const useHttpRequests = (deps: Pick<GraphqlDeps, 'authenticate' | 'limiter'>, closing: AbortSignal): Plugin<object, Partial<Arrival>> => ({
  onRequestParse({ request, url, requestParser, setRequestParser, fetchAPI }) {
    if (request.method === 'GET') checkQueryString(url);
    else if (requestParser && request.headers.get('content-length') === null) {
      setRequestParser(async (unread) => {
        const { method, headers } = unread;
        return requestParser(new fetchAPI.Request(unread.url, { method, headers, body: await readBody(unread) }));
      });
    }
    return {
      onRequestParseDone({ requestParserResult }) {
        if (Array.isArray(requestParserResult)) throw tooComplex('batch', requestParserResult.length);
      },
    };
  },
  async onParams({ request, params, context }) {
    const arrived = await arrive(deps, request.headers.get('authorization'));
    checkVariables((params as GraphQLParams | null)?.variables);
    const transport = request.method === 'GET' ? 'GET' : 'POST';
    Object.assign(context, arrived, { transport, gone: [request.signal, closing], onSlow: undefined });
  },
});
