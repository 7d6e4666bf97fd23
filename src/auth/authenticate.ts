import { timingSafeEqual } from 'node:crypto';
import type { Queryable, Tx } from '../db/database.ts';
import { gathered } from '../db/gather.ts';
import type { RunStatus, TokenKind } from '../db/generated/enums.ts';
import { statement } from '../db/statement.ts';
import { holdingSwitches } from '../db/switch-lock.ts';
import { ENDED } from '../domain/run/run-row.ts';
import { HANDED_OUT_AGAIN, ToolError } from '../kernel/errors.ts';
import type { Kernel, Timing } from '../kernel/kernel.ts';
import type { Caller } from './caller.ts';
import { hashOf, isSecret } from './tokens.ts';

interface CredentialRow {
  id: string;
  hash: string;
  kind: TokenKind;
  name: string;
  enterpriseId: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  idleSeconds: number | null;
  personId: string | null;
  personName: string | null;
  isCeo: boolean | null;
  removedAt: Date | null;
  runId: string | null;
  tokenAttempt: number | null;
  runAttempt: number | null;
  runStatus: RunStatus | null;
  runFinishedAt: Date | null;
}

const COLUMNS = `t."id", t."hash", t."kind", t."name", t."enterpriseId", t."scopes", t."createdAt", t."expiresAt", t."revokedAt",
  t."lastUsedAt", t."idleSeconds",
  p."id" AS "personId", p."name" AS "personName", p."isCeo", p."removedAt",
  t."runId", t."attempt" AS "tokenAttempt", r."attempt" AS "runAttempt", r."status" AS "runStatus", r."finishedAt" AS "runFinishedAt"
  FROM "Token" t
  LEFT JOIN "Person" p ON p."enterpriseId" = t."enterpriseId" AND p."id" = t."personId"
  LEFT JOIN "Run" r ON r."enterpriseId" = t."enterpriseId" AND r."id" = t."runId"`;

/** How many credentials one look-up takes. */
const TOGETHER = 8;

// Parameters one by one: for an array Postgres would plan anew each time, as its length decides what it expects to find.
const findByHash = statement<CredentialRow, string[]>(
  'find_credentials_by_hash',
  `SELECT ${COLUMNS} WHERE t."hash" IN ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

const lookUps = new WeakMap<Queryable, (hash: string) => Promise<CredentialRow | undefined>>();

/** The credential of this hash. Requests that arrive together are looked up together. */
function findCredential(db: Queryable, hash: string): Promise<CredentialRow | undefined> {
  const known = lookUps.get(db);
  if (known) return known(hash);
  const lookUp = gathered(TOGETHER, async (hashes) => {
    const padded = Array.from({ length: TOGETHER }, (_, place) => hashes[place] ?? hashes[0]!);
    return new Map((await db.query(findByHash(...padded))).map((row) => [row.hash, row]));
  });
  lookUps.set(db, lookUp);
  return lookUp(hash);
}

const findCredentials = statement<CredentialRow, [ids: string[]]>('find_credentials', `SELECT ${COLUMNS} WHERE t."id" = ANY($1::uuid[])`);

const refused = (why: string) => new ToolError('unauthenticated', why);

/** The secret in an `Authorization` header or a `connectionParams.authorization`: with or without `Bearer `. */
function secretIn(authorization: string | null | undefined): string {
  const secret = (authorization ?? '').replace(/^bearer(?: +|$)/i, '').trim();
  if (secret === '') throw refused('Send a credential: Authorization: Bearer <token>.');
  if (!isSecret(secret)) throw refused('The credential is not a token of this service: those begin with ghr_, ghp_, ghs_ or ghc_.');
  return secret;
}

/** When a credential that nobody uses ends; null: idling does not end it. */
const idleEnd = ({ idleSeconds, lastUsedAt, createdAt }: CredentialRow) =>
  idleSeconds === null ? null : new Date((lastUsedAt ?? createdAt).getTime() + idleSeconds * 1_000);

/** Why a stored credential no longer counts, or undefined while it does. */
function ended(row: CredentialRow, timing: Timing, now: Date): string | undefined {
  if (row.kind === 'RUN' && row.tokenAttempt !== row.runAttempt) return HANDED_OUT_AGAIN; // which revoked it too
  if (row.revokedAt) return 'The credential was revoked.';
  if (row.expiresAt && row.expiresAt <= now) return 'The credential has expired.';
  const idle = idleEnd(row);
  if (idle && idle <= now) return 'The session was not used for too long: sign in again.';
  if (row.removedAt) return 'The person of this credential was removed.';
  if (row.kind === 'SIGN_IN') return 'A sign-in link is no credential: open it in a browser.';
  if (row.kind !== 'RUN') return undefined;
  if (!row.runStatus || !ENDED.includes(row.runStatus)) return undefined;
  const readable = (row.runFinishedAt?.getTime() ?? 0) + timing.runTokenAfterEnd;
  return readable <= now.getTime() ? 'The run has ended, and its token with it.' : undefined;
}

/** When it ends if it is not used again after `now`. */
function endOf({ expiresAt, idleSeconds }: CredentialRow, now: Date) {
  const idle = idleSeconds === null ? null : new Date(now.getTime() + idleSeconds * 1_000);
  return idle && !(expiresAt && expiresAt < idle) ? idle : expiresAt;
}

function callerOf(row: CredentialRow, now: Date): Caller {
  return {
    kind: row.kind as Caller['kind'],
    tokenId: row.id,
    tokenName: row.name,
    enterpriseId: row.enterpriseId,
    scopes: row.scopes,
    person: row.personId ? { id: row.personId, name: row.personName!, isCeo: row.isCeo! } : null,
    run: row.runId ? { id: row.runId, attempt: row.tokenAttempt! } : null,
    expiresAt: endOf(row, now),
  };
}

/**
 * Who sends a request, by its `Authorization` (with or without `Bearer `): one look-up by hash.
 * @throws {ToolError} `unauthenticated`, saying whether it is missing, malformed, unknown, revoked, expired or its run's is over
 */
export async function authenticate(db: Queryable, timing: Timing, authorization: string | null | undefined, now: Date): Promise<Caller> {
  const hash = hashOf(secretIn(authorization));
  const row = await findCredential(db, hash);
  if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) throw refused('The credential is unknown.');
  const why = ended(row, timing, now);
  if (why) throw refused(why);
  return callerOf(row, now);
}

/**
 * The caller as its credential says now, in the transaction that acts for it: the switches of the enterprise are held, so that
 * whoever revokes it, removes its person or hands over the office is answered before or after all that is done here.
 * A run token is answered as it is: it lives by its run, which whoever drives it has locked.
 * @throws {ToolError} unauthenticated
 */
export async function callerNow(tx: Tx, { timing, now }: Pick<Kernel, 'timing' | 'now'>, caller: Caller): Promise<Caller> {
  if (caller.run) return caller;
  const [, rows] = await tx.together(holdingSwitches(caller.enterpriseId), findCredentials([caller.tokenId]));
  const [row] = rows as CredentialRow[];
  const why = row ? ended(row, timing, now()) : 'The credential was removed.';
  if (why) throw refused(why);
  return callerOf(row!, now());
}

/**
 * Looks again at credentials that hold streams open: one statement for all of them.
 * Answers, for each that no longer counts, the error to end its streams with.
 */
export async function endedCredentials(db: Queryable, timing: Timing, tokenIds: string[], now: Date): Promise<Map<string, ToolError>> {
  if (tokenIds.length === 0) return new Map();
  const rows = new Map((await db.query(findCredentials(tokenIds))).map((row) => [row.id, row]));
  const whys = tokenIds.map((id) => {
    const row = rows.get(id);
    return [id, row ? ended(row, timing, now) : 'The credential was removed.'] as const;
  });
  return new Map(whys.flatMap(([id, why]) => (why ? [[id, refused(why)] as const] : [])));
}
