import { ToolError } from '../kernel/errors.ts';
import type { Caller } from './caller.ts';

/** What a person can let an API token do. */
export const SCOPES = [
  'tools:read',
  'members:read',
  'members:write',
  'enterprise:read',
  'enterprise:write',
  'teams:read',
  'teams:write',
  'roles:read',
  'roles:write',
  'kpis:read',
  'kpis:write',
  'chats:read',
  'chats:write',
  'blockers:read',
  'gates:read',
  'gates:decide',
  'tasks:read',
  'tasks:write',
  'runs:read',
  'runs:write',
  'runs:work',
  'bindings:read',
  'bindings:write',
  'mail:deliver',
] as const;

export type Scope = (typeof SCOPES)[number];

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);

/** Whether a caller has what the scope stands for: a token by being granted it, a person by their office. */
export function mayUse({ kind, scopes, person }: Caller, scope: Scope): boolean {
  if (kind === 'API_TOKEN') return scopes.includes(scope);
  return kind === 'SESSION' && (scope.endsWith(':read') || person?.isCeo === true);
}

/**
 * Lets the caller pass if it may do what the scope stands for: a session reads everything of its enterprise and writes
 * as the CEO; an API token does what its scopes say; runs and chats have no scopes.
 * @throws {ToolError} `scope_missing` naming the scope; `not_allowed`
 */
export function requireScope(caller: Caller, scope: Scope): void {
  if (mayUse(caller, scope)) return;
  if (caller.kind === 'API_TOKEN') {
    throw new ToolError('scope_missing', `The token ${JSON.stringify(caller.tokenName)} lacks the scope ${scope}.`, { scope });
  }
  if (caller.kind !== 'SESSION') {
    const who = caller.kind === 'RUN' ? 'A run token' : 'The chat agent';
    throw new ToolError('not_allowed', `${who} may not do this: it takes a session, or an API token with the scope ${scope}.`);
  }
  throw new ToolError('not_allowed', `Only the CEO's session may do this: ${caller.person?.name ?? 'the caller'} is not the CEO.`);
}
