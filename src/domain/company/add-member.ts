import { v7 } from 'uuid';
import type { Prisma } from '../../db/database.ts';
import { ToolError } from '../../kernel/errors.ts';
import { storedEmail, storedText } from './company-text.ts';

/** An AI employee to be, with the roles that the member holds and the teams that the member is in. */
export interface NewMember {
  enterpriseId: string;
  name: string;
  email: string;
  persona: string;
  roleIds?: string[];
  teamIds?: string[];
}

/**
 * Adds a member and answers the id. Call it in a transaction: roles and teams are written after the member.
 * @throws {ToolError} invalid_arguments for a text that cannot be, or an address in use
 */
export async function addMember(prisma: Prisma, now: Date, wanted: NewMember): Promise<string> {
  const { enterpriseId, roleIds = [], teamIds = [] } = wanted;
  const [id, name, email] = [v7(), storedText('name of the member', wanted.name), storedEmail(wanted.email)];
  const persona = storedText('persona', wanted.persona, 20_000);
  const { count } = await prisma.member.createMany({
    data: { id, enterpriseId, name, email, persona, createdAt: now },
    skipDuplicates: true,
  });
  if (count === 0) throw new ToolError('invalid_arguments', `A member has the address ${email} already.`);
  await prisma.memberRole.createMany({ data: roleIds.map((roleId) => ({ enterpriseId, memberId: id, roleId })) });
  await prisma.memberTeam.createMany({ data: teamIds.map((teamId) => ({ enterpriseId, memberId: id, teamId })) });
  return id;
}
