import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Config } from '../config.ts';
import type { Arrival, GraphqlDeps } from '../graphql/context.ts';
import { told, unreadable } from '../graphql/errors.ts';
import { LIMITS, MOST_BYTES, tooComplex } from '../graphql/limits.ts';
import { ToolError } from '../kernel/errors.ts';
import { invalidArguments } from '../kernel/parse-input.ts';
import { credentialOf, sessionCookie } from './session-cookie.ts';

/** The refusal of a body that is too large. `bytes`: its size, or what came before reading stopped. */
export const tooLarge = (bytes: number) => {
  const error = new ToolError('too_large', `The body has ${bytes} bytes or more; ${MOST_BYTES} are allowed.`, {
    bytes,
    allowed: MOST_BYTES,
  });
  const refusal = told(error);
  refusal.extensions.http = { status: 413 };
  return refusal;
};

/** Why a POST is refused before its body is read: GraphQL is JSON, uncompressed, and not too large. */
function unfit(headers: IncomingHttpHeaders): GraphQLError | undefined {
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

/** A body that was read already, as Yoga takes one. */
interface ReadBody extends AsyncIterable<Buffer> {
  bytes: number;
}

/** Reads a body whose length nobody announced. @throws {GraphQLError} too_large, as soon as it is */
function readBody(request: IncomingMessage): Promise<ReadBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const collect = (chunk: Buffer) => {
      bytes += chunk.byteLength;
      chunks.push(chunk);
      if (bytes <= MOST_BYTES) return;
      request.removeListener('data', collect);
      reject(tooLarge(bytes));
    };
    request.on('data', collect);
    request.once('error', reject);
    request.once('end', () => resolve({ bytes, [Symbol.asyncIterator]: () => Readable.from(chunks)[Symbol.asyncIterator]() }));
  });
}

/** Looks at a POST before Yoga reads it. @throws {GraphQLError} BAD_REQUEST, too_large */
export async function prepare(request: IncomingMessage & { body?: ReadBody }) {
  const { headers } = request;
  const refusal = unfit(headers);
  if (refusal) throw refusal;
  headers['content-type'] = 'application/json'; // Yoga knows the type in lower case alone
  if (headers['content-length'] === undefined) request.body = await readBody(request);
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

interface HttpDeps extends Pick<GraphqlDeps, 'authenticate'> {
  config: Pick<Config, 'publicUrl'>;
}

/** Whose a request is. The cookie that it came by is given anew: its session goes on from here. @throws {ToolError} csrf_refused, unauthenticated */
async function arriveByHttp(deps: HttpDeps, { method, headers }: Request, response: ServerResponse) {
  const names = ['authorization', 'cookie', 'origin', 'host', 'content-type'];
  const sent = Object.fromEntries(names.map((name) => [name, headers.get(name) ?? undefined]));
  const { authorization, byCookie } = credentialOf(deps.config, sent, method);
  const caller = await deps.authenticate(authorization);
  if (byCookie) response.setHeader('Set-Cookie', sessionCookie(deps.config, sent.host, authorization!));
  return caller;
}

/**
 * `__proto__` among the variables is refused by name; what lies deeper is looked at where it is used. All that looks takes as long as
 * there are values.
 */
export function checkVariables(variables: unknown) {
  if (typeof variables !== 'object' || variables === null) return;
  if (Object.hasOwn(variables, '__proto__')) {
    throw invalidArguments([{ path: 'variables.__proto__', message: 'the key __proto__ is not allowed' }]);
  }
  const values = valuesIn(variables, LIMITS.values);
  if (values > LIMITS.values) throw tooComplex('values', values);
}

/** How many values there are; past `most` no more are counted. */
function valuesIn(variables: object, most: number): number {
  const left: unknown[] = [variables];
  let found = 0;
  while (left.length > 0 && found <= most) {
    const value = left.pop();
    found++;
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value).slice(0, most - found + 1)) left.push(inner);
  }
  return found;
}

/** How long a client whose stream was cut may take to read what it was sent; one that does not read is cut off. */
const PATIENCE = 30_000;

function cutOff(response: ServerResponse) {
  const timer = setTimeout(() => response.destroy(), PATIENCE);
  response.once('close', () => clearTimeout(timer));
}

/** What an HTTP request goes through before its operation: reading, one operation only, the credential. */
export const useHttpRequests = (deps: HttpDeps, closing: AbortSignal): Plugin<object, Partial<Arrival>> => ({
  onRequestParse({ request, url }) {
    if (request.method === 'GET') checkQueryString(url);
    return {
      onRequestParseDone({ requestParserResult }) {
        if (Array.isArray(requestParserResult)) throw tooComplex('batch', requestParserResult.length);
      },
    };
  },
  async onParams({ request, params, setParams, context }) {
    const { res } = context as unknown as { res: ServerResponse };
    const caller = await arriveByHttp(deps, request, res);
    const { variables, operationName } = (params ?? {}) as GraphQLParams;
    checkVariables(variables);
    if (operationName === '') setParams({ ...params, operationName: undefined });
    const transport = request.method === 'GET' ? 'GET' : 'POST';
    const streams = /text\/event-stream|\*\/\*|text\/\*/i.test(request.headers.get('accept') ?? '*/*');
    const arrival: Arrival = {
      ...{ caller, transport, streams, gone: [request.signal, closing], operationName: operationName || undefined },
      ...{ buffered: () => res.writableLength, onCut: () => cutOff(res), closesOnCut: false },
    };
    Object.assign(context, arrival);
  },
  onResponse({ response, serverContext }) {
    const { limited } = serverContext as Partial<Arrival>;
    if (limited) response.headers.set('Retry-After', String(limited.details!.retryAfterSeconds));
    // nginx and its kin keep back what a server streams unless they are told not to.
    if (response.headers.get('Content-Type')?.startsWith('text/event-stream')) response.headers.set('X-Accel-Buffering', 'no');
  },
  onResultProcess({ result, resultProcessor }) {
    // A stream that no media type of the client's can carry would stay open: Yoga answers 406 and forgets it.
    if (!resultProcessor && Symbol.asyncIterator in result) void result[Symbol.asyncIterator]().return?.();
  },
});
