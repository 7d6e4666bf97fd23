import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { addMember } from '../../../src/domain/company/add-member.ts';
import { addPerson } from '../../../src/domain/company/add-person.ts';
import { addRole } from '../../../src/domain/company/add-role.ts';
import { addTeam } from '../../../src/domain/company/add-team.ts';
import { createEnterprise } from '../../../src/domain/company/create-enterprise.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

const NOW = new Date('2030-02-04T09:00:00.000Z');
const CEO = { name: ' Clementine Ladle ', email: 'Clementine@Test-Soup.example' };

let home: TestDatabase;
let db: Database;
let enterpriseId: string;

beforeAll(async () => {
  home = await testDatabase();
  db = await openDatabase({ url: home.url });
  enterpriseId = (await createEnterprise(db.prisma, NOW, { name: 'Test Soup', timezone: 'Europe/Lisbon', ceo: CEO })).enterpriseId;
});
afterAll(async () => {
  await db.close();
  await home.drop();
});

describe('an enterprise', () => {
  it('begins with its CEO and its event counter', async () => {
    const found = await db.prisma.enterprise.findFirst({ where: { id: enterpriseId }, include: { people: true, eventCounter: true } });
    expect(found).toEqual({
      id: enterpriseId,
      name: 'Test Soup',
      timezone: 'Europe/Lisbon',
      spendEnabled: true,
      draining: false,
      createdAt: NOW,
      people: [
        {
          id: found!.people[0]!.id,
          enterpriseId,
          name: 'Clementine Ladle',
          email: 'clementine@test-soup.example',
          isCeo: true,
          removedAt: null,
          createdAt: NOW,
        },
      ],
      eventCounter: { enterpriseId, last: 0n },
    });
  });

  it.each([
    [{ timezone: 'Europe/Soup' }, 'There is no time zone "Europe/Soup": give an IANA name, such as Europe/Lisbon.'],
    [{ name: '  ' }, 'The name of the enterprise has 0 characters, and may have 1 to 200.'],
    [
      { name: 'a\0b' },
      'The name of the enterprise contains a NUL character, which cannot be stored: leave it out; sent was the text "a\\u0000b".',
    ],
    [{ ceo: { ...CEO, email: 'clementine' } }, '"clementine" is no e-mail address.'],
  ])('is refused: %j', async (told, message) => {
    const wanted = { name: 'Soup', timezone: 'UTC', ceo: CEO, ...told };
    await expect(createEnterprise(db.prisma, NOW, wanted)).rejects.toMatchObject({ code: 'invalid_arguments', message });
  });
});

describe('what is taken', () => {
  const refused = (message: string) => expect.objectContaining({ code: 'invalid_arguments', message });

  it('an address, and the office of the CEO', async () => {
    const person = { enterpriseId, name: 'Basil', email: 'basil@test-soup.example' };
    await addPerson(db.prisma, NOW, person);
    await expect(addPerson(db.prisma, NOW, { ...person, name: 'Basil II', email: 'BASIL@test-soup.example' })).rejects.toEqual(
      refused('Basil II cannot be added: Basil has the address basil@test-soup.example already.'),
    );
    await expect(addPerson(db.prisma, NOW, { ...person, email: 'b2@test-soup.example', isCeo: true })).rejects.toEqual(
      refused('Basil cannot be added: the enterprise has a CEO already.'),
    );
  });

  it('a slug and a member address, without harm to the transaction', async () => {
    await db.transaction(async ({ prisma }) => {
      const roleId = await addRole(prisma, NOW, { enterpriseId, slug: 'cook', name: 'Cook' });
      const teamId = await addTeam(prisma, NOW, { enterpriseId, slug: 'kitchen', name: 'Kitchen', charter: 'Cooks.' });
      const member = {
        enterpriseId,
        name: 'Pepper',
        email: 'pepper@test-soup.example',
        persona: 'Tastes.',
        roleIds: [roleId],
        teamIds: [teamId],
      };
      await addMember(prisma, NOW, member);
      await expect(addRole(prisma, NOW, { enterpriseId, slug: 'cook', name: 'Cook' })).rejects.toEqual(
        refused('There is a role "cook" already.'),
      );
      await expect(addTeam(prisma, NOW, { enterpriseId, slug: 'kitchen', name: 'K', charter: 'C' })).rejects.toEqual(
        refused('There is a team "kitchen" already.'),
      );
      await expect(addMember(prisma, NOW, member)).rejects.toEqual(refused('A member has the address pepper@test-soup.example already.'));
    });
    const stored = await db.prisma.member.findFirstOrThrow({ where: { enterpriseId }, include: { roles: true, teams: true } });
    expect([stored.name, stored.roles.length, stored.teams.length]).toEqual(['Pepper', 1, 1]);
  });
});
