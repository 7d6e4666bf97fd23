import { afterAll, expect, test } from 'vitest';
import { issueSignIn } from '../../src/auth/sessions.ts';
import { hashOf } from '../../src/auth/tokens.ts';
import { serverSentEvents } from '../graphql/transports.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';
import { startProcess } from '../support/service.ts';
import { subscribe } from '../support/subscriber.ts';

const { kernel, url: here, config } = await testApp();
const { url: there, stop } = await startProcess({ databaseUrl: config.databaseUrl });
afterAll(stop);
const company = await makeCompany(kernel);
const harness = new Harness(here, company);
const STREAM = 'subscription { runEvents { kind } }';

/** A socket and an event stream on either process, each told of one event. */
async function open(token: string) {
  const sockets = await Promise.all([here, there].map((url) => subscribe(url, token, STREAM)));
  const streams = await Promise.all(
    [here, there].map(async (url) => {
      const headers = { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${token}` };
      return serverSentEvents(await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: STREAM }) }));
    }),
  );
  const first = streams.map((stream) => stream.next());
  await harness.start(await harness.task());
  for (const socket of sockets) await socket.until(({ runEvents }) => runEvents.kind === 'QUEUED');
  for (const event of first) expect((await event).value).toMatchObject({ event: 'next' });
  return { sockets, streams };
}

/** How each stream of a credential ends: what it is told last, and the code that its socket closes with. */
async function ends({ sockets, streams }: Awaited<ReturnType<typeof open>>) {
  const told = sockets.map(async (socket) => {
    const { errors } = await socket.next();
    return [errors![0]!.extensions!.code, (await socket.closed).code];
  });
  const served = streams.map(async (stream) => {
    const rest: { event: string; data: string }[] = [];
    for await (const event of stream) rest.push(event);
    return [JSON.parse(rest[0]!.data).errors[0].extensions.code, rest.at(-1)!.event];
  });
  return Promise.all([...told, ...served]);
}

const ALL = [
  ['unauthenticated', 4403],
  ['unauthenticated', 4403],
  ['unauthenticated', 'complete'],
  ['unauthenticated', 'complete'],
];

async function created(input: object) {
  const query = 'mutation ($input: CreateTokenInput!) { createToken(input: $input) { token { id } secret } }';
  const { createToken } = await harness.data(company.ceoSession, query, { input });
  return { id: createToken.token.id, secret: createToken.secret };
}

async function browser() {
  const token = await issueSignIn(kernel.db, company.enterpriseId, company.ceo.id, kernel.now());
  const response = await fetch(`${here}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  return /gatehouse_session=([^;]+)/.exec(response.headers.get('set-cookie')!)![1]!;
}

test('revoking a token ends its streams on every process', async () => {
  const { id, secret } = await created({ name: 'watcher', scopes: ['runs:read'] });
  const opened = await open(secret);
  await harness.data(company.ceoSession, 'mutation ($id: ID!) { revokeToken(id: $id) { id } }', { id });
  expect(await ends(opened)).toEqual(ALL);
});

test('a token that expires ends its streams', async () => {
  const { secret, id } = await created({ name: 'brief', scopes: ['runs:read'], expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  const opened = await open(secret);
  await kernel.db.prisma.token.update({ where: { id }, data: { expiresAt: kernel.now() } });
  expect(await ends(opened)).toEqual(ALL);
});

test('signing out ends what the session has open', async () => {
  const secret = await browser();
  const opened = await open(secret);
  const headers = { cookie: `gatehouse_session=${secret}`, origin: there };
  expect((await fetch(`${there}/session`, { method: 'DELETE', headers })).status).toBe(204);
  expect(await ends(opened)).toEqual(ALL);
});

test('a session that was not used for too long loses what it has open', async () => {
  const secret = await browser();
  const opened = await open(secret);
  const where = { hash: hashOf(secret) };
  await expect.poll(async () => (await kernel.db.prisma.token.findUniqueOrThrow({ where })).lastUsedAt).not.toBe(null);
  await kernel.db.prisma.token.update({ where, data: { idleSeconds: 0 } });
  expect(await ends(opened)).toEqual(ALL);
});

test('a person who is removed loses what they have open', async () => {
  const opened = await open(company.personSession);
  await kernel.db.prisma.person.updateMany({ where: { id: company.person.id }, data: { removedAt: kernel.now() } });
  expect(await ends(opened)).toEqual(ALL);
});
