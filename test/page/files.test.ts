import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';

const { url } = await testApp();

it('serves the document with a policy that lets nothing foreign in', async () => {
  const response = await fetch(`${url}/`);
  const told = ['content-type', 'content-security-policy', 'x-content-type-options', 'referrer-policy', 'cache-control'];
  expect([response.status, ...told.map((name) => response.headers.get(name))]).toEqual([
    200,
    'text/html; charset=utf-8',
    "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    'nosniff',
    'no-referrer',
    'no-cache',
  ]);
  const html = await response.text();
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style=/);
  expect(html).not.toContain('data-oidc');
});

it('serves every file that the document and its modules name, and no other of the folder', async () => {
  const html = await (await fetch(`${url}/`)).text();
  const named = new Set([...html.matchAll(/(?:href|src)="(page\/[^"]+)"/g)].map(([, name]) => name!));
  const answers = await Promise.all([...named].map(async (name) => [name, (await fetch(`${url}/${name}`)).status]));
  expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
  const scripts = readdirSync('src/page').filter((name) => name.endsWith('.js'));
  expect(scripts.filter((name) => !named.has(`page/${name}`))).toEqual([]);
  const others = ['types.d.ts', 'tsconfig.json', '../server/page.ts', '%2e%2e/app.ts', 'index.html', ''];
  expect(await Promise.all(others.map(async (name) => (await fetch(`${url}/page/${name}`)).status))).toEqual(others.map(() => 404));
});

it('answers that a file is still the same, and packs it for whoever can unpack', async () => {
  const first = await fetch(`${url}/page/main.js`, { headers: { 'accept-encoding': 'identity' } });
  const etag = first.headers.get('etag')!;
  const again = await fetch(`${url}/page/main.js`, { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const packed = await fetch(`${url}/page/main.js`, { headers: { 'accept-encoding': 'gzip' } });
  expect([first.headers.get('content-encoding'), packed.headers.get('content-encoding')]).toEqual([null, 'gzip']);
  expect(await packed.text()).toBe(await first.text());
});

it('answers HEAD without a body, and refuses other methods', async () => {
  const head = await fetch(`${url}/`, { method: 'HEAD' });
  const post = await fetch(`${url}/`, { method: 'POST', body: '{}' });
  expect([head.status, await head.text(), post.status, post.headers.get('allow')]).toEqual([200, '', 405, 'GET, HEAD']);
});
