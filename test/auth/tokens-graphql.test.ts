import { describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/auth/scopes.ts';
import { testApp } from '../support/app.ts';
import { makeClock } from '../support/clock.ts';
import { makeCompany, makeToken } from '../support/company.ts';
import { graphql } from '../support/graphql-client.ts';
import { Harness } from '../support/harness.ts';

const clock = makeClock();
const { kernel, url } = await testApp({ additions: { now: clock.now } });
const company = await makeCompany(kernel);
const stranger = await makeCompany(kernel, 'Other Kites');
const harness = new Harness(url, company);
const { ceoSession, personSession } = company;

const TOKEN = 'id kind name scopes person { id } createdAt expiresAt idleSeconds lastUsedAt revokedAt';
const CREATE = `mutation ($input: CreateTokenInput!) { createToken(input: $input) { token { ${TOKEN} } secret } }`;
const REVOKE = `mutation ($id: ID!) { revokeToken(id: $id) { ${TOKEN} } }`;
const LIST = `query ($first: Int, $after: String, $kind: [CredentialKind!]) {
  tokens(first: $first, after: $after, kind: $kind) { nodes { ${TOKEN} } pageInfo { hasNextPage endCursor } } }`;
const AUDIT = `query ($filter: AuditFilter, $first: Int, $after: String) { auditLog(filter: $filter, first: $first, after: $after) {
  nodes { id at via action subjectId details person { id name } } pageInfo { hasNextPage endCursor } } }`;

const create = async (session: string, input: Record<string, unknown>) => (await harness.data(session, CREATE, { input })).createToken;
const listed = async (variables = {}, session = ceoSession) => (await harness.data(session, LIST, variables)).tokens;
const audited = async (filter: object | null = null, rest = {}) => (await harness.data(ceoSession, AUDIT, { filter, ...rest })).auditLog;
const refused = async (session: string, query: string, variables: Record<string, unknown>) =>
  (await harness.refused(session, query, variables)).code;

describe('createToken', () => {
  test('shows the secret once, and what it stands for', async () => {
    const expiresAt = new Date(clock.now().getTime() + 86_400_000).toISOString();
    const { token, secret } = await create(ceoSession, {
      name: ' reports ',
      scopes: ['runs:read', 'gates:decide', 'runs:read'],
      expiresAt,
    });
    expect(token).toEqual({
      id: expect.any(String),
      kind: 'API_TOKEN',
      name: 'reports',
      scopes: ['runs:read', 'gates:decide'],
      person: { id: company.ceo.id },
      createdAt: clock.now().toISOString(),
      expiresAt,
      idleSeconds: null,
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(secret).toMatch(/^ghp_[\w-]{43}$/);
    const { viewer } = await harness.data(secret, '{ viewer { kind scopes canDecideGates expiresAt } }');
    expect(viewer).toEqual({ kind: 'API_TOKEN', scopes: ['runs:read', 'gates:decide'], canDecideGates: true, expiresAt });
    expect(JSON.stringify(await listed())).not.toContain(secret.slice(4));
  });

  test('a person grants what they may do themselves, and no more', async () => {
    const reads = SCOPES.filter((scope) => scope.endsWith(':read'));
    const { token } = await create(personSession, { name: 'mine', scopes: reads });
    expect([token.scopes, token.person.id]).toEqual([reads, company.person.id]);
    for (const scope of SCOPES.filter((name) => !name.endsWith(':read'))) {
      const { code, details } = await harness.refused(personSession, CREATE, { input: { name: 'more', scopes: ['runs:read', scope] } });
      expect([code, details]).toEqual(['not_allowed', { scopes: [scope] }]);
    }
    expect((await create(ceoSession, { name: 'all', scopes: SCOPES })).token.scopes).toEqual(SCOPES);
  });

  test('no token grants a token', async () => {
    const run = await harness.run();
    const input = { name: 'child', scopes: ['runs:read'] };
    for (const token of [company.apiToken, run.token]) expect(await refused(token, CREATE, { input })).toBe('not_allowed');
  });

  test.each([
    [{ name: '', scopes: ['runs:read'] }, 'name'],
    [{ name: ' ', scopes: ['runs:read'] }, 'name'],
    [{ name: 'x'.repeat(201), scopes: ['runs:read'] }, 'name'],
    [{ name: 'x\u0000', scopes: ['runs:read'] }, 'input.name'],
    [{ name: 'x', scopes: [] }, 'scopes'],
    [{ name: 'x', scopes: ['runs:read', 'runs:all'] }, 'scopes[1]'],
    [{ name: 'x', scopes: ['constructor'] }, 'scopes[0]'],
    [{ name: 'x', scopes: ['runs:read'], expiresAt: '2030-02-04T09:00:00Z' }, 'expiresAt'],
  ])('%j is refused', async (input, path) => {
    const { code, details } = await harness.refused(ceoSession, CREATE, { input });
    expect([code, details.issues[0].path]).toEqual(['invalid_arguments', path]);
  });
});

describe('revokeToken', () => {
  test('ends it at once, and stays so', async () => {
    const { token, secret } = await create(ceoSession, { name: 'brief', scopes: ['runs:read'] });
    const revoked = (await harness.data(ceoSession, REVOKE, { id: token.id })).revokeToken;
    expect(revoked).toEqual({ ...token, revokedAt: clock.now().toISOString() });
    expect(await refused(secret, '{ viewer { kind } }', {})).toBe('unauthenticated');
    clock.advance(1_000);
    expect((await harness.data(ceoSession, REVOKE, { id: token.id })).revokeToken).toEqual(revoked);
  });

  test('everybody their own, the CEO everything', async () => {
    const mine = await create(personSession, { name: 'mine', scopes: ['runs:read'] });
    const theirs = await create(ceoSession, { name: 'theirs', scopes: ['runs:read'] });
    expect(await refused(personSession, REVOKE, { id: theirs.token.id })).toBe('not_allowed');
    expect((await harness.data(personSession, REVOKE, { id: mine.token.id })).revokeToken.id).toBe(mine.token.id);
    const another = await create(personSession, { name: 'mine too', scopes: ['runs:read'] });
    expect((await harness.data(ceoSession, REVOKE, { id: another.token.id })).revokeToken.id).toBe(another.token.id);
  });

  test('not by a token, not of another enterprise, not of a run', async () => {
    const { token } = await create(ceoSession, { name: 'kept', scopes: ['runs:read'] });
    const run = await harness.run();
    for (const other of [company.apiToken, run.token]) expect(await refused(other, REVOKE, { id: token.id })).toBe('not_allowed');
    expect(await refused(stranger.ceoSession, REVOKE, { id: token.id })).toBe('not_found');
    expect(await refused(ceoSession, REVOKE, { id: 'nothing' })).toBe('not_found');
    const ofRun = await kernel.db.prisma.token.findFirstOrThrow({ where: { runId: run.runId } });
    expect(await refused(ceoSession, REVOKE, { id: ofRun.id })).toBe('not_allowed');
  });
});

describe('tokens', () => {
  test('those of people and integrations, newest first, by pages', async () => {
    await harness.run();
    const all = (await listed({ first: 200 })).nodes;
    expect(new Set(all.map(({ kind }: any) => kind))).toEqual(new Set(['API_TOKEN', 'SESSION']));
    expect(all.map(({ id }: any) => id)).toEqual(
      all
        .map(({ id }: any) => id)
        .sort()
        .reverse(),
    );
    const first = await listed({ first: 2 });
    const second = await listed({ first: 200, after: first.pageInfo.endCursor });
    expect([...first.nodes, ...second.nodes].map(({ id }) => id)).toEqual(all.map(({ id }: any) => id));
    expect((await listed({ first: 200, kind: ['RUN'] })).nodes).toEqual([]);
    const sessions = (await listed({ first: 200, kind: ['SESSION'] })).nodes;
    expect(sessions.map(({ kind, person }: any) => [kind, person.id])).toEqual([
      ['SESSION', company.person.id],
      ['SESSION', company.ceo.id],
    ]);
  });

  test('when each was last used', async () => {
    const { token, secret } = await create(ceoSession, { name: 'used', scopes: ['runs:read'] });
    clock.advance(5_000);
    await harness.data(secret, '{ viewer { kind } }');
    const used = async () => (await listed({ first: 1 })).nodes[0];
    await expect.poll(async () => (await used()).lastUsedAt).toBe(clock.now().toISOString());
    expect((await used()).id).toBe(token.id);
  });

  test('are read in a session alone', async () => {
    expect((await listed({}, personSession)).nodes.length).toBeGreaterThan(0);
    expect(await refused(company.apiToken, LIST, {})).toBe('not_allowed');
  });
});

test('a person who is removed takes their tokens along', async () => {
  const { secret } = await create(personSession, { name: 'left', scopes: ['runs:read'] });
  await kernel.db.prisma.person.updateMany({ where: { id: company.person.id }, data: { removedAt: clock.now() } });
  for (const token of [secret, personSession]) {
    const { errors } = await graphql(url, token, '{ viewer { kind } }');
    expect(errors![0]!.message).toBe('The person of this credential was removed.');
  }
  await kernel.db.prisma.person.updateMany({ where: { id: company.person.id }, data: { removedAt: null } });
});

describe('auditLog', () => {
  test('tells who did what, newest first', async () => {
    clock.advance(60_000);
    const { token } = await create(ceoSession, { name: 'told', scopes: ['runs:read'] });
    const made = clock.now().toISOString();
    clock.advance(1_000);
    await harness.data(ceoSession, REVOKE, { id: token.id });
    const { nodes } = await audited({ subject: token.id });
    const by = { id: expect.any(String), via: 'session', subjectId: token.id, person: company.ceo };
    expect(nodes).toEqual([
      { ...by, at: clock.now().toISOString(), action: 'token.revoked', details: { name: 'told', kind: 'API_TOKEN' } },
      { ...by, at: made, action: 'token.created', details: { name: 'told', scopes: ['runs:read'], expiresAt: null } },
    ]);
    expect((await audited(null, { first: 1 })).nodes).toEqual([nodes[0]]);
  });

  test('filters by action, person, object and time', async () => {
    const all = (await audited(null, { first: 200 })).nodes;
    const [first, last] = [all.at(-1), all[0]];
    const ids = async (filter: object) => (await audited(filter, { first: 200 })).nodes.map(({ id }: any) => id);
    const those = (fits: (entry: any) => boolean) => all.filter(fits).map(({ id }: any) => id);
    expect(await ids({ action: ['token.revoked', 'nothing'] })).toEqual(those(({ action }) => action === 'token.revoked'));
    expect(await ids({ person: company.person.id })).toEqual(those(({ person }) => person?.id === company.person.id));
    expect(await ids({ doneAfter: first.at, doneBefore: last.at })).toEqual(those(({ at }) => at > first.at && at < last.at));
    expect(await ids({ person: 'nobody' })).toEqual([]);
    expect(await ids({ subject: crypto.randomUUID() })).toEqual([]);
    expect(await ids({ person: company.person.id, action: [] })).toEqual([]);
  });

  test('by pages, of the own enterprise, by scope', async () => {
    const all = (await audited(null, { first: 200 })).nodes;
    const page = await audited(null, { first: 3 });
    const rest = await audited(null, { first: 200, after: page.pageInfo.endCursor });
    expect([...page.nodes, ...rest.nodes]).toEqual(all);
    expect((await harness.data(stranger.ceoSession, AUDIT, { filter: { subject: all[0].subjectId } })).auditLog.nodes).toEqual([]);
    expect(await refused(await makeToken(kernel, company, ['runs:read']), AUDIT, {})).toBe('scope_missing');
    expect((await harness.data(await makeToken(kernel, company, ['enterprise:read']), AUDIT, { first: 200 })).auditLog.nodes).toEqual(all);
  });

  test('holds each decision, with the token it came through', async () => {
    const run = await harness.run({ tools: ['os.ask_ceo'] });
    const questions = [{ number: 1, question: 'Which?', context: 'Red or blue.', ctoRecommendation: 'Red.' }];
    const { gate } = await harness.call(run.token, 'c', 'os.ask_ceo', { questions });
    await harness.decide(gate!, { decision: 'REJECT', note: 'No.' }, company.apiToken);
    const [{ action, via, person }] = (await audited({ subject: gate!.id })).nodes;
    expect([action, via, person]).toEqual(['gate.decided', 'token all', company.ceo]);
  });
});
