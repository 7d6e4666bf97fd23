import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../auth/loopback.ts';
import { SESSION_IDLE_SECONDS } from '../auth/sessions.ts';
import type { Config } from '../config.ts';
import { ToolError } from '../kernel/errors.ts';

export const SESSION_COOKIE = 'gatehouse_session';

/** What of a request tells who sends it, and from which page. */
export type Headers = Pick<IncomingHttpHeaders, 'authorization' | 'cookie' | 'origin' | 'host' | 'content-type'>;

type Public = Pick<Config, 'publicUrl'>;

/** A cookie of a request by its name. */
export function cookieIn(cookies: string | undefined, name: string): string | undefined {
  const pair = cookies
    ?.split(';')
    .map((text) => text.trim())
    .find((text) => text.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/** Where browsers reach the service: under PUBLIC_URL, or under the host that the request was sent to. */
function addressOf({ publicUrl }: Public, host: string | undefined): URL | undefined {
  const address = publicUrl ?? `http://${host}`;
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** A cookie that scripts do not see and that only goes back to us, over TLS unless we are on loopback. */
export function cookie(name: string, value: string, told: { sameSite: 'Strict' | 'Lax'; path: string; seconds: number; secure: boolean }) {
  const { sameSite, path, seconds, secure } = told;
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
}

/** Whether cookies to this address are kept to TLS. */
export const isSecure = (config: Public, host: string | undefined) => !isLoopback(addressOf(config, host)?.hostname ?? '');

/** The cookie of a session, which lasts as long as the session may idle; `''` takes it away. */
export const sessionCookie = (config: Public, host: string | undefined, secret: string) =>
  cookie(SESSION_COOKIE, secret, {
    ...{ sameSite: 'Strict', path: '/', secure: isSecure(config, host) },
    seconds: secret === '' ? 0 : SESSION_IDLE_SECONDS,
  });

const refused = (message: string) => new ToolError('csrf_refused', message);

/** Lets a request pass that a page of ours sent. @throws {ToolError} csrf_refused */
export function requireOwnOrigin(config: Public, { origin, host }: Headers): void {
  const own = addressOf(config, host)?.origin;
  if (origin !== undefined && origin === own) return;
  const sent = origin === undefined ? 'has no Origin' : `comes from the origin ${JSON.stringify(origin.slice(0, 200))}`;
  const hint = config.publicUrl ? '' : ' Where browsers reach the service under another address, set PUBLIC_URL.';
  throw refused(`A request with the session’s cookie must come from ${own ?? 'a known host'}; this one ${sent}.${hint}`);
}

/** The secret of the session in a request’s cookie: no other kind of credential counts there. */
export function sessionIn({ cookie: cookies }: Headers): string | undefined {
  const value = cookieIn(cookies, SESSION_COOKIE);
  return value?.startsWith('ghs_') ? value : undefined;
}

/** The credential of a GraphQL request. */
export interface Credential {
  authorization: string | undefined;
  /** Whether it came by the cookie, whose life every use extends. */
  byCookie: boolean;
}

/**
 * The credential of a GraphQL request: its `Authorization`, or else the session in its cookie, which counts on requests of
 * our own pages alone.
 * @throws {ToolError} csrf_refused: by cookie, but from another page or with a body that is not JSON
 */
export function credentialOf(config: Public, headers: Headers, method: string): Credential {
  const session = sessionIn(headers);
  if (headers.authorization !== undefined || session === undefined) return { authorization: headers.authorization, byCookie: false };
  requireOwnOrigin(config, headers);
  const type = headers['content-type'];
  if (method !== 'POST' || isJson(type)) return { authorization: session, byCookie: true };
  throw refused(`A request with the session’s cookie must be application/json, not ${JSON.stringify(type ?? null)}.`);
}

export const isJson = (type: string | undefined) => /^application\/json *(;|$)/i.test(type ?? '');

/** Whether a socket may be opened from where its handshake comes. @throws {ToolError} csrf_refused: by cookie, but from another page */
export function checkHandshake(config: Public, headers: Headers): void {
  if (sessionIn(headers) !== undefined) requireOwnOrigin(config, headers);
}
