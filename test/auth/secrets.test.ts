import { expect, test } from 'vitest';
import { hashOf } from '../../src/auth/tokens.ts';
import { openDatabase } from '../../src/db/database.ts';
import { runAdmin } from '../../src/ops/admin-commands.ts';
import { Receiver } from '../domain/webhook/receiver.ts';
import { Browser, Issuer } from '../server/oidc-issuer.ts';
import { makeCompany } from '../support/company.ts';
import { testDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { Harness } from '../support/harness.ts';
import { startProcess } from '../support/service.ts';

const { url: databaseUrl } = await testDatabase();
const db = await openDatabase({ url: databaseUrl });
const kernel = { db, now: () => new Date(), publicUrl: 'http://localhost' } as never as Parameters<typeof runAdmin>[0];
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const client = { id: 'gates', secret: 'the-secret-of-the-client-at-the-issuer', redirectUri: `${url}/session/oidc/callback` };
const issuer = await Issuer.start(client);
const receiver = await Receiver.start();
const webhook = { url: receiver.url, secret: `whsec_${Buffer.alloc(32, 5).toString('base64')}` };

/** What must be found nowhere. */
const secrets = new Set([client.secret, webhook.secret.slice(6), 'of-the-receiver']);
/** What the service answered when it refused. */
const refusals: string[] = [];

async function send(path: string, method: string, headers: Record<string, string>, body?: unknown) {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"errors"')) refusals.push(text + JSON.stringify([...response.headers]));
  const session = /gatehouse_session=(ghs_[^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1];
  if (session) secrets.add(session);
  return session;
}

/** Every row of every table, as JSON. */
async function tables(): Promise<string> {
  const names = await db.query<{ name: string }>({ text: `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'` });
  const rows = await Promise.all(
    names.map(({ name }) => db.query<object>({ text: `SELECT row_to_json(t)::text AS row FROM "${name}" t` })),
  );
  return JSON.stringify(rows);
}

test('no secret is in a table, in the log, in an error or in a result', async () => {
  const config = {
    databaseUrl,
    port,
    publicUrl: url,
    oidc: { issuer: issuer.url, clientId: client.id, clientSecret: client.secret },
    webhook,
  };
  const service = await startProcess({ ...config, logLevel: 'trace' });
  const company = await makeCompany(kernel);
  const { ceoSession, personSession, apiToken, workerToken } = company;
  for (const secret of [ceoSession, personSession, apiToken, workerToken]) secrets.add(secret);
  const harness = new Harness(url, company);

  const link = (await runAdmin(kernel, ['sign-in', '--email', 'cleo@kites.example'])).out.match(/ghl_[\w-]+/)![0];
  secrets.add(link);
  const session = (await send('/session', 'POST', {}, { token: link }))!;
  for (const token of [link, apiToken, workerToken, `ghs_${'z'.repeat(43)}`]) await send('/session', 'POST', {}, { token });
  await send('/session', 'POST', { origin: 'https://kites.evil.example', cookie: `gatehouse_session=${session}` }, { token: ceoSession });
  const query = { query: '{ viewer { kind } }' };
  await send('/graphql', 'POST', { cookie: `gatehouse_session=${session}`, origin: url }, query);
  await send('/graphql', 'POST', { cookie: `gatehouse_session=${session}` }, query);
  await send('/graphql', 'POST', { authorization: `Bearer ${link}` }, query);
  await send('/graphql', 'POST', { authorization: `Bearer ${workerToken}` }, { query: '{ tokens { nodes { id } } }' });

  const create = 'mutation { createToken(input: { name: "n", scopes: ["runs:read"] }) { secret token { id name } } }';
  const { createToken } = await harness.data(ceoSession, create);
  secrets.add(createToken.secret);
  const revoke = 'mutation ($id: ID!) { revokeToken(id: $id) { id name scopes } }';
  const results = [await harness.data(ceoSession, revoke, { id: createToken.token.id })];
  await send('/graphql', 'POST', { authorization: `Bearer ${createToken.secret}` }, query);

  const browser = new Browser();
  for (const [visitor, account] of Object.entries({ cleo: { email: 'cleo@kites.example', email_verified: true }, nobody: {} })) {
    issuer.accounts[visitor] = account;
    issuer.visitor = visitor;
    const visiting = visitor === 'cleo' ? browser : new Browser();
    const { url: returned } = await visiting.go(`${url}/session/oidc`, (next) => next.startsWith(client.redirectUri));
    secrets.add(new URL(returned).searchParams.get('code')!);
    const { response } = await visiting.go(returned, (next) => next === `${url}/`);
    if (!response.headers.get('location')) refusals.push(await response.text());
  }
  secrets.add(browser.cookie(url, 'gatehouse_session')!);
  await send('/session/oidc/callback?code=x&state=y', 'GET', {});

  receiver.answer = (response) => void response.writeHead(500).end('of-the-receiver');
  const run = await harness.run({ tools: ['os.ask_ceo'] });
  secrets.add(run.token);
  const questions = [{ number: 1, question: 'Which?', context: 'Red or blue.', ctoRecommendation: 'Red.' }];
  results.push(await harness.call(run.token, 'c', 'os.ask_ceo', { questions }));
  await expect.poll(async () => (await db.prisma.webhookDelivery.findFirst({ where: { lastError: { not: null } } }))?.attempts).toBe(1);
  await send('/session', 'DELETE', { cookie: `gatehouse_session=${session}`, origin: url });
  const lists = '{ tokens(first: 200) { nodes { id kind name scopes } } auditLog(first: 200) { nodes { action via details subjectId } } }';
  results.push(await harness.data(ceoSession, lists));

  const { stdout, stderr } = await service.stop();
  const kept = await tables();
  const places = {
    tables: kept,
    log: stdout + stderr,
    errors: refusals.join('\n'),
    results: JSON.stringify(results),
    hooks: JSON.stringify(receiver.received),
  };
  const found = Object.entries(places).flatMap(([place, text]) =>
    [...secrets]
      .filter((secret) => text.includes(secret.replace(/^gh[a-z]_/, '')) && !(place === 'hooks' && secret === 'of-the-receiver'))
      .map((secret) => `${secret.slice(0, 8)}… in ${place}`),
  );
  expect(found).toEqual([]);
  expect([secrets.size, refusals.length]).toEqual([14, 11]);
  expect(kept).toContain(hashOf(ceoSession));
  expect(stderr).toContain('A gate could not be told to the webhook');
  await db.close();
}, 60_000);
