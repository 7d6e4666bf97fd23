import { expect, test } from 'vitest';
import type { Caller } from '../../src/auth/caller.ts';
import { requireScope, SCOPES, type Scope } from '../../src/auth/scopes.ts';
import type { ToolError } from '../../src/kernel/errors.ts';

const caller = (kind: Caller['kind'], { scopes = [], isCeo = false }: { scopes?: Scope[]; isCeo?: boolean } = {}): Caller => ({
  kind,
  tokenId: 't',
  tokenName: 'ledger',
  enterpriseId: 'e',
  scopes,
  person: kind === 'RUN' ? null : { id: 'p', name: 'Edmund Wick', isCeo },
  run: kind === 'RUN' ? { id: 'r', attempt: 1 } : null,
  expiresAt: null,
});

/** `passes`, or the code of the refusal. */
function outcome(who: Caller, scope: Scope) {
  try {
    requireScope(who, scope);
    return 'passes';
  } catch (error) {
    return (error as ToolError).code;
  }
}

test('the scopes, in order', () => {
  expect(SCOPES.join(' ')).toBe(
    'tools:read members:read members:write enterprise:read enterprise:write teams:read teams:write roles:read roles:write ' +
      'kpis:read kpis:write chats:read chats:write blockers:read gates:read gates:decide tasks:read tasks:write ' +
      'runs:read runs:write runs:work bindings:read bindings:write mail:deliver',
  );
});

test.each(SCOPES)('%s: every kind of caller', (scope) => {
  const reads = scope.endsWith(':read');
  expect({
    'token with it': outcome(caller('API_TOKEN', { scopes: [scope] }), scope),
    'token with all others': outcome(caller('API_TOKEN', { scopes: SCOPES.filter((other) => other !== scope), isCeo: true }), scope),
    "the CEO's session": outcome(caller('SESSION', { isCeo: true }), scope),
    'another session': outcome(caller('SESSION'), scope),
    run: outcome(caller('RUN', { scopes: [scope] }), scope),
    chat: outcome(caller('CHAT', { scopes: [scope], isCeo: true }), scope),
  }).toEqual({
    'token with it': 'passes',
    'token with all others': 'scope_missing',
    "the CEO's session": 'passes',
    'another session': reads ? 'passes' : 'not_allowed',
    run: 'not_allowed',
    chat: 'not_allowed',
  });
});

test('the refusal names the scope', () => {
  expect(() => requireScope(caller('API_TOKEN'), 'runs:work')).toThrow(
    expect.objectContaining({ message: 'The token "ledger" lacks the scope runs:work.', details: { scope: 'runs:work' } }),
  );
});
