import { describe, expect, test } from 'vitest';
import type { Checks } from '../../src/auth/oidc.ts';
import { Sealed } from '../../src/auth/sealed.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { freePort } from '../support/free-port.ts';
import { Browser, Issuer } from './oidc-issuer.ts';

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const callback = `${url}/session/oidc/callback`;
const [id, secret] = ['gates', 'the-secret-of-the-client-at-the-issuer'];
const issuer = await Issuer.start({ id, secret, redirectUri: callback });
const oidc = { issuer: issuer.url, clientId: id, clientSecret: secret };
const { kernel } = await testApp({ config: { port, publicUrl: url, oidc, logLevel: 'fatal' } });
const company = await makeCompany(kernel);

issuer.accounts.cleo = { email: 'Cleo@KITES.example', email_verified: true };
issuer.accounts.paul = { email: 'paul@kites.example', email_verified: true };
issuer.accounts.unverified = { email: 'cleo@kites.example', email_verified: false };
issuer.accounts.unsaid = { email: 'cleo@kites.example' };
issuer.accounts.without = {};
issuer.accounts.unknown = { email: 'stranger@kites.example', email_verified: true };
issuer.accounts.twin = { email: 'twin@kites.example', email_verified: true };
issuer.accounts.gone = { email: 'gone@kites.example', email_verified: true };
issuer.accounts.odd = { email: 'cleo@kites.example\u0000', email_verified: true };

/** A browser that went to the issuer as this account, and stands before our callback. */
async function atCallback(visitor: string | undefined, at = issuer) {
  at.visitor = visitor;
  const browser = new Browser();
  const { url: returned } = await browser.go(`${url}/session/oidc`, (next) => next.startsWith(callback));
  return { browser, returned };
}

async function signIn(visitor: string | undefined) {
  const { browser, returned } = await atCallback(visitor);
  const { response } = await browser.go(returned, (next) => next === `${url}/`);
  return { browser, response, session: browser.cookie(url, 'gatehouse_session') };
}

async function viewer(session: string) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `gatehouse_session=${session}`, origin: url },
    body: JSON.stringify({ query: '{ viewer { kind person { id } } }' }),
  });
  return ((await response.json()) as any).data.viewer;
}

/** Sends the browser on with other checks than it left with. */
async function withChecks(change: (checks: Checks) => Checks) {
  const { browser, returned } = await atCallback('cleo');
  const sealed = new Sealed<Checks>(secret, 'gatehouse sign-in by OpenID Connect');
  const checks = sealed.open(browser.cookie(url, 'gatehouse_oidc')!, new Date())!;
  browser.jars.get(new URL(url).host)!.set('gatehouse_oidc', sealed.seal(change(checks), new Date(Date.now() + 60_000)));
  return browser.go(returned, (next) => next === `${url}/`);
}

const REFUSED = 'The service that vouches for you did not confirm this sign-in.\nGo back, and try again or ask the operator.\n';

describe('signing in', () => {
  test('asks the issuer by code with PKCE, state and nonce', async () => {
    const response = await fetch(`${url}/session/oidc`, { redirect: 'manual' });
    expect([response.status, response.headers.get('cache-control')]).toEqual([303, 'no-store']);
    const asked = new URL(response.headers.get('location')!);
    expect([asked.origin, asked.pathname]).toEqual([issuer.url, '/auth']);
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(asked.searchParams);
    expect(rest).toEqual({
      client_id: id,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid email',
      code_challenge_method: 'S256',
    });
    for (const random of [state, nonce, code_challenge]) expect(random).toMatch(/^[\w-]{43}$/);
    const cookie = response.headers.get('set-cookie')!;
    expect(cookie).toMatch(/^gatehouse_oidc=[\w-]+; Path=\/session\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/);
    for (const random of [state!, nonce!]) expect(Buffer.from(cookie.slice(15), 'base64url').includes(random)).toBe(false);
  });

  test('the person with the verified address, however it is written', async () => {
    const { response, session, browser } = await signIn('cleo');
    expect([response.status, response.headers.get('location')]).toEqual([303, `${url}/`]);
    expect(response.headers.getSetCookie()[1]).toMatch(
      /^gatehouse_session=ghs_[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(await viewer(session!)).toEqual({ kind: 'SESSION', person: { id: company.ceo.id } });
    expect(browser.cookie(url, 'gatehouse_oidc')).toBe(undefined);
    const [entry] = await kernel.db.prisma.auditEntry.findMany({ orderBy: { id: 'desc' }, take: 1 });
    expect([entry!.action, entry!.personId, entry!.details]).toEqual(['session.started', company.ceo.id, { way: 'OpenID Connect' }]);
  });

  test('another person gets their own session', async () => {
    expect(await viewer((await signIn('paul')).session!)).toEqual({ kind: 'SESSION', person: { id: company.person.id } });
  });

  test('an issuer that tells the address in the token, and takes the secret in the body', async () => {
    const method = 'client_secret_post';
    const otherPort = await freePort();
    const otherUrl = `http://127.0.0.1:${otherPort}`;
    const other = await Issuer.start({ id, secret, redirectUri: `${otherUrl}/session/oidc/callback`, method }, true);
    const app = await testApp({
      config: { port: otherPort, publicUrl: otherUrl, oidc: { ...oidc, issuer: other.url }, logLevel: 'fatal' },
    });
    await makeCompany(app.kernel);
    other.accounts.cleo = issuer.accounts.cleo!;
    other.visitor = 'cleo';
    const browser = new Browser();
    const { response } = await browser.go(`${otherUrl}/session/oidc`, (next) => next === `${otherUrl}/`);
    expect([response.status, browser.cookie(otherUrl, 'gatehouse_session')?.slice(0, 4)]).toEqual([303, 'ghs_']);
  });
});

describe('refused on a plain page', () => {
  test('whoever the issuer does not vouch for, or who is not exactly one person', async () => {
    const { prisma } = kernel.db;
    const other = await makeCompany(kernel, 'Other Kites').catch(() => undefined);
    const enterprises = [company.enterpriseId, other!.enterpriseId];
    for (const enterpriseId of enterprises) {
      await prisma.person.create({ data: { id: crypto.randomUUID(), enterpriseId, name: 'Tia Twin', email: 'twin@kites.example' } });
    }
    const gone = { enterpriseId: company.enterpriseId, name: 'Gone Gull', email: 'gone@kites.example', removedAt: new Date() };
    await prisma.person.create({ data: { id: crypto.randomUUID(), ...gone } });
    await prisma.person.updateMany({
      where: { enterpriseId: other!.enterpriseId, email: 'cleo@kites.example' },
      data: { email: 'other@kites.example' },
    });
    for (const visitor of ['unverified', 'unsaid', 'without', 'unknown', 'twin', 'gone', 'odd']) {
      const { response, session } = await signIn(visitor);
      expect([visitor, response.status, session]).toEqual([visitor, 403, undefined]);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(await response.text()).toBe(
        'Your address is not verified, or does not belong to exactly one person here.\nGo back, and try again or ask the operator.\n',
      );
    }
  });

  test('whoever turns back at the issuer', async () => {
    const { response, session } = await signIn(undefined);
    expect([response.status, await response.text(), session]).toEqual([400, REFUSED, undefined]);
  });

  test('a return that was not begun in this browser', async () => {
    const { returned } = await atCallback('cleo');
    const { response } = await new Browser().go(returned);
    expect([response.status, response.headers.getSetCookie()]).toEqual([
      400,
      ['gatehouse_oidc=; Path=/session/oidc; Max-Age=0; HttpOnly; SameSite=Lax'],
    ]);
    expect(await response.text()).toBe('This sign-in was not begun here, or too long ago.\nGo back, and try again or ask the operator.\n');
  });

  test('the return of another attempt', async () => {
    const [mine, theirs] = [await atCallback('cleo'), await atCallback('paul')];
    const { response } = await mine.browser.go(theirs.returned);
    expect([response.status, await response.text()]).toEqual([400, REFUSED]);
  });

  test.each(['state', 'nonce', 'verifier'] as const)('another %s', async (name) => {
    const { response } = await withChecks((checks) => ({ ...checks, [name]: 'x'.repeat(43) }));
    expect([response.status, await response.text()]).toEqual([400, REFUSED]);
  });

  test('the same checks pass', async () => {
    expect((await withChecks((checks) => checks)).response.status).toBe(303);
  });

  test('a code that was used before', async () => {
    const { browser, returned } = await atCallback('cleo');
    const kept = browser.cookie(url, 'gatehouse_oidc')!;
    expect((await browser.go(returned, (next) => next === `${url}/`)).response.status).toBe(303);
    browser.jars.get(new URL(url).host)!.set('gatehouse_oidc', kept);
    expect((await browser.go(returned, (next) => next === `${url}/`)).response.status).toBe(400);
  });

  test('an answer that is not the issuer’s', async () => {
    const { browser, returned } = await atCallback('cleo');
    const forged = new URL(returned);
    forged.searchParams.set('iss', 'http://127.0.0.1:1');
    const { response } = await browser.go(forged.href);
    expect([response.status, browser.cookie(url, 'gatehouse_session')]).toEqual([400, undefined]);
  });
});

test('an issuer that does not answer', async () => {
  const [dead, own] = [await freePort(), await freePort()];
  const config = {
    port: own,
    publicUrl: `http://127.0.0.1:${own}`,
    oidc: { ...oidc, issuer: `http://127.0.0.1:${dead}` },
    logLevel: 'fatal',
  };
  const app = await testApp({ config });
  const response = await fetch(`${app.url}/session/oidc`, { redirect: 'manual' });
  expect([response.status, response.headers.get('set-cookie'), response.headers.get('content-type')]).toEqual([
    502,
    null,
    'text/plain; charset=utf-8',
  ]);
});

test('other paths, other methods, and a service without an issuer', async () => {
  expect((await fetch(`${url}/session/oidc/else`)).status).toBe(404);
  expect((await fetch(`${url}/session/oidc`, { method: 'POST' })).status).toBe(405);
  const plain = await testApp();
  expect((await fetch(`${plain.url}/session/oidc`)).status).toBe(404);
});

test('what is sealed opens unchanged, in time, with the same secret and for the same purpose', () => {
  const [now, until] = [new Date(1_000), new Date(2_000)];
  const sealed = new Sealed<string>('secret', 'test');
  const text = sealed.seal('värde', until);
  expect(sealed.open(text, now)).toBe('värde');
  expect(sealed.open(text, until)).toBe(undefined);
  expect(new Sealed('other', 'test').open(text, now)).toBe(undefined);
  expect(new Sealed('secret', 'else').open(text, now)).toBe(undefined);
  const bytes = Buffer.from(text, 'base64url');
  for (const index of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[index]! ^= 1;
    expect(sealed.open(changed.toString('base64url'), now)).toBe(undefined);
  }
  for (const rest of ['', 'x', text.slice(0, -4)]) expect(sealed.open(rest, now)).toBe(undefined);
  expect(sealed.seal('värde', until)).not.toBe(text);
});
