import { audit } from '../auth/audit.ts';
import { isScope, SCOPES, type Scope } from '../auth/scopes.ts';
import { issueToken, revokeToken } from '../auth/tokens.ts';
import { after, type Kernel } from '../kernel/kernel.ts';
import { ceoOf, chosenEnterprise, columns, daysIn, needed, parsed, personWith, UsageError } from './admin-arguments.ts';

const OPTIONS = { name: { type: 'string' }, scopes: { type: 'string' }, person: { type: 'string' }, days: { type: 'string' } } as const;
const DAY = 86_400_000;

/** `token list|create|revoke`. */
export async function tokenCommand(kernel: Kernel, args: string[]): Promise<string> {
  const { values, positionals } = parsed(args, OPTIONS);
  const [verb, id] = positionals;
  const enterpriseId = await chosenEnterprise(kernel.db.prisma, values.enterprise);
  if (verb === 'list') return list(kernel, enterpriseId);
  if (verb === 'create') return create(kernel, enterpriseId, values);
  if (verb === 'revoke') {
    await revokeToken(kernel, { operator: true, enterpriseId }, needed(id, 'The id of the token'));
    return `token ${id} is revoked.\n`;
  }
  throw new UsageError(verb === undefined ? 'token needs list, create or revoke.' : `token has no ${JSON.stringify(verb)}.`);
}

async function list({ db: { prisma }, now }: Kernel, enterpriseId: string) {
  const tokens = await prisma.token.findMany({
    where: { enterpriseId, kind: { in: ['API_TOKEN', 'SESSION', 'CHAT'] } },
    include: { person: true },
    orderBy: { id: 'asc' },
  });
  const cells = tokens.map((token) => [
    token.id,
    token.kind,
    token.name,
    token.person?.email ?? '',
    token.lastUsedAt?.toISOString() ?? 'never',
    stateOf(token, now()),
    token.scopes.length === SCOPES.length ? 'all' : token.scopes.join(','),
  ]);
  return columns(['id', 'kind', 'name', 'person', 'last used', 'state', 'scopes'], cells);
}

function stateOf({ revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null }, now: Date) {
  if (revokedAt) return 'revoked';
  if (expiresAt && expiresAt <= now) return 'expired';
  return expiresAt ? `until ${expiresAt.toISOString()}` : 'valid';
}

async function create(kernel: Kernel, enterpriseId: string, values: Partial<Record<keyof typeof OPTIONS, string>>) {
  const name = needed(values.name, '--name');
  const scopes = scopesIn(needed(values.scopes, '--scopes'));
  const { prisma } = kernel.db;
  const person = values.person === undefined ? await ceoOf(prisma, enterpriseId) : await personWith(prisma, enterpriseId, values.person);
  const createdAt = kernel.now();
  const expiresAt = values.days === undefined ? null : after(createdAt, daysIn(values.days, '--days') * DAY);
  const { id, secret } = await kernel.db.transaction(async (tx) => {
    const issued = await issueToken(tx, { enterpriseId, kind: 'API_TOKEN', name, scopes, personId: person.id, createdAt, expiresAt });
    const details = { name, scopes, person: person.name };
    await audit(tx, { operator: true, enterpriseId }, { action: 'token.created', subjectId: issued.id, at: createdAt, details });
    return issued;
  });
  return `token ${id}\n${secret}\nThe secret is shown this once.\n`;
}

function scopesIn(text: string): Scope[] {
  if (text === 'all') return [...SCOPES];
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0) throw new UsageError(`There is no scope ${unknown.join(', ')}: all, or any of ${SCOPES.join(', ')}.`);
  return [...new Set(names)] as Scope[];
}
