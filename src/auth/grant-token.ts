import { z } from 'zod';
import { ToolError } from '../kernel/errors.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { invalidArguments, parseInput } from '../kernel/parse-input.ts';
import { audit } from './audit.ts';
import { callerNow } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { isScope, mayUse, SCOPES, type Scope } from './scopes.ts';
import { issueToken } from './tokens.ts';

const Wanted = z.strictObject({
  name: z.string().trim().min(1).max(200),
  scopes: z.array(z.string()).min(1).max(100),
  expiresAt: z.date().nullish(),
});

/**
 * Issues an API token in the name of the person whose session asks, with scopes that this person has. The secret is in the
 * answer alone.
 * @throws {ToolError} invalid_arguments; not_allowed for another credential than a session, or a scope that the person lacks
 */
export async function grantToken(kernel: Kernel, caller: Caller, raw: unknown): Promise<{ id: string; secret: string }> {
  const { person, enterpriseId } = caller;
  if (caller.kind !== 'SESSION' || !person) throw new ToolError('not_allowed', 'A token is granted by a person, in a session.');
  const { name, scopes: named, expiresAt = null } = parseInput(Wanted, raw);
  const createdAt = kernel.now();
  if (expiresAt && expiresAt <= createdAt) throw invalidArguments([{ path: 'expiresAt', message: 'must be in the future' }]);
  const scopes = [...new Set(knownScopes(named))];
  return kernel.db.transaction(async (tx) => {
    requireAll(await callerNow(tx, kernel, caller), scopes);
    const token = { enterpriseId, kind: 'API_TOKEN', name, scopes, personId: person.id, createdAt, expiresAt } as const;
    const issued = await issueToken(tx, token);
    const details = { name, scopes, expiresAt: expiresAt?.toISOString() ?? null };
    await audit(tx, caller, { action: 'token.created', subjectId: issued.id, at: createdAt, details });
    return issued;
  });
}

function requireAll(caller: Caller, scopes: Scope[]): void {
  const beyond = scopes.filter((scope) => !mayUse(caller, scope));
  if (beyond.length === 0) return;
  throw new ToolError('not_allowed', `${caller.person?.name} cannot grant what they may not do themselves: ${beyond.join(', ')}.`, {
    scopes: beyond,
  });
}

function knownScopes(names: string[]): Scope[] {
  const issues = names.flatMap((name, index) =>
    isScope(name)
      ? []
      : [{ path: `scopes[${index}]`, message: `there is no scope ${JSON.stringify(name.slice(0, 100))}; there are ${SCOPES.join(', ')}` }],
  );
  if (issues.length > 0) throw invalidArguments(issues);
  return names as Scope[];
}
