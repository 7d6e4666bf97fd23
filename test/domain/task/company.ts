import { pino } from 'pino';
import type { Caller } from '../../../src/auth/caller.ts';
import { issueToken } from '../../../src/auth/tokens.ts';
import type { Database } from '../../../src/db/database.ts';
import { addMember } from '../../../src/domain/company/add-member.ts';
import { addRole } from '../../../src/domain/company/add-role.ts';
import { addTeam } from '../../../src/domain/company/add-team.ts';
import { createEnterprise } from '../../../src/domain/company/create-enterprise.ts';
import type { SaveTaskInput } from '../../../src/domain/task/save-task.ts';
import { type Kernel, TIMING } from '../../../src/kernel/kernel.ts';
import type { Registry } from '../../../src/kernel/registry.ts';
import { Work } from '../../../src/kernel/work.ts';

export const NOW = new Date('2030-02-04T09:00:00.000Z');

/** A kernel without a service around it, whose clock stands at `NOW`. */
export const kernelOn = (db: Database, registry: Registry): Kernel => ({
  db,
  registry,
  timing: TIMING,
  now: () => NOW,
  processId: 'test',
  work: new Work(),
  publicUrl: 'http://localhost:4000',
  log: pino({ level: 'silent' }),
});

export interface TestCompany {
  enterpriseId: string;
  ceo: Caller;
  teamId: string;
  roleId: string;
  memberId: string;
}

/** A company of its own: the team `kitchen`, the role `cook`, and a member who holds it. */
export async function testCompany(kernel: Kernel): Promise<TestCompany> {
  const { prisma } = kernel.db;
  const founded = await createEnterprise(prisma, NOW, {
    name: 'Test Soup',
    timezone: 'Europe/Lisbon',
    ceo: { name: 'Clementine Ladle', email: 'clementine@test-soup.example' },
  });
  const { enterpriseId } = founded;
  const teamId = await addTeam(prisma, NOW, { enterpriseId, slug: 'kitchen', name: 'Kitchen', charter: 'Cooks.' });
  const roleId = await addRole(prisma, NOW, { enterpriseId, slug: 'cook', name: 'Cook' });
  const member = { enterpriseId, name: 'Pepper Mill', email: 'pepper@test-soup.example', persona: 'Tastes first.' };
  const memberId = await addMember(prisma, NOW, { ...member, roleIds: [roleId], teamIds: [teamId] });
  const person = { id: founded.ceoId, name: 'Clementine Ladle', isCeo: true };
  return { enterpriseId, ceo: await stored(kernel, callerOf(enterpriseId, { person })), teamId, roleId, memberId };
}

/** A session of the enterprise, unless told otherwise. */
export const callerOf = (enterpriseId: string, told: Partial<Caller>): Caller => ({
  kind: 'SESSION',
  tokenId: '0197a000-0000-7000-8000-00000000f00d',
  tokenName: 'portal',
  enterpriseId,
  scopes: [],
  person: null,
  run: null,
  expiresAt: null,
  ...told,
});

/** The caller with a credential in the database, as whoever acts is looked at again there. */
export async function stored({ db }: Kernel, caller: Caller): Promise<Caller> {
  const { enterpriseId, kind, tokenName, scopes, person } = caller;
  const token = { enterpriseId, kind, name: tokenName, scopes, personId: person?.id ?? null, createdAt: NOW };
  return { ...caller, tokenId: (await issueToken(db, token)).id };
}

let made = 0;

/** The least that can be saved, under a slug of its own. */
export const draft = (told: Partial<SaveTaskInput> = {}): SaveTaskInput => ({
  slug: `soup-${++made}`,
  name: 'Cook the soup',
  goal: 'Soup for everybody.',
  tools: [],
  ...told,
});
