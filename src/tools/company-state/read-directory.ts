import type { z } from 'zod';
import { directory } from '../../domain/company/directory.ts';
import type { CallContext } from '../../kernel/define.ts';
import type { DirectoryInput, DirectoryOutput } from './directory-schemas.ts';
import { fitSections } from './fit-rows.ts';

type Directory = z.infer<typeof DirectoryOutput>;

/** Who works in the company, or in one team; to a run what fits in one answer. @throws {ToolError} not_found */
export async function readDirectory({ tx, enterpriseId, run }: CallContext, { team }: z.infer<typeof DirectoryInput>): Promise<Directory> {
  const found = await directory(tx, enterpriseId, team ?? null);
  if (!run) return found;
  const { teams, members } = found;
  return fitSections({ teams: { rows: teams, total: teams.length }, members: { rows: members, total: members.length } }, {}) as Directory;
}
