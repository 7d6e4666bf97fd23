import { SCOPES } from '../../src/auth/scopes.ts';
import { issueToken } from '../../src/auth/tokens.ts';
import { addMember } from '../../src/domain/company/add-member.ts';
import { addPerson } from '../../src/domain/company/add-person.ts';
import { addRole } from '../../src/domain/company/add-role.ts';
import { createEnterprise } from '../../src/domain/company/create-enterprise.ts';
import type { Kernel } from '../../src/kernel/kernel.ts';

/** A small enterprise and the secrets of its credentials. */
export interface Company {
  enterpriseId: string;
  ceo: { id: string; name: string };
  /** A person who is not the CEO. */
  person: { id: string; name: string };
  /** Holds the role `maker`. */
  member: { id: string; name: string };
  roleId: string;
  /** The CEO's session, and the id of its token. */
  ceoSession: string;
  ceoSessionId: string;
  /** The other person's session. */
  personSession: string;
  /** All scopes, granted by the CEO. */
  apiToken: string;
  /** `runs:work` alone, granted by the CEO. */
  workerToken: string;
}

/** Makes an enterprise with a CEO, a second person, and a member who holds the role `maker`. */
export async function makeCompany({ db, now }: Pick<Kernel, 'db' | 'now'>, name = 'Test Kites'): Promise<Company> {
  const [ceo, person, member] = ['Cleo Kite', 'Paul Paper', 'Mia Maker'];
  const at = now();
  return db.transaction(async (tx) => {
    const { prisma } = tx;
    const founded = await createEnterprise(prisma, at, {
      name,
      timezone: 'Europe/Lisbon',
      ceo: { name: ceo, email: 'cleo@kites.example' },
    });
    const { enterpriseId, ceoId } = founded;
    const personId = await addPerson(prisma, at, { enterpriseId, name: person, email: 'paul@kites.example' });
    const roleId = await addRole(prisma, at, { enterpriseId, slug: 'maker', name: 'Maker' });
    const memberId = await addMember(prisma, at, {
      enterpriseId,
      name: member,
      email: 'mia@kites.example',
      persona: 'Careful.',
      roleIds: [roleId],
    });
    const issue = (kind: 'SESSION' | 'API_TOKEN', tokenName: string, whose: string, scopes: readonly string[] = []) =>
      issueToken(tx, { enterpriseId, kind, name: tokenName, scopes, personId: whose, createdAt: at });
    const token = async (...wanted: Parameters<typeof issue>) => (await issue(...wanted)).secret;
    const session = await issue('SESSION', 'portal', ceoId);
    return {
      enterpriseId,
      ceo: { id: ceoId, name: ceo },
      person: { id: personId, name: person },
      member: { id: memberId, name: member },
      roleId,
      ceoSession: session.secret,
      ceoSessionId: session.id,
      personSession: await token('SESSION', 'portal', personId),
      apiToken: await token('API_TOKEN', 'all', ceoId, SCOPES),
      workerToken: await token('API_TOKEN', 'worker', ceoId, ['runs:work']),
    };
  });
}

/** A further token of a company's person; `personId` defaults to the CEO. */
export async function makeToken(
  { db, now }: Pick<Kernel, 'db' | 'now'>,
  { enterpriseId, ceo }: Company,
  scopes: string[],
  personId = ceo.id,
) {
  return (await issueToken(db, { enterpriseId, kind: 'API_TOKEN', name: scopes.join(' '), scopes, personId, createdAt: now() })).secret;
}
