import { audit } from '../../auth/audit.ts';
import { notFound } from '../../kernel/errors.ts';
import type { Kernel } from '../../kernel/kernel.ts';

/** How often a team looks back, and when it last did; what is left out stays. */
export interface RetroChange {
  /** Null: never, so that none is overdue. */
  retroEveryDays?: number | null;
  lastRetroAt?: Date;
}

/** States the retros of a team. @throws {ToolError} not_found */
export async function setRetro({ db, now }: Kernel, enterpriseId: string, slug: string, change: RetroChange) {
  return db.transaction(async (tx) => {
    const team = await tx.prisma.team.findFirst({ where: { enterpriseId, slug } });
    if (!team) throw notFound('team', slug);
    const row = await tx.prisma.team.update({ where: { id: team.id, enterpriseId }, data: change });
    const details = { retroEveryDays: row.retroEveryDays, lastRetroAt: row.lastRetroAt };
    await audit(tx, { operator: true, enterpriseId }, { action: 'team.retro_set', subjectId: row.id, at: now(), details });
    return row;
  });
}
