import { v7 } from 'uuid';
import type { Prisma } from '../../db/database.ts';
import { ToolError } from '../../kernel/errors.ts';
import { storedSlug, storedText } from './company-text.ts';

/** A role to be. */
export interface NewRole {
  enterpriseId: string;
  slug: string;
  name: string;
}

/** Adds a role and answers the id. @throws {ToolError} invalid_arguments for a text that cannot be, or a slug in use */
export async function addRole(prisma: Prisma, now: Date, wanted: NewRole): Promise<string> {
  const { enterpriseId } = wanted;
  const [id, slug, name] = [v7(), storedSlug(wanted.slug), storedText('name of the role', wanted.name)];
  const { count } = await prisma.role.createMany({ data: { id, enterpriseId, slug, name, createdAt: now }, skipDuplicates: true });
  if (count === 0) throw new ToolError('invalid_arguments', `There is a role ${JSON.stringify(slug)} already.`);
  return id;
}
