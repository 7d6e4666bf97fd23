import { type ModelTierChange, setModelTier } from '../domain/company/model-tiers.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { chosenEnterprise, columns, needed, onOff, parsed, timeIn, toggle, UsageError } from './admin-arguments.ts';

const OPTIONS = { key: { type: 'string' }, 'exhausted-until': { type: 'string' } } as const;

/** `tier list`, `tier set <tier> …`: what the enterprise has of each tier of models. */
export async function tierCommand(kernel: Kernel, args: string[]): Promise<string> {
  const { values, positionals } = parsed(args, OPTIONS);
  const [verb, name] = positionals;
  const enterpriseId = await chosenEnterprise(kernel.db.prisma, values.enterprise);
  if (verb === 'list') return list(kernel, enterpriseId);
  if (verb === 'set') return set(kernel, enterpriseId, needed(name, 'The name of the tier'), values);
  throw new UsageError(verb === undefined ? 'tier needs list or set.' : `tier has no ${JSON.stringify(verb)}.`);
}

async function list({ db: { prisma } }: Kernel, enterpriseId: string) {
  const tiers = await prisma.modelTier.findMany({ where: { enterpriseId }, orderBy: { tier: 'asc' } });
  const cells = tiers.map(({ tier, hasKey, exhaustedUntil }) => [tier, onOff(hasKey), exhaustedUntil?.toISOString() ?? '']);
  return columns(['tier', 'key', 'exhausted until'], cells);
}

async function set(kernel: Kernel, enterpriseId: string, name: string, values: Partial<Record<keyof typeof OPTIONS, string>>) {
  const [hasKey, until] = [toggle(values.key, '--key'), values['exhausted-until']];
  if (hasKey === undefined && until === undefined) throw new UsageError('tier set needs --key or --exhausted-until.');
  const change: ModelTierChange = {
    ...(hasKey !== undefined && { hasKey }),
    ...(until !== undefined && { exhaustedUntil: until === 'never' ? null : timeIn(until, '--exhausted-until', ', or never') }),
  };
  const { tier, exhaustedUntil, ...row } = await setModelTier(kernel, enterpriseId, name, change);
  return `${tier}: key ${onOff(row.hasKey)}${exhaustedUntil ? `, exhausted until ${exhaustedUntil.toISOString()}` : ''}\n`;
}
