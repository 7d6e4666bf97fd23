import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Checks, OidcSignIn } from '../auth/oidc.ts';
import { Sealed } from '../auth/sealed.ts';
import { admit, onlyPersonWith } from '../auth/sessions.ts';
import type { OidcSettings } from '../config.ts';
import { after } from '../kernel/kernel.ts';
import { notAllowed, notFound } from './http-answers.ts';
import { cookie, cookieIn, isSecure, sessionCookie } from './session-cookie.ts';
import type { SessionDeps } from './session-routes.ts';

const COOKIE = 'gatehouse_oidc';

/** How long somebody may take at the issuer, in seconds. */
const PATIENCE = 600;

/** `GET /session/oidc` sends a browser to the issuer, `GET /session/oidc/callback` is where it returns to. */
export class OidcRoutes {
  readonly #deps: SessionDeps;
  readonly #publicUrl: string;
  readonly #signIn: OidcSignIn;
  readonly #sealed: Sealed<Checks>;

  constructor(deps: SessionDeps, settings: OidcSettings, publicUrl: string) {
    this.#deps = deps;
    this.#publicUrl = publicUrl.replace(/\/+$/, '');
    this.#signIn = new OidcSignIn(settings, `${this.#publicUrl}/session/oidc/callback`);
    this.#sealed = new Sealed(settings.clientSecret, 'gatehouse sign-in by OpenID Connect');
  }

  async serve(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (path !== '/session/oidc' && path !== '/session/oidc/callback') return notFound(response, path);
    if (request.method !== 'GET') return notAllowed(response, 'GET');
    response.setHeader('Cache-Control', 'no-store');
    if (path === '/session/oidc') await this.#leave(response);
    else await this.#return(request, response);
  }

  async #leave(response: ServerResponse) {
    const { kernel } = this.#deps;
    try {
      const { url, checks } = await this.#signIn.begin();
      const kept = this.#cookie(this.#sealed.seal(checks, after(kernel.now(), PATIENCE * 1_000)), PATIENCE);
      redirect(response, url.href, [kept]);
    } catch (error) {
      kernel.log.error({ error: causeOf(error) }, 'The OpenID Connect issuer could not be reached');
      page(response, 502, 'Signing in does not work at the moment: the service that vouches for you does not answer.', []);
    }
  }

  async #return(request: IncomingMessage, response: ServerResponse) {
    const { kernel, config } = this.#deps;
    const used = this.#cookie('', 0);
    const checks = this.#sealed.open(cookieIn(request.headers.cookie, COOKIE) ?? '', kernel.now());
    if (!checks) return page(response, 400, 'This sign-in was not begun here, or too long ago.', [used]);
    const email = await this.#emailIn(request, checks);
    if (email === 'refused') return page(response, 400, 'The service that vouches for you did not confirm this sign-in.', [used]);
    const who = email && (await onlyPersonWith(kernel.db, email));
    if (!who) return page(response, 403, 'Your address is not verified, or does not belong to exactly one person here.', [used]);
    const { secret } = await kernel.db.transaction((tx) => admit(tx, kernel, who, 'OpenID Connect'));
    redirect(response, `${this.#publicUrl}/`, [used, sessionCookie(config, request.headers.host, secret)]);
  }

  async #emailIn({ url }: IncomingMessage, checks: Checks): Promise<string | undefined> {
    try {
      return await this.#signIn.finish(new URL(url!, 'http://localhost').search, checks);
    } catch (error) {
      this.#deps.kernel.log.warn({ error: causeOf(error) }, 'A sign-in by OpenID Connect was refused');
      return 'refused';
    }
  }

  /** Lax: it must come along when the issuer sends the browser back to us. */
  #cookie(value: string, seconds: number) {
    const path = `${new URL(this.#publicUrl).pathname.replace(/\/$/, '')}/session/oidc`;
    return cookie(COOKIE, value, { sameSite: 'Lax', path, seconds, secure: isSecure(this.#deps.config, undefined) });
  }
}

/** What went wrong, without the codes and tokens that an issuer's answer may hold. */
function causeOf(error: unknown) {
  const { name, message, code, error: told } = error as Error & { code?: string; error?: string };
  return { name, message, code, ...(typeof told === 'string' && { told }) };
}

const HEADERS = { 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff' };

const redirect = (response: ServerResponse, location: string, cookies: string[]) =>
  void response.writeHead(303, { ...HEADERS, Location: location, 'Set-Cookie': cookies }).end();

function page(response: ServerResponse, status: number, message: string, cookies: string[]) {
  const headers = { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8', ...(cookies.length > 0 && { 'Set-Cookie': cookies }) };
  response.writeHead(status, headers).end(`${message}\nGo back, and try again or ask the operator.\n`);
}
