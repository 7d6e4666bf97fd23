import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RateLimiter } from '../auth/rate-limit.ts';
import { beginSession, endSession } from '../auth/sessions.ts';
import type { Config } from '../config.ts';
import { internal } from '../graphql/errors.ts';
import { meaningOf, ToolError } from '../kernel/errors.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { invalidArguments } from '../kernel/parse-input.ts';
import { answer, notAllowed } from './http-answers.ts';
import { isJson, requireOwnOrigin, sessionCookie, sessionIn } from './session-cookie.ts';

export interface SessionDeps {
  kernel: Kernel;
  config: Pick<Config, 'publicUrl' | 'oidc'>;
  limiter: Pick<RateLimiter, 'take'>;
}

/** `POST /session` begins a browser’s session, `DELETE /session` ends it. */
export async function serveSession(deps: SessionDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method } = request;
  if (method !== 'POST' && method !== 'DELETE') return notAllowed(response, 'POST, DELETE');
  response.setHeader('Cache-Control', 'no-store');
  try {
    await (method === 'POST' ? begin(deps, request, response) : end(deps, request, response));
  } catch (error) {
    answerProblem(response, error instanceof ToolError ? error : internal(error, deps.kernel.log));
  } finally {
    request.resume();
  }
}

function answerProblem(response: ServerResponse, { code, message, details }: ToolError) {
  const headers: Record<string, string> = code === 'unauthenticated' ? { 'WWW-Authenticate': 'Bearer' } : {};
  if (details?.retryAfterSeconds) headers['Retry-After'] = String(details.retryAfterSeconds);
  answer(response, meaningOf(code).status, { error: { code, message, ...(details && { details }) } }, headers);
}

async function begin({ kernel, config, limiter }: SessionDeps, request: IncomingMessage, response: ServerResponse) {
  const { headers } = request;
  // Without either nobody’s browser is involved, and no foreign page can have sent it.
  if (headers.origin !== undefined || sessionIn(headers) !== undefined) requireOwnOrigin(config, headers);
  const token = await tokenIn(request);
  const { secret, person } = await beginSession(kernel, token, (tokenId) => limiter.take(tokenId));
  answer(response, 200, { person }, { 'Set-Cookie': sessionCookie(config, headers.host, secret) });
}

async function end({ kernel, config }: SessionDeps, { headers }: IncomingMessage, response: ServerResponse) {
  const secret = sessionIn(headers);
  if (secret === undefined) throw new ToolError('unauthenticated', 'There is no session to end: the request has no cookie of one.');
  requireOwnOrigin(config, headers);
  await endSession(kernel, secret);
  response.writeHead(204, { 'Set-Cookie': sessionCookie(config, headers.host, '') }).end();
}

const LARGEST = 10_000;

async function tokenIn(request: IncomingMessage): Promise<string> {
  const type = request.headers['content-type'];
  if (!isJson(type)) {
    throw new ToolError('csrf_refused', `A session is begun with application/json, not ${JSON.stringify(type ?? null)}.`);
  }
  const body = await bodyOf(request);
  const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined;
  if (typeof token === 'string') return token;
  throw invalidArguments([{ path: 'token', message: 'must be a text: the token of a sign-in link or of a session' }]);
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > LARGEST) throw new ToolError('too_large', `The body has more than ${LARGEST} bytes.`, { bytes, allowed: LARGEST });
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw invalidArguments([{ path: '', message: 'the body must be JSON: {"token": "…"}' }]);
  }
}
