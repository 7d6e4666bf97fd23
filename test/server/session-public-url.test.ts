import { expect, test } from 'vitest';
import { issueSignIn } from '../../src/auth/sessions.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';

const PUBLIC = 'https://gates.kites.example';
const { kernel, url } = await testApp({ config: { publicUrl: `${PUBLIC}/desk/` } });
const company = await makeCompany(kernel);

const post = (path: string, body: unknown, headers: Record<string, string>) =>
  fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });

test('behind a public address the cookie is kept to TLS, and the origin is that of the address', async () => {
  const token = await issueSignIn(kernel.db, company.enterpriseId, company.ceo.id, kernel.now());
  expect((await post('/session', { token }, { origin: url })).status).toBe(403);
  const response = await post('/session', { token }, { origin: PUBLIC });
  const cookie = response.headers.get('set-cookie')!;
  expect(cookie).toMatch(/^gatehouse_session=ghs_[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/);
  const operate = (origin: string) => post('/graphql', { query: '{ viewer { kind } }' }, { cookie: cookie.split(';')[0]!, origin });
  expect(await (await operate(PUBLIC)).json()).toEqual({ data: { viewer: { kind: 'SESSION' } } });
  for (const origin of [url, `${PUBLIC}:8443`, `${PUBLIC}/desk`, 'http://gates.kites.example', 'null']) {
    const refused = await operate(origin);
    expect([refused.status, ((await refused.json()) as any).errors[0].extensions.code]).toEqual([403, 'csrf_refused']);
  }
});

test('a session token that begins sessions too fast is limited, a link is not', async () => {
  const limited = await testApp({ config: { rateLimit: 2 } });
  const { ceoSession, enterpriseId, ceo } = await makeCompany(limited.kernel);
  const begin = (token: string) =>
    fetch(`${limited.url}/session`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) });
  expect([(await begin(ceoSession)).status, (await begin(ceoSession)).status]).toEqual([200, 200]);
  const refused = await begin(ceoSession);
  const { error } = (await refused.json()) as any;
  expect([refused.status, error.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'rate_limited',
    String(error.details.retryAfterSeconds),
  ]);
  const link = await issueSignIn(limited.kernel.db, enterpriseId, ceo.id, limited.kernel.now());
  expect((await begin(link)).status).toBe(200);
});
