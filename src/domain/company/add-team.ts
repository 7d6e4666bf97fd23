import { v7 } from 'uuid';
import type { Prisma } from '../../db/database.ts';
import { ToolError } from '../../kernel/errors.ts';
import { storedSlug, storedText } from './company-text.ts';

/** A team to be. `leadId` names a member of the enterprise. */
export interface NewTeam {
  enterpriseId: string;
  slug: string;
  name: string;
  charter: string;
  leadId?: string;
}

/** Adds a team and answers the id. @throws {ToolError} invalid_arguments for a text that cannot be, or a slug in use */
export async function addTeam(prisma: Prisma, now: Date, wanted: NewTeam): Promise<string> {
  const { enterpriseId, leadId = null } = wanted;
  const [id, slug, name] = [v7(), storedSlug(wanted.slug), storedText('name of the team', wanted.name)];
  const charter = storedText('charter', wanted.charter, 20_000);
  const data = { id, enterpriseId, slug, name, charter, leadId, createdAt: now };
  const { count } = await prisma.team.createMany({ data, skipDuplicates: true });
  if (count === 0) throw new ToolError('invalid_arguments', `There is a team ${JSON.stringify(slug)} already.`);
  return id;
}
