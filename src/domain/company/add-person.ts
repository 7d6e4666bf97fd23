import { v7 } from 'uuid';
import type { Prisma } from '../../db/database.ts';
import { ToolError } from '../../kernel/errors.ts';
import { storedEmail, storedText } from './company-text.ts';

/** A person to be, of one enterprise. */
export interface NewPerson {
  enterpriseId: string;
  name: string;
  email: string;
  isCeo?: boolean;
}

/**
 * Adds a person and answers the id.
 * @throws {ToolError} invalid_arguments for a name or address that cannot be, an address in use, or a second CEO
 */
export async function addPerson(prisma: Prisma, now: Date, wanted: NewPerson): Promise<string> {
  const { enterpriseId, isCeo = false } = wanted;
  const [id, name, email] = [v7(), storedText('name of the person', wanted.name), storedEmail(wanted.email)];
  // A duplicate is skipped, not raised: an error would end the transaction that this may be part of.
  const { count } = await prisma.person.createMany({
    data: { id, enterpriseId, name, email, isCeo, createdAt: now },
    skipDuplicates: true,
  });
  if (count === 1) return id;
  const namesake = await prisma.person.findFirst({ where: { enterpriseId, email } });
  const why = namesake ? `${namesake.name} has the address ${email} already` : 'the enterprise has a CEO already';
  throw new ToolError('invalid_arguments', `${name} cannot be added: ${why}.`);
}
