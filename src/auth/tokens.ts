import { randomBytes } from 'node:crypto';
import { v7, validate } from 'uuid';
import type { Queryable } from '../db/database.ts';
import type { TokenKind } from '../db/generated/enums.ts';
import { statement } from '../db/statement.ts';
import { lockSwitches } from '../db/switch-lock.ts';
import { notFound, ToolError } from '../kernel/errors.ts';
import { sha256 } from '../kernel/hash.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { audit, type Operator } from './audit.ts';
import type { Caller } from './caller.ts';

const PREFIX: Record<TokenKind, string> = { RUN: 'ghr_', API_TOKEN: 'ghp_', SESSION: 'ghs_', CHAT: 'ghc_', SIGN_IN: 'ghl_' };

/** A prefix and 256 random bits in base64url. */
const SECRET = /^gh[rpscl]_[A-Za-z0-9_-]{43}$/;

/** Whether a text has the form of a secret of ours; one that has not is never looked up. */
export const isSecret = (text: string) => SECRET.test(text);

/** What is stored of a secret: its SHA-256 in lower-case hex. */
export const hashOf = (secret: string) => sha256(secret);

/** A credential to be issued. `run` and `attempt` belong to run tokens; `personId` is whose session it is, or who granted the token. */
export interface NewToken {
  enterpriseId: string;
  kind: TokenKind;
  name: string;
  scopes?: readonly string[];
  personId?: string | null;
  run?: { id: string; attempt: number };
  createdAt: Date;
  expiresAt?: Date | null;
  /** Ends the credential when it was not used for this long. */
  idleSeconds?: number;
  /** The session token that this session was begun with, and ends with. */
  begunWithId?: string;
  /** Of a run token: what names the claim that it was handed out for, if its worker named it. */
  claimHash?: string | null;
}

type TokenColumns = [
  id: string,
  enterpriseId: string,
  kind: TokenKind,
  hash: string,
  name: string,
  scopes: readonly string[],
  personId: string | null,
  runId: string | null,
  attempt: number | null,
  createdAt: Date,
  expiresAt: Date | null,
  idleSeconds: number | null,
  begunWithId: string | null,
  claimHash: string | null,
];

const insertToken = statement<never, TokenColumns>(
  'insert_token',
  `INSERT INTO "Token" ("id", "enterpriseId", "kind", "hash", "name", "scopes", "personId", "runId", "attempt", "createdAt", "expiresAt",
     "idleSeconds", "begunWithId", "claimHash")
   VALUES ($1, $2, $3::text::"TokenKind", $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
);

const newSecret = (kind: TokenKind) => PREFIX[kind] + randomBytes(32).toString('base64url');

/** Issues a credential. The secret is in the answer alone: only its hash is stored. */
export async function issueToken(tx: Queryable, token: NewToken): Promise<{ id: string; secret: string }> {
  const id = v7();
  const secret = newSecret(token.kind);
  await tx.query(
    insertToken(
      id,
      token.enterpriseId,
      token.kind,
      hashOf(secret),
      token.name,
      token.scopes ?? [],
      token.personId ?? null,
      token.run?.id ?? null,
      token.run?.attempt ?? null,
      token.createdAt,
      token.expiresAt ?? null,
      token.idleSeconds ?? null,
      token.begunWithId ?? null,
      token.claimHash ?? null,
    ),
  );
  return { id, secret };
}

const replaceHash = statement<object, [enterpriseId: string, id: string, hash: string]>(
  'replace_token_hash',
  `UPDATE "Token" SET "hash" = $3 WHERE "enterpriseId" = $1 AND "id" = $2`,
);

/** Gives a credential whose secret was lost on its way a new one, in place of the former. The new secret is in the answer alone. */
export async function replaceSecret(tx: Queryable, { enterpriseId, id, kind }: { enterpriseId: string; id: string; kind: TokenKind }) {
  const secret = newSecret(kind);
  await tx.query(replaceHash(enterpriseId, id, hashOf(secret)));
  return secret;
}

const revoke = statement<{ id: string; name: string; kind: TokenKind }, [enterpriseId: string, id: string, now: Date]>(
  'revoke_token',
  `WITH RECURSIVE ended AS (
     SELECT "id" FROM "Token" WHERE "enterpriseId" = $1 AND "id" = $2
     UNION SELECT t."id" FROM ended e JOIN "Token" t ON t."enterpriseId" = $1 AND t."begunWithId" = e."id"
   )
   UPDATE "Token" SET "revokedAt" = $3
   WHERE "enterpriseId" = $1 AND "id" IN (SELECT "id" FROM ended) AND "revokedAt" IS NULL RETURNING "id", "name", "kind"`,
);

/**
 * Revokes a credential of the caller's enterprise: from now on it and the sessions begun with it are refused, and their streams end.
 * Again: no change.
 * A caller who is not the CEO revokes its own credentials.
 * @throws {ToolError} `not_found`; `not_allowed` for another person's, and for a run token, which lives and dies with its run
 */
export async function revokeToken(kernel: Kernel, by: Caller | Operator, id: string): Promise<void> {
  const { enterpriseId } = by;
  await kernel.db.transaction(async (tx) => {
    await lockSwitches(tx, enterpriseId);
    const select = { kind: true, personId: true };
    const known = validate(id) && (await tx.prisma.token.findFirst({ where: { enterpriseId, id }, select }));
    if (!known) throw notFound('token', id);
    if (known.kind === 'RUN') throw new ToolError('not_allowed', 'A run token ends with its run: cancel the run instead.');
    if (!('operator' in by) && !by.person?.isCeo && known.personId !== by.person?.id) {
      throw new ToolError('not_allowed', `${by.person?.name ?? 'The caller'} revokes only what is their own; the CEO revokes everything.`);
    }
    const at = kernel.now();
    for (const { id: subjectId, ...details } of await tx.query(revoke(enterpriseId, id, at))) {
      await audit(tx, by, { action: 'token.revoked', subjectId, at, details });
    }
  });
}
