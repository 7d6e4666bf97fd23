import { type RetroChange, setRetro } from '../domain/company/retros.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { chosenEnterprise, columns, daysIn, needed, parsed, timeIn, UsageError } from './admin-arguments.ts';

const OPTIONS = { every: { type: 'string' }, held: { type: 'string' } } as const;

/** `team list`, `team retro <slug> …`: how often each team looks back. */
export async function teamCommand(kernel: Kernel, args: string[]): Promise<string> {
  const { values, positionals } = parsed(args, OPTIONS);
  const [verb, slug] = positionals;
  const enterpriseId = await chosenEnterprise(kernel.db.prisma, values.enterprise);
  if (verb === 'list') return list(kernel, enterpriseId);
  if (verb === 'retro') return retro(kernel, enterpriseId, needed(slug, 'The slug of the team'), values);
  throw new UsageError(verb === undefined ? 'team needs list or retro.' : `team has no ${JSON.stringify(verb)}.`);
}

async function list({ db: { prisma } }: Kernel, enterpriseId: string) {
  const teams = await prisma.team.findMany({ where: { enterpriseId }, include: { lead: true }, orderBy: { slug: 'asc' } });
  const cells = teams.map((team) => [team.slug, team.name, team.lead?.name ?? '', every(team), team.lastRetroAt?.toISOString() ?? 'never']);
  return columns(['slug', 'name', 'lead', 'retro', 'last held'], cells);
}

async function retro(kernel: Kernel, enterpriseId: string, slug: string, { every: days, held }: { every?: string; held?: string }) {
  if (days === undefined && held === undefined) throw new UsageError('team retro needs --every or --held.');
  const change: RetroChange = {
    ...(days !== undefined && { retroEveryDays: days === 'off' ? null : daysIn(days, '--every', ', or off') }),
    ...(held !== undefined && { lastRetroAt: timeIn(held, '--held') }),
  };
  const team = await setRetro(kernel, enterpriseId, slug, change);
  return `${team.name}: retro ${every(team)}, last held ${team.lastRetroAt?.toISOString() ?? 'never'}\n`;
}

const every = ({ retroEveryDays: days }: { retroEveryDays: number | null }) => (days === null ? 'off' : `every ${days} days`);
