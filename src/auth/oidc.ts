import * as client from 'openid-client';
import { z } from 'zod';
import type { OidcSettings } from '../config.ts';
import { isLoopback } from './loopback.ts';

/** What must come back unchanged from the issuer, and the secret half of PKCE: kept by the browser, sealed. */
export interface Checks {
  state: string;
  nonce: string;
  verifier: string;
}

/** Seconds that the issuer may take for an answer. */
const PATIENCE = 10;

/** Signing people in by an OpenID Connect issuer: the code flow with PKCE, state and nonce. */
export class OidcSignIn {
  readonly #settings: OidcSettings;
  readonly #redirectUri: string;
  #configuration: Promise<client.Configuration> | undefined;

  constructor(settings: OidcSettings, redirectUri: string) {
    this.#settings = settings;
    this.#redirectUri = redirectUri;
  }

  /** Where to send the browser, and what to compare when it returns. Rejects when the issuer does not answer. */
  async begin(): Promise<{ url: URL; checks: Checks }> {
    const checks = { state: client.randomState(), nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() };
    const url = client.buildAuthorizationUrl(await this.#issuer(), {
      redirect_uri: this.#redirectUri,
      scope: 'openid email',
      ...{ state: checks.state, nonce: checks.nonce },
      ...{ code_challenge: await client.calculatePKCECodeChallenge(checks.verifier), code_challenge_method: 'S256' },
    });
    return { url, checks };
  }

  /**
   * The verified address of whoever returned, in lower case; undefined when the issuer tells none or has not verified it.
   * `query`: what the browser returned with, `?` included. Rejects when the answer is not the one that was asked for.
   */
  async finish(query: string, checks: Checks): Promise<string | undefined> {
    const issuer = await this.#issuer();
    const { verifier: pkceCodeVerifier, state: expectedState, nonce: expectedNonce } = checks;
    const returned = new URL(this.#redirectUri + query);
    const tokens = await client.authorizationCodeGrant(issuer, returned, {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    // Many issuers leave the address out of the token that comes with a code.
    const told = claims.email === undefined ? await client.fetchUserInfo(issuer, tokens.access_token, claims.sub) : claims;
    if (told.email_verified !== true) return undefined;
    return z.email().max(254).safeParse(String(told.email).toLowerCase()).data;
  }

  /** What the issuer says of itself: read once, and again after a failure. */
  #issuer(): Promise<client.Configuration> {
    this.#configuration ??= this.#discover().catch((error) => {
      this.#configuration = undefined;
      throw error;
    });
    return this.#configuration;
  }

  #discover() {
    const { issuer, clientId, clientSecret } = this.#settings;
    const server = new URL(issuer);
    const insecure = server.protocol === 'http:' && isLoopback(server.hostname) ? [client.allowInsecureRequests] : [];
    const execute = [client.enableNonRepudiationChecks, ...insecure];
    return client.discovery(server, clientId, clientSecret, authentication(clientSecret), { execute, timeout: PATIENCE });
  }
}

/** The secret goes in the header, which is every issuer's default, or in the body where only that is offered. */
function authentication(secret: string): client.ClientAuth {
  const [header, body] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...request) => {
    const offered = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (offered.includes('client_secret_basic') || !offered.includes('client_secret_post') ? header : body)(server, ...request);
  };
}
