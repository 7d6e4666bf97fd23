import { expect, test } from 'vitest';
import { configFrom } from '../../src/config.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OIDC = { OIDC_ISSUER: 'https://id.kites.example', OIDC_CLIENT_ID: 'gates', OIDC_CLIENT_SECRET: 'hush' };
const PUBLIC_URL = 'https://gates.kites.example';

test('neither OpenID Connect nor a webhook unless they are set', () => {
  const { oidc, webhook } = configFrom({});
  expect([oidc, webhook]).toEqual([undefined, undefined]);
});

test('both, when they are set in full', () => {
  const { oidc, webhook } = configFrom({ ...OIDC, PUBLIC_URL, WEBHOOK_URL: 'http://10.0.0.7/hook?key=1', WEBHOOK_SECRET: SECRET });
  expect(oidc).toEqual({ issuer: 'https://id.kites.example', clientId: 'gates', clientSecret: 'hush' });
  expect(webhook).toEqual({ url: 'http://10.0.0.7/hook?key=1', secret: SECRET });
});

test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])('the issuer %s may speak plain http', (OIDC_ISSUER) => {
  expect(configFrom({ ...OIDC, OIDC_ISSUER, PUBLIC_URL }).oidc!.issuer).toBe(OIDC_ISSUER);
});

const TOGETHER = 'OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET go together and need PUBLIC_URL';

test.each([
  [OIDC, `${TOGETHER}: PUBLIC_URL is missing`],
  [{ OIDC_CLIENT_ID: 'gates' }, `${TOGETHER}: OIDC_ISSUER, OIDC_CLIENT_SECRET, PUBLIC_URL are missing`],
  [{ ...OIDC, OIDC_CLIENT_SECRET: '', PUBLIC_URL }, `${TOGETHER}: OIDC_CLIENT_SECRET is missing`],
  [{ ...OIDC, OIDC_ISSUER: 'http://id.kites.example', PUBLIC_URL }, 'OIDC_ISSUER must be https, as it is not on loopback'],
  [{ ...OIDC, OIDC_ISSUER: 'http://localhost.kites.example', PUBLIC_URL }, 'OIDC_ISSUER must be https, as it is not on loopback'],
  [{ ...OIDC, OIDC_ISSUER: 'ftp://id', PUBLIC_URL }, /^OIDC_ISSUER must be a URL that begins with http:\/\/ or https:\/\//],
  [{ WEBHOOK_URL: 'https://hooks.example' }, 'WEBHOOK_URL, WEBHOOK_SECRET go together: WEBHOOK_SECRET is missing'],
  [{ WEBHOOK_SECRET: SECRET }, 'WEBHOOK_URL, WEBHOOK_SECRET go together: WEBHOOK_URL is missing'],
  [{ WEBHOOK_URL: 'file:///etc/passwd', WEBHOOK_SECRET: SECRET }, 'WEBHOOK_URL must be a URL that begins with http:// or https://'],
  [{ WEBHOOK_URL: 'https://me:hush@hooks.example', WEBHOOK_SECRET: SECRET }, 'WEBHOOK_URL must not hold a user or a password'],
  [{ WEBHOOK_URL: 'https://hooks.example', WEBHOOK_SECRET: 'whsec_short' }, 'WEBHOOK_SECRET must be whsec_ and 24 to 64 bytes in base64'],
  [{ WEBHOOK_URL: 'https://hooks.example', WEBHOOK_SECRET: 'whsec_*' }, 'WEBHOOK_SECRET must be whsec_ and 24 to 64 bytes in base64'],
])('%j is refused, without its values', (settings, message) => {
  expect(() => configFrom(settings)).toThrow(message);
});
