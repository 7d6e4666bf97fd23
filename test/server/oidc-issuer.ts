import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export interface Account {
  email?: string;
  email_verified?: boolean;
}

/** An OpenID Connect issuer on loopback where whoever comes is signed in as `visitor`, or turned away when there is none. */
export class Issuer {
  readonly accounts: Record<string, Account> = {};
  visitor: string | undefined;
  url = '';

  static async start(client: { id: string; secret: string; redirectUri: string; method?: string }, emailInToken = false): Promise<Issuer> {
    const issuer = new Issuer();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { Provider } = (await import('oidc-provider' as string)) as { Provider: new (url: string, settings: object) => any };
    const provider = new Provider(issuer.url, issuer.#settings(client, emailInToken));
    const serve = provider.callback();
    server.on('request', (request, response) => {
      if (!request.url!.startsWith('/interaction/')) return serve(request, response);
      const { visitor } = issuer;
      const result = visitor ? { login: { accountId: visitor } } : { error: 'access_denied' };
      provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });
    return issuer;
  }

  #settings(
    { id, secret, redirectUri, method }: { id: string; secret: string; redirectUri: string; method?: string },
    emailInToken: boolean,
  ) {
    const methods = method ? { clientAuthMethods: [method] } : {};
    return {
      ...methods,
      clients: [
        { client_id: id, client_secret: secret, redirect_uris: [redirectUri], ...(method && { token_endpoint_auth_method: method }) },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: !emailInToken,
      pkce: { required: () => true },
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      cookies: { keys: ['of the test'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId, ...this.accounts[accountId] }),
      }),
      async loadExistingGrant({ oidc }: any) {
        const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope('openid email');
        await grant.save();
        return grant;
      },
    };
  }
}

/** A browser that follows redirects and keeps cookies, one jar a host, until it arrives or `stop` says so. */
export class Browser {
  readonly jars = new Map<string, Map<string, string>>();

  async go(start: string, stop: (url: string) => boolean = () => false): Promise<{ url: string; response: Response }> {
    let url = start;
    for (let hops = 0; hops < 20; hops++) {
      const response = await fetch(url, { redirect: 'manual', headers: { cookie: this.cookies(url) } });
      this.#keep(url, response.headers.getSetCookie());
      const location = response.headers.get('location');
      if (!location) return { url, response };
      const next = new URL(location, url).href;
      if (stop(next)) return { url: next, response };
      url = next;
    }
    throw new Error(`Too many redirects at ${url}`);
  }

  cookies = (url: string) => [...(this.jars.get(new URL(url).host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');

  cookie = (url: string, name: string) => this.jars.get(new URL(url).host)?.get(name);

  #keep(url: string, cookies: string[]) {
    const jar = this.jars.get(new URL(url).host) ?? new Map<string, string>();
    this.jars.set(new URL(url).host, jar);
    for (const cookie of cookies) {
      const [pair] = cookie.split(';') as [string];
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
  }
}
