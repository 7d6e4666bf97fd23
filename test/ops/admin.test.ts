import { beforeAll, describe, expect, test } from 'vitest';
import { authenticate } from '../../src/auth/authenticate.ts';
import { SCOPES } from '../../src/auth/scopes.ts';
import { CompanyBlockers } from '../../src/domain/blocker/company-blockers.ts';
import { addTeam } from '../../src/domain/company/add-team.ts';
import type { Kernel } from '../../src/kernel/kernel.ts';
import { runAdmin, USAGE } from '../../src/ops/admin-commands.ts';
import { testKernel } from '../support/app.ts';

const kernel: Kernel = await testKernel();
const admin = (line: string, ...more: string[]) => runAdmin(kernel, [...line.split(' '), ...more]);
const enter = (secret: string) => authenticate(kernel.db, kernel.timing, secret, kernel.now());
let enterpriseId = '';

const founding = [
  '--name',
  'Quillon Lamps',
  '--timezone',
  'Europe/Lisbon',
  '--ceo-name',
  'Isolde Quillon',
  '--ceo-email',
  'isolde@quillon.example',
];

beforeAll(async () => {
  expect(await admin('person list')).toEqual({ code: 2, out: `There is no enterprise yet: create one first.\n\n${USAGE}` });
  const { code, out } = await admin('enterprise create', ...founding);
  expect(code).toBe(0);
  enterpriseId = out.match(/^enterprise (\S+)$/m)![1]!;
});

describe('enterprise', () => {
  test('list, and the switches', async () => {
    const row = (spend: string, drain: string) =>
      [
        `id${' '.repeat(36)}name           timezone       spend  drain`,
        `${enterpriseId}  Quillon Lamps  Europe/Lisbon  ${spend.padEnd(5)}  ${drain}`,
        '',
      ].join('\n');
    expect(await admin('enterprise list')).toEqual({ code: 0, out: row('on', 'off') });
    expect(await admin('enterprise --spend off --drain on')).toEqual({ code: 0, out: 'Quillon Lamps: spend off, drain on\n' });
    expect(await admin('enterprise list')).toEqual({ code: 0, out: row('off', 'on') });
    expect(await admin(`enterprise --spend on --drain off --enterprise ${enterpriseId}`)).toEqual({
      code: 0,
      out: 'Quillon Lamps: spend on, drain off\n',
    });
  });

  test('the switches and what credentials were made stand in the audit log', async () => {
    const entries = async () =>
      (await kernel.db.prisma.auditEntry.findMany({ where: { enterpriseId }, orderBy: { id: 'desc' }, take: 4 })).map((entry) => [
        ...[entry.action, entry.via, entry.details],
      ]);
    await admin(`enterprise --spend on --drain off --enterprise ${enterpriseId}`);
    expect((await entries()).slice(0, 2)).toEqual([
      ['enterprise.draining_set', 'operator', { on: false }],
      ['enterprise.spend_set', 'operator', { on: true }],
    ]);
    await admin(`credentials --enterprise ${enterpriseId}`);
    expect((await entries()).slice(0, 3)).toEqual([
      ['token.created', 'operator', { kind: 'API_TOKEN', name: 'worker', scopes: ['runs:work'] }],
      ['token.created', 'operator', { kind: 'API_TOKEN', name: 'all scopes', scopes: [...SCOPES] }],
      ['token.created', 'operator', { kind: 'SESSION', name: "the CEO's session" }],
    ]);
  });

  test.each([
    ['enterprise', 'enterprise needs list, create, --spend or --drain.'],
    ['enterprise --spend maybe', '--spend is on or off, not "maybe".'],
    ['enterprise sell', 'enterprise has no "sell".'],
    ['enterprise create --name x', '--timezone is missing.'],
    ['tier', 'tier needs list or set.'],
    ['tier set large', 'tier set needs --key or --exhausted-until.'],
    ['tier set large --key maybe', '--key is on or off, not "maybe".'],
    [
      'tier set large --exhausted-until soon',
      '--exhausted-until is a date or a time such as 2031-05-04T09:30:00Z, of the years 1970–9998, or never, not "soon".',
    ],
    ['team', 'team needs list or retro.'],
    ['team retro lamps', 'team retro needs --every or --held.'],
    ['team retro lamps --every 0', '--every is a whole number from 1 to 99999, or off, not "0".'],
    [
      'team retro lamps --held 2031-02-30',
      '--held is a date or a time such as 2031-05-04T09:30:00Z, of the years 1970–9998, not "2031-02-30".',
    ],
    ['person', 'person needs list, add, ceo or remove.'],
    ['token create --name x --scopes runs:all', `There is no scope runs:all: all, or any of ${SCOPES.join(', ')}.`],
    ['token create --name x --scopes runs:read --days 0', '--days is a whole number from 1 to 99999, not "0".'],
    ['token revoke', 'The id of the token is missing.'],
    ['fire everybody', 'There is no command "fire".'],
    ['constructor', 'There is no command "constructor".'],
  ])('%s is not understood', async (line, message) => {
    expect(await admin(line)).toEqual({ code: 2, out: `${message}\n\n${USAGE}` });
  });

  test('an option that a command does not have is named', async () => {
    const { code, out } = await admin('token list --colour red');
    expect([code, out.split('\n')[0]]).toEqual([2, expect.stringContaining("Unknown option '--colour'")]);
  });

  test('an unknown enterprise and an unknown time zone are refused', async () => {
    expect(await admin('person list --enterprise nowhere')).toEqual({
      code: 1,
      out: 'There is no enterprise "nowhere": see enterprise list.\n',
    });
    const there = await admin('enterprise create --name x --timezone Mars/North --ceo-name y --ceo-email z@z.example');
    expect([there.code, there.out]).toEqual([1, expect.stringContaining('"Mars/North"')]);
  });
});

describe('what Blockers looks at', () => {
  const blockers = () => new CompanyBlockers(kernel.db, enterpriseId, kernel.now());

  test('the model tiers that there are, and their capacity', async () => {
    expect(await admin('tier set large --key on')).toEqual({ code: 0, out: 'large: key on\n' });
    const told = await admin('tier set small --exhausted-until 2999-05-04T09:30:00+02:00');
    expect(told).toEqual({ code: 0, out: 'small: key off, exhausted until 2999-05-04T07:30:00.000Z\n' });
    expect(await blockers().exhaustedLlmCapacity()).toEqual([{ tier: 'small', until: new Date('2999-05-04T07:30:00Z') }]);
    const rows = ['tier   key  exhausted until', 'large  on', 'small  off  2999-05-04T07:30:00.000Z', ''];
    expect(await admin('tier list')).toEqual({ code: 0, out: rows.join('\n') });
    expect(await admin('tier set small --key on --exhausted-until never')).toEqual({ code: 0, out: 'small: key on\n' });
    expect(await blockers().exhaustedLlmCapacity()).toEqual([]);
    expect(await admin('tier set', ' ', '--key', 'on')).toEqual({ code: 2, out: `The name of the tier is missing.\n\n${USAGE}` });
  });

  test('how often a team looks back', async () => {
    await addTeam(kernel.db.prisma, kernel.now(), { enterpriseId, slug: 'lamps', name: 'Lamps', charter: 'Light.' });
    const told = await admin('team retro lamps --every 7 --held 2031-05-04');
    expect(told).toEqual({ code: 0, out: 'Lamps: retro every 7 days, last held 2031-05-04T00:00:00.000Z\n' });
    await admin('team retro lamps --held 2021-05-04');
    const dueAt = new Date('2021-05-11T00:00:00Z');
    expect(await blockers().overdueRetro()).toMatchObject([{ team: { slug: 'lamps' }, everyDays: 7, dueAt }]);
    expect(await admin('team retro lamps --every off')).toMatchObject({ out: expect.stringMatching(/^Lamps: retro off, /) });
    expect(await blockers().overdueRetro()).toEqual([]);
    const rows = ['slug   name   lead  retro  last held', 'lamps  Lamps        off    2021-05-04T00:00:00.000Z', ''];
    expect(await admin('team list')).toEqual({ code: 0, out: rows.join('\n') });
    expect(await admin('team retro wicks --every 7')).toMatchObject({ code: 1 });
  });
});

describe('person', () => {
  test('added, listed, made CEO, removed with what they held', async () => {
    const added = await admin('person add --email edmund@quillon.example --name', 'Edmund Wick');
    expect(added).toEqual({ code: 0, out: expect.stringMatching(/^person [0-9a-f-]{36}\n$/) });
    const { out } = await admin('token create --name desk --scopes runs:read --person edmund@quillon.example');
    const secret = out.split('\n')[1]!;
    expect((await enter(secret)).person!.name).toBe('Edmund Wick');
    expect(await admin('person ceo edmund@quillon.example')).toEqual({ code: 0, out: 'Edmund Wick is the CEO now.\n' });
    expect((await admin('person list')).out).toMatch(
      /Isolde Quillon\s+isolde@quillon\.example\n.*Edmund Wick\s+edmund@quillon\.example\s+CEO\n/,
    );
    expect(await admin('person remove edmund@quillon.example')).toEqual({
      code: 1,
      out: 'Edmund Wick is the CEO: hand the office over first, with person ceo <address>.\n',
    });
    await admin('person ceo isolde@quillon.example');
    expect((await admin('person remove edmund@quillon.example')).code).toBe(0);
    await expect(enter(secret)).rejects.toThrow('The person of this credential was removed.');
    expect(await admin('person add --name E --email edmund@quillon.example')).toEqual({
      code: 1,
      out: 'edmund@quillon.example belonged to Edmund Wick, who was removed: use another address.\n',
    });
    expect((await admin('person remove edmund@quillon.example')).code).toBe(1);
  });

  test('a second CEO and an address in use are refused', async () => {
    expect(await admin('person add --name Nell --email nell@quillon.example --ceo')).toEqual({
      code: 1,
      out: 'Nell cannot be added: the enterprise has a CEO already.\n',
    });
    expect((await admin('person add --name Nell --email isolde@quillon.example')).code).toBe(1);
  });
});

describe('token', () => {
  test('created with scopes and an end, listed, revoked', async () => {
    const { out } = await admin('token create --name reports --scopes runs:read,gates:read --days 2');
    const [, id] = out.match(/^token (\S+)\n/)!;
    const caller = await enter(out.split('\n')[1]!);
    expect([caller.tokenId, caller.scopes, caller.person!.name]).toEqual([id, ['runs:read', 'gates:read'], 'Isolde Quillon']);
    expect(Math.round((caller.expiresAt!.getTime() - kernel.now().getTime()) / 3_600_000)).toBe(48);
    const line = async () => (await admin('token list')).out.split('\n').find((text) => text.startsWith(id!))!;
    expect(await line()).toMatch(/API_TOKEN\s+reports\s+isolde@quillon\.example\s+never\s+until \S+Z\s+runs:read,gates:read$/);
    expect(await admin(`token revoke ${id}`)).toEqual({ code: 0, out: `token ${id} is revoked.\n` });
    expect(await line()).toMatch(/\s+revoked\s+/);
    const audited = await kernel.db.prisma.auditEntry.findMany({ where: { subjectId: id }, orderBy: { id: 'asc' } });
    expect(audited.map(({ action, via }) => [action, via])).toEqual([
      ['token.created', 'operator'],
      ['token.revoked', 'operator'],
    ]);
  });
});

describe('credentials', () => {
  test('a CEO session, an API token with all scopes, a worker token', async () => {
    const { code, out, credentials, write } = await admin('credentials --write kept.json');
    expect([code, write]).toEqual([0, 'kept.json']);
    const { ceoSession, apiToken, workerToken } = credentials!;
    expect(out).toBe(
      `Credentials of Isolde Quillon, the CEO of ${enterpriseId}:\n  ceoSession   ${ceoSession}\n  apiToken     ${apiToken}\n  workerToken  ${workerToken}\n`,
    );
    const callers = await Promise.all([ceoSession, apiToken, workerToken].map(enter));
    expect(callers.map(({ kind, scopes, person, expiresAt }) => [kind, scopes, person!.isCeo, expiresAt])).toEqual([
      ['SESSION', [], true, null],
      ['API_TOKEN', [...SCOPES], true, null],
      ['API_TOKEN', ['runs:work'], true, null],
    ]);
  });

  test('seed makes the sample company beside the others, once', async () => {
    const [first, second] = [await admin('seed'), await admin('seed')];
    expect([first.code, second.code]).toEqual([0, 0]);
    expect((await enter(first.credentials!.ceoSession)).enterpriseId).toBe((await enter(second.credentials!.ceoSession)).enterpriseId);
    expect(await kernel.db.prisma.enterprise.count()).toBe(2);
    expect((await admin('person list')).code).toBe(2); // which of the two?
  });
});

test('restored begins a new epoch of event cursors', async () => {
  const before = await kernel.db.prisma.eventEpoch.findFirstOrThrow();
  expect(await admin('restored')).toEqual({
    code: 0,
    out: 'Event cursors from before are now answered with cursor_expired: clients load anew.\n',
  });
  const { epoch, home } = await kernel.db.prisma.eventEpoch.findFirstOrThrow();
  expect(epoch).not.toBe(before.epoch);
  expect(home).toBe(before.home);
  expect((await admin('restored now')).code).toBe(2);
});
