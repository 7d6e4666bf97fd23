import type { Queryable, Tx } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { ToolError } from '../kernel/errors.ts';
import { after, type Kernel } from '../kernel/kernel.ts';
import { audit } from './audit.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { hashOf, issueToken, type NewToken, revokeToken } from './tokens.ts';

/** How long a browser's session may idle, in seconds. */
export const SESSION_IDLE_SECONDS = 43_200;

/** How long a sign-in link works, in milliseconds. */
const SIGN_IN_LIFE = 900_000;

const SIGN_IN_PREFIX = 'ghl_';

/** A person who signs in. */
export interface Arriving {
  enterpriseId: string;
  person: NonNullable<Caller['person']>;
}

/** A session as a browser gets it: the secret is in the answer alone. */
export interface BrowserSession {
  secret: string;
  person: Arriving['person'];
}

/** How a person came in, as the audit log tells it. */
export type Way = 'sign-in link' | 'session token' | 'OpenID Connect';

/** Issues the secret of a sign-in link for a person: good once, for fifteen minutes. */
export async function issueSignIn(tx: Queryable, enterpriseId: string, personId: string, now: Date): Promise<string> {
  const life = { createdAt: now, expiresAt: after(now, SIGN_IN_LIFE) };
  return (await issueToken(tx, { enterpriseId, kind: 'SIGN_IN', name: 'sign-in link', personId, ...life })).secret;
}

interface Used {
  enterpriseId: string;
  id: string;
  name: string;
  isCeo: boolean;
}

// Using it is the one update that ends it: of two who send the same link, one gets the row.
const useSignIn = statement<Used, [hash: string, now: Date]>(
  'use_sign_in',
  `UPDATE "Token" t SET "revokedAt" = $2, "lastUsedAt" = $2 FROM "Person" p
   WHERE t."hash" = $1 AND t."kind" = 'SIGN_IN' AND t."revokedAt" IS NULL AND t."expiresAt" > $2
     AND p."enterpriseId" = t."enterpriseId" AND p."id" = t."personId" AND p."removedAt" IS NULL
   RETURNING t."enterpriseId", p."id", p."name", p."isCeo"`,
);

/**
 * Gives a new session for a sign-in link, which is used up by it, or for a session token, which goes on and which it ends with.
 * `count` is told the id of a session token, and may refuse.
 * @throws {ToolError} unauthenticated: unknown, expired, revoked or used; not_allowed: any other kind of token
 */
export function beginSession(kernel: Kernel, secret: string, count: (tokenId: string) => void): Promise<BrowserSession> {
  return kernel.db.transaction(async (tx) => {
    if (!secret.startsWith(SIGN_IN_PREFIX)) return again(tx, kernel, secret, count);
    const [used] = await tx.query(useSignIn(hashOf(secret), kernel.now()));
    if (!used) throw new ToolError('unauthenticated', 'The sign-in link is unknown, expired or was used before: ask for a new one.');
    const { enterpriseId, ...person } = used;
    return admit(tx, kernel, { enterpriseId, person }, 'sign-in link');
  });
}

// Whoever revokes it waits until the new session stands, or has revoked it by the time that it is looked at.
const holdToken = statement<object, [hash: string]>('hold_session_token', `SELECT FROM "Token" WHERE "hash" = $1 FOR SHARE`);

async function again(tx: Tx, kernel: Kernel, secret: string, count: (tokenId: string) => void) {
  await tx.query(holdToken(hashOf(secret)));
  const { kind, tokenId, enterpriseId, person, expiresAt } = await authenticate(tx, kernel.timing, secret, kernel.now());
  if (kind !== 'SESSION' || !person) {
    throw new ToolError('not_allowed', 'Only a sign-in link or a session token becomes a browser’s session, never an API or run token.');
  }
  count(tokenId);
  return admit(tx, kernel, { enterpriseId, person }, 'session token', { expiresAt, begunWithId: tokenId });
}

/** What bounds a session: past `expiresAt` it does not slide, and it ends with the token that it was begun with. */
type Bounds = Pick<NewToken, 'begunWithId'> & { expiresAt: Date | null };

/** Gives a person who has proved who they are a new session. */
export async function admit(
  tx: Tx,
  kernel: Kernel,
  who: Arriving,
  way: Way,
  bounds: Bounds = { expiresAt: null },
): Promise<BrowserSession> {
  const { enterpriseId, person } = who;
  const now = kernel.now();
  const token = { enterpriseId, kind: 'SESSION', name: 'browser', personId: person.id, createdAt: now } as const;
  const { id, secret } = await issueToken(tx, { ...token, ...bounds, idleSeconds: SESSION_IDLE_SECONDS });
  const caller: Caller = {
    kind: 'SESSION',
    tokenId: id,
    tokenName: token.name,
    enterpriseId,
    scopes: [],
    person,
    run: null,
    expiresAt: bounds.expiresAt,
  };
  await audit(tx, caller, { action: 'session.started', subjectId: id, at: now, details: { way } });
  return { secret, person };
}

/** Ends the session whose secret this is; one that has ended already stays so. */
export async function endSession(kernel: Kernel, secret: string): Promise<void> {
  const caller = await authenticate(kernel.db, kernel.timing, secret, kernel.now()).catch((error) => {
    if (error instanceof ToolError) return undefined;
    throw error;
  });
  if (caller?.kind === 'SESSION') await revokeToken(kernel, caller, caller.tokenId);
}

const peopleWith = statement<Used, [email: string]>(
  'people_with_address',
  `SELECT "enterpriseId", "id", "name", "isCeo" FROM "Person" WHERE "email" = $1 AND "removedAt" IS NULL LIMIT 2`,
);

/** The one person of all enterprises with this address, given in lower case; undefined when there is none, or more than one. */
export async function onlyPersonWith(db: Queryable, email: string): Promise<Arriving | undefined> {
  const [found, another] = await db.query(peopleWith(email));
  if (!found || another) return undefined;
  const { enterpriseId, ...person } = found;
  return { enterpriseId, person };
}
