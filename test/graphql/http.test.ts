import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';

const app = await testApp();
const company = await makeCompany(app.kernel);
const authorization = `Bearer ${company.ceoSession}`;
const VIEWER = JSON.stringify({ query: '{ viewer { kind } }' });

const send = (init: RequestInit & { headers?: Record<string, string> }, path = '/graphql') =>
  fetch(`${app.url}${path}`, { method: 'POST', ...init, headers: { authorization, 'content-type': 'application/json', ...init.headers } });

async function told(response: Response) {
  const { errors, data } = (await response.json()) as {
    errors?: { message: string; extensions: Record<string, unknown> }[];
    data?: unknown;
  };
  return { status: response.status, data, error: errors?.[0]?.extensions };
}

/** Sends a body in chunks, without saying how long it is. */
function chunked(chunks: string[]): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sending = request(
      `${app.url}/graphql`,
      { method: 'POST', headers: { authorization, 'content-type': 'application/json' } },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text) => {
          body += text;
        });
        response.once('end', () => resolve({ status: response.statusCode!, body }));
      },
    );
    sending.once('error', reject);
    for (const chunk of chunks) sending.write(chunk);
    sending.end();
  });
}

describe('a POST', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])('of %s is read', async (type) => {
    expect(await told(await send({ headers: { 'content-type': type }, body: VIEWER }))).toEqual({
      status: 200,
      data: { viewer: { kind: 'SESSION' } },
      error: undefined,
    });
  });

  it.each([
    ['application/x-www-form-urlencoded', 'query=%7Bviewer%7Bkind%7D%7D'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/graphql', '{ viewer { kind } }'],
    ['text/plain', VIEWER],
    ['application/json; charset=utf-16', VIEWER],
    ['application/jsonx', VIEWER],
    ['', VIEWER],
  ])('of %s is refused', async (type, body) => {
    expect(await told(await send({ headers: { 'content-type': type }, body }))).toEqual({ status: 415, error: { code: 'BAD_REQUEST' } });
  });

  it('in another coding is refused', async () => {
    expect(await told(await send({ headers: { 'content-encoding': 'gzip' }, body: VIEWER }))).toEqual({
      status: 415,
      error: { code: 'BAD_REQUEST' },
    });
  });

  it.each([
    ['no JSON', '{ query'],
    ['nothing', ''],
    ['null', 'null'],
    ['a number', '1'],
    ['a text', '"{ viewer { kind } }"'],
    ['no query', '{}'],
    ['a query that is no text', '{"query": {}}'],
    ['variables that are no object', '{"query": "{ viewer { kind } }", "variables": [1]}'],
    ['an unknown parameter', '{"query": "{ viewer { kind } }", "more": 1}'],
  ])('with %s is refused with 400', async (_, body) => {
    expect(await told(await send({ body }))).toEqual({ status: 400, error: { code: 'BAD_REQUEST' } });
  });

  it('of 1 MiB is read, and one byte more is refused before it is parsed', async () => {
    const padded = (bytes: number) => VIEWER + ' '.repeat(bytes - VIEWER.length);
    expect(await told(await send({ body: padded(1_048_576) }))).toMatchObject({ status: 200, data: { viewer: { kind: 'SESSION' } } });
    const allowed = 1_048_576;
    for (const bytes of [1_048_577, 5_000_000]) {
      expect(await told(await send({ body: padded(bytes) }))).toEqual({
        status: 413,
        error: { code: 'too_large', details: { bytes, allowed } },
      });
    }
  });

  it('of unknown length is read, and refused where it gets too large', async () => {
    expect(await chunked([VIEWER.slice(0, 5), VIEWER.slice(5)])).toEqual({ status: 200, body: '{"data":{"viewer":{"kind":"SESSION"}}}' });
    const { status, body } = await chunked([VIEWER, ...Array.from({ length: 20 }, () => ' '.repeat(100_000))]);
    expect(status).toBe(413);
    expect(JSON.parse(body).errors[0].extensions).toMatchObject({ code: 'too_large', details: { allowed: 1_048_576 } });
    expect(await chunked(['{'])).toMatchObject({ status: 400 });
  });

  it('may name its operation', async () => {
    const query = 'query a { viewer { kind } } query b { enterprise { name } }';
    expect(await told(await send({ body: JSON.stringify({ query, operationName: 'b' }) }))).toMatchObject({
      data: { enterprise: { name: 'Test Kites' } },
    });
    expect(await told(await send({ body: JSON.stringify({ query, operationName: 'c' }) }))).toMatchObject({ status: 400 });
  });
});

describe('a GET', () => {
  const get = (search: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/graphql?${new URLSearchParams(search)}`, { headers: { authorization, accept: 'application/json', ...headers } });

  it('reads', async () => {
    expect(
      await told(await get({ query: 'query ($n: Int) { openGates(first: $n) { totalCount } }', variables: '{"n": 1}' })),
    ).toMatchObject({
      status: 200,
      data: { openGates: { totalCount: 0 } },
    });
  });

  it('changes nothing', async () => {
    const query = 'mutation { startRun(input: { task: "none" }) { id } }';
    expect(await told(await get({ query }))).toMatchObject({ status: 405, error: { code: 'BAD_REQUEST' } });
  });

  it('calls no tool', async () => {
    for (const query of [
      '{ osListOpenGates { runId } }',
      '{ viewer { kind } ...f } fragment f on Query { a: osGetContext(key: "k") { key } }',
    ]) {
      expect(await told(await get({ query }))).toMatchObject({ status: 405, error: { code: 'BAD_REQUEST' } });
    }
    expect(await told(await send({ body: JSON.stringify({ query: '{ osListOpenGates { runId } }' }) }))).toMatchObject({
      status: 200,
      data: { osListOpenGates: [] },
    });
  });

  it('with variables that are no JSON is refused', async () => {
    expect(await told(await get({ query: '{ viewer { kind } }', variables: '{' }))).toEqual({
      status: 400,
      error: { code: 'BAD_REQUEST' },
    });
    expect(await told(await get({ query: '{ viewer { kind } }', extensions: 'x' }))).toEqual({
      status: 400,
      error: { code: 'BAD_REQUEST' },
    });
    expect(await told(await get({}))).toMatchObject({ status: 400, error: { code: 'BAD_REQUEST' } });
  });

  it('longer than a request line may be is told so', async () => {
    expect(await told(await get({ query: `{ viewer { kind } } # ${'x'.repeat(1_000_000)}` }))).toEqual({
      status: 413,
      error: { code: 'too_large', details: { bytes: 16_385, allowed: 16_384 } },
    });
  });
});

describe('other requests', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is refused', async (method) => {
    expect((await fetch(`${app.url}/graphql`, { method, headers: { authorization } })).status).toBe(405);
  });

  it('tell how the service is', async () => {
    const health = await fetch(`${app.url}/health`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    const ready = await fetch(`${app.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([200, { database: 'up', bus: 'up' }]);
    expect((await fetch(`${app.url}/health`, { method: 'POST' })).status).toBe(405);
  });

  it('elsewhere find nothing, as JSON', async () => {
    const response = await fetch(`${app.url}/nowhere?x=1`);
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: { code: 'not_found', message: 'There is nothing at "/nowhere".' } },
    ]);
    expect((await fetch(`${app.url}/graphql/more`)).status).toBe(404);
  });

  it('that are no HTTP are told so', async () => {
    const { port } = new URL(app.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('this is no request\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[\s\S]*"code":"BAD_REQUEST"/);
  });
});

describe('a credential', () => {
  it.each([
    ['none', undefined],
    ['an unknown one', 'Bearer ghs_unknown'],
    ['another scheme', 'Basic Y2xlbzpraXRl'],
  ])('that is %s is refused with 401', async (_, sent) => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(sent && { authorization: sent }) },
      body: VIEWER,
    });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await told(response)).toMatchObject({ status: 401, error: { code: 'unauthenticated' } });
  });

  it('may be sent without Bearer', async () => {
    expect(await told(await send({ headers: { authorization: company.ceoSession }, body: VIEWER }))).toMatchObject({ status: 200 });
  });
});
