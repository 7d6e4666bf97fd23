import { audit } from '../../auth/audit.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { storedText } from './company-text.ts';

/** What the operator says of a tier of models; what is left out stays. */
export interface ModelTierChange {
  hasKey?: boolean;
  /** Until when its capacity is used up; null: it is not. */
  exhaustedUntil?: Date | null;
}

/** States what an enterprise has of a tier of models, one that nobody named before included. @throws {ToolError} invalid_arguments for a name that cannot be */
export async function setModelTier({ db, now }: Kernel, enterpriseId: string, name: string, change: ModelTierChange) {
  const tier = storedText('model tier', name, 100);
  return db.transaction(async (tx) => {
    const where = { enterpriseId_tier: { enterpriseId, tier } };
    const row = await tx.prisma.modelTier.upsert({ where, create: { enterpriseId, tier, ...change }, update: change });
    const details = { tier, hasKey: row.hasKey, exhaustedUntil: row.exhaustedUntil };
    await audit(tx, { operator: true, enterpriseId }, { action: 'enterprise.model_tier_set', subjectId: enterpriseId, at: now(), details });
    return row;
  });
}
