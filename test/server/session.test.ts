import { describe, expect, test } from 'vitest';
import { issueSignIn, SESSION_IDLE_SECONDS } from '../../src/auth/sessions.ts';
import { issueToken, type NewToken, revokeToken } from '../../src/auth/tokens.ts';
import { runAdmin } from '../../src/ops/admin-commands.ts';
import { serverSentEvents } from '../graphql/transports.ts';
import { testApp } from '../support/app.ts';
import { makeClock } from '../support/clock.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';

const clock = makeClock();
const { kernel, url } = await testApp({ additions: { now: clock.now } });
const company = await makeCompany(kernel);
const harness = new Harness(url, company);
const COOKIE = /^gatehouse_session=(ghs_[\w-]{43}); Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/;
const HOUR = 3_600_000;
const SESSION_OF = (owner: object) => ({ kind: 'SESSION', name: 'desk', ...owner }) as NewToken;

type Headers = Record<string, string>;

const send = (path: string, method: string, headers: Headers, body?: unknown) =>
  fetch(url + path, { method, headers, ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }) });

const signIn = (token: unknown, headers: Headers = {}) =>
  send('/session', 'POST', { 'content-type': 'application/json', ...headers }, { token });

async function link() {
  return issueSignIn(kernel.db, company.enterpriseId, company.ceo.id, clock.now());
}

/** The secret of a new browser session of the CEO. */
async function browser(): Promise<string> {
  const response = await signIn(await link());
  expect(response.status).toBe(200);
  return COOKIE.exec(response.headers.get('set-cookie')!)![1]!;
}

const QUERY = { query: '{ viewer { kind person { name } canDecideGates } }' };

const operate = (secret: string, headers: Headers = {}, operation: unknown = QUERY) =>
  send(
    '/graphql',
    'POST',
    { 'content-type': 'application/json', cookie: `theme=dark; gatehouse_session=${secret}`, ...headers },
    operation,
  );

/** Status, code. */
async function told(response: Response) {
  const body = (await response.json()) as any;
  return [response.status, body.errors?.[0].extensions.code ?? body.error?.code ?? body.data];
}

const AS_CEO = { viewer: { kind: 'SESSION', person: { name: company.ceo.name }, canDecideGates: true } };

describe('beginning a session', () => {
  test('with a sign-in link: a new session in a cookie that scripts cannot read', async () => {
    const token = await link();
    const response = await signIn(token);
    expect([response.status, await response.json()]).toEqual([200, { person: { ...company.ceo, isCeo: true } }]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const [, secret] = COOKIE.exec(response.headers.get('set-cookie')!)!;
    expect(secret).not.toBe(token);
    expect(await told(await operate(secret!, { origin: url }))).toEqual([200, AS_CEO]);
  });

  test('a link is used once, even by many at once', async () => {
    const token = await link();
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => signIn(token)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
    expect(await told(await signIn(token))).toEqual([401, 'unauthenticated']);
  });

  test('a link lasts fifteen minutes', async () => {
    const [one, two] = [await link(), await link()];
    clock.advance(899_999);
    expect((await signIn(one)).status).toBe(200);
    clock.advance(1);
    expect(await told(await signIn(two))).toEqual([401, 'unauthenticated']);
  });

  test('a link of a person who was removed is worth nothing', async () => {
    const { id } = await kernel.db.prisma.person.create({
      data: {
        id: crypto.randomUUID(),
        enterpriseId: company.enterpriseId,
        name: 'Gone Gull',
        email: 'gull@kites.example',
        removedAt: clock.now(),
      },
    });
    expect(await told(await signIn(await issueSignIn(kernel.db, company.enterpriseId, id, clock.now())))).toEqual([401, 'unauthenticated']);
  });

  test('a link is no credential', async () => {
    const query = await send('/graphql', 'POST', { 'content-type': 'application/json', authorization: `Bearer ${await link()}` }, QUERY);
    expect(await told(query)).toEqual([401, 'unauthenticated']);
  });

  test('with a session token, which goes on', async () => {
    for (const _ of [1, 2]) {
      const response = await signIn(company.personSession);
      expect(await response.json()).toEqual({ person: { ...company.person, isCeo: false } });
      expect(COOKIE.exec(response.headers.get('set-cookie')!)![1]).not.toBe(company.personSession);
    }
  });

  test('which takes the sessions begun with it along when it is revoked, and theirs', async () => {
    const owner = { enterpriseId: company.enterpriseId, personId: company.person.id, createdAt: clock.now() };
    const [root, other] = [await issueToken(kernel.db, SESSION_OF(owner)), await issueToken(kernel.db, SESSION_OF(owner))];
    const begin = async (token: string) => COOKIE.exec((await signIn(token)).headers.get('set-cookie')!)![1]!;
    const [child, apart] = [await begin(root.secret), await begin(other.secret)];
    const grandchild = await begin(child);
    await revokeToken(kernel, { operator: true, enterpriseId: company.enterpriseId }, root.id);
    const enter = async (secret: string) => (await operate(secret, { origin: url })).status;
    expect(await Promise.all([root.secret, child, grandchild, apart].map(enter))).toEqual([401, 401, 401, 200]);
    expect((await signIn(child)).status).toBe(401);
  });

  test('never with an API or a run token', async () => {
    const run = await harness.run();
    for (const token of [company.apiToken, company.workerToken, run.token]) {
      const response = await signIn(token);
      expect([response.headers.get('set-cookie'), ...(await told(response))]).toEqual([null, 403, 'not_allowed']);
    }
  });

  test.each([
    ['an unknown session', `ghs_${'a'.repeat(43)}`, 401, 'unauthenticated'],
    ['an unknown link', `ghl_${'a'.repeat(43)}`, 401, 'unauthenticated'],
    ['no token of ours', 'hunter2', 401, 'unauthenticated'],
    ['no text', 7, 400, 'invalid_arguments'],
    ['nothing', undefined, 400, 'invalid_arguments'],
  ])('%s is refused', async (_name, token, status, code) => {
    const response = await signIn(token);
    expect([response.headers.get('set-cookie'), ...(await told(response))]).toEqual([null, status, code]);
  });

  test('what is no JSON, too much, or another method', async () => {
    const json = { 'content-type': 'application/json' };
    expect(await told(await send('/session', 'POST', json, '{'))).toEqual([400, 'invalid_arguments']);
    expect(await told(await send('/session', 'POST', json, 'null'))).toEqual([400, 'invalid_arguments']);
    expect(await told(await send('/session', 'POST', json, 'x'.repeat(10_001)))).toEqual([413, 'too_large']);
    const get = await send('/session', 'GET', {});
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, DELETE']);
  });

  test('from a foreign page nobody is signed in', async () => {
    const token = await link();
    expect(await told(await signIn(token, { origin: 'https://kites.evil.example' }))).toEqual([403, 'csrf_refused']);
    expect(await told(await signIn(token, { origin: 'null' }))).toEqual([403, 'csrf_refused']);
    expect(await told(await signIn(token, { 'content-type': 'text/plain' }))).toEqual([403, 'csrf_refused']);
    expect((await signIn(token, { origin: url })).status).toBe(200);
  });
});

describe('a session in a cookie', () => {
  test('counts on requests of our own page alone', async () => {
    const secret = await browser();
    const foreign = [
      'https://kites.evil.example',
      'null',
      `${url}.evil.example`,
      url.replace('http:', 'https:'),
      `${url}/`,
      'http://127.0.0.1:1',
    ];
    for (const origin of foreign) expect(await told(await operate(secret, { origin }))).toEqual([403, 'csrf_refused']);
    expect(await told(await operate(secret))).toEqual([403, 'csrf_refused']);
    expect(await told(await operate(secret, { origin: url }))).toEqual([200, AS_CEO]);
  });

  test('a body that is not JSON is refused as a forgery', async () => {
    const secret = await browser();
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/graphql',
      'application/jsonp',
    ]) {
      expect(await told(await operate(secret, { origin: url, 'content-type': type }))).toEqual([403, 'csrf_refused']);
    }
  });

  test('by GET too it needs the origin', async () => {
    const secret = await browser();
    const get = (headers: Headers) => send('/graphql?query={viewer{kind}}', 'GET', { cookie: `gatehouse_session=${secret}`, ...headers });
    expect(await told(await get({}))).toEqual([403, 'csrf_refused']);
    expect(await told(await get({ origin: 'https://kites.evil.example' }))).toEqual([403, 'csrf_refused']);
    expect(await told(await get({ origin: url }))).toEqual([200, { viewer: { kind: 'SESSION' } }]);
  });

  test('pages and health need no origin', async () => {
    const cookie = `gatehouse_session=${await browser()}`;
    expect((await send('/health', 'GET', { cookie })).status).toBe(200);
  });

  test('Authorization wins over it, and needs no origin', async () => {
    const secret = await browser();
    const viewer = { kind: 'API_TOKEN', person: { name: company.ceo.name }, canDecideGates: true };
    const headers = { authorization: `Bearer ${company.apiToken}`, origin: 'https://kites.evil.example' };
    expect(await told(await operate(secret, headers))).toEqual([200, { viewer }]);
    expect(await told(await operate(secret, { authorization: 'Bearer nothing', origin: url }))).toEqual([401, 'unauthenticated']);
  });

  test('only a session counts in a cookie', async () => {
    expect(await told(await operate(company.apiToken, { origin: url }))).toEqual([401, 'unauthenticated']);
    expect(await told(await operate(await link(), { origin: url }))).toEqual([401, 'unauthenticated']);
  });

  test('each use gives the cookie anew, a refusal does not', async () => {
    const secret = await browser();
    const used = await operate(secret, { origin: url });
    expect(COOKIE.exec(used.headers.get('set-cookie')!)![1]).toBe(secret);
    expect((await operate(secret)).headers.get('set-cookie')).toBe(null);
    expect((await operate(`ghs_${'a'.repeat(43)}`, { origin: url })).headers.get('set-cookie')).toBe(null);
  });

  test('streams events over SSE', async () => {
    const secret = await browser();
    const leave = new AbortController();
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', cookie: `gatehouse_session=${secret}`, origin: url },
      body: JSON.stringify({ query: 'subscription { runEvents(after: "0") { kind } }' }),
      signal: leave.signal,
    });
    await harness.run();
    const { value } = await serverSentEvents(response).next();
    expect(value!.event).toBe('next');
    expect(JSON.parse(value!.data).data.runEvents.kind).toBe('QUEUED');
    leave.abort();
  });
});

describe('the end of a session', () => {
  test('DELETE revokes it and takes the cookie away', async () => {
    const secret = await browser();
    const headers = { cookie: `gatehouse_session=${secret}` };
    expect(await told(await send('/session', 'DELETE', headers))).toEqual([403, 'csrf_refused']);
    expect(await told(await send('/session', 'DELETE', { ...headers, origin: 'https://kites.evil.example' }))).toEqual([
      403,
      'csrf_refused',
    ]);
    expect(await told(await operate(secret, { origin: url }))).toEqual([200, AS_CEO]);
    const ended = await send('/session', 'DELETE', { ...headers, origin: url });
    expect([ended.status, ended.headers.get('set-cookie')]).toEqual([
      204,
      'gatehouse_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);
    expect(await told(await operate(secret, { origin: url }))).toEqual([401, 'unauthenticated']);
    expect((await send('/session', 'DELETE', { ...headers, origin: url })).status).toBe(204);
    expect(await told(await send('/session', 'DELETE', { origin: url }))).toEqual([401, 'unauthenticated']);
  });

  test('twelve hours without use end it; each use moves that on', async () => {
    const secret = await browser();
    const lastUsed = async () => (await kernel.db.prisma.token.findMany({ where: { kind: 'SESSION', lastUsedAt: clock.now() } })).length;
    for (const _ of [1, 2]) {
      clock.advance(SESSION_IDLE_SECONDS * 1_000 - 1);
      expect(await told(await operate(secret, { origin: url }))).toEqual([200, AS_CEO]);
      await expect.poll(lastUsed).toBe(1);
    }
    clock.advance(SESSION_IDLE_SECONDS * 1_000);
    const refused = await operate(secret, { origin: url });
    expect(((await refused.json()) as any).errors[0].message).toBe('The session was not used for too long: sign in again.');
  });

  test('viewer tells when it would end', async () => {
    const secret = await browser();
    const response = await operate(secret, { origin: url }, { query: '{ viewer { expiresAt } }' });
    expect(await told(response)).toEqual([200, { viewer: { expiresAt: new Date(clock.now().getTime() + 12 * HOUR).toISOString() } }]);
  });

  test('begun and ended, it stands in the audit log', async () => {
    const secret = await browser();
    await send('/session', 'DELETE', { cookie: `gatehouse_session=${secret}`, origin: url });
    const entries = await kernel.db.prisma.auditEntry.findMany({ orderBy: { id: 'desc' }, take: 2 });
    expect(entries.map(({ action, via, personId, details }) => [action, via, personId, details])).toEqual([
      ['token.revoked', 'session', company.ceo.id, { kind: 'SESSION', name: 'browser' }],
      ['session.started', 'session', company.ceo.id, { way: 'sign-in link' }],
    ]);
  });
});

test('npm run admin prints a link that works once', async () => {
  const { code, out } = await runAdmin(kernel, ['sign-in', '--email', 'PAUL@kites.example']);
  expect(code).toBe(0);
  const [, base, secret] = /^(\S+)\/#sign-in=(ghl_[\w-]{43})\nSigns Paul Paper in, once, within 15 minutes\.\n$/.exec(out)!;
  expect(base).toBe(url);
  expect((await signIn(secret)).status).toBe(200);
  expect((await signIn(secret)).status).toBe(401);
  expect((await runAdmin(kernel, ['sign-in', '--email', 'nobody@kites.example'])).code).toBe(1);
  expect((await runAdmin(kernel, ['sign-in'])).code).toBe(2);
});
