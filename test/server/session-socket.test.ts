import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { issueSignIn } from '../../src/auth/sessions.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';

const { kernel, url } = await testApp();
const company = await makeCompany(kernel);

/** The secret of a new browser session of the CEO. */
async function browser(): Promise<string> {
  const token = await issueSignIn(kernel.db, company.enterpriseId, company.ceo.id, kernel.now());
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/session`, { method: 'POST', headers, body: JSON.stringify({ token }) });
  return /^gatehouse_session=([^;]+);/.exec(response.headers.get('set-cookie')!)![1]!;
}

/** A socket opened with a cookie; its first message, or the status of the refused handshake. */
function handshake(secret: string, origin: string | undefined, payload: object = {}): Promise<unknown> {
  const headers = { cookie: `gatehouse_session=${secret}`, ...(origin && { origin }) };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
  return new Promise((resolve) => {
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })));
    socket.on('message', (data) => {
      resolve(JSON.parse(String(data)).type);
      socket.close();
    });
    socket.on('close', (code) => resolve(code));
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode);
      socket.terminate();
    });
    socket.on('error', () => {});
  });
}

describe('a socket with the cookie', () => {
  test('opens for our own page, and is refused at the handshake for any other', async () => {
    const secret = await browser();
    expect(await handshake(secret, url)).toBe('connection_ack');
    expect(await handshake(secret, 'https://kites.evil.example')).toBe(403);
    expect(await handshake(secret, undefined)).toBe(403);
    expect(await handshake(secret, 'https://kites.evil.example', { authorization: company.apiToken })).toBe(403);
  });

  test('a credential of the connection wins over it', async () => {
    const secret = await browser();
    expect(await handshake(`ghs_${'a'.repeat(43)}`, url, { authorization: company.apiToken })).toBe('connection_ack');
    expect(await handshake(secret, url, { authorization: 'nothing' })).toBe(4403);
    expect(await handshake(secret, url, { authorization: 7 })).toBe(4403);
    expect(await handshake(`ghs_${'a'.repeat(43)}`, url)).toBe(4403);
  });

  test('the refusal says why', async () => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const upgrade = [
      'GET /graphql HTTP/1.1',
      `Host: ${hostname}:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
    ];
    socket.write(
      [...upgrade, 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==', `Cookie: gatehouse_session=${await browser()}`, '', ''].join('\r\n'),
    );
    const answer = String(await new Promise((resolve) => socket.once('data', resolve)));
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!).errors[0].extensions.code).toBe('csrf_refused');
  });
});
