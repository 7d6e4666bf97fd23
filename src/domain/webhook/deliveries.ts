import { v7 } from 'uuid';
import type { Queryable } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/** A delivery that this process tries now. */
export interface ClaimedDelivery {
  id: string;
  enterpriseId: string;
  gateId: string;
  /** This try included. */
  attempts: number;
  tool: string;
  summary: string | null;
  openedAt: Date;
  ownerId: string | null;
  ownerName: string | null;
}

const insert = statement<never, [id: string, enterpriseId: string, gateId: string, now: Date]>(
  'insert_webhook_delivery',
  `INSERT INTO "WebhookDelivery" ("id", "enterpriseId", "gateId", "nextAttemptAt", "createdAt") VALUES ($1, $2, $3, $4, $4)`,
);

/** Puts a gate that opens into the outbox, in the transaction that opens it. */
export async function addDelivery(tx: Queryable, enterpriseId: string, gateId: string, now: Date): Promise<void> {
  await tx.query(insert(v7(), enterpriseId, gateId, now));
}

/** A claim is the try itself, counted beforehand, and the time from which another process may think that this one died. */
export const claimDeliveries = statement<ClaimedDelivery, [now: Date, until: Date, most: number]>(
  'claim_webhook_deliveries',
  `WITH claimed AS (
     UPDATE "WebhookDelivery" SET "attempts" = "attempts" + 1, "nextAttemptAt" = $2, "lastError" = NULL
     WHERE "id" IN (
       SELECT "id" FROM "WebhookDelivery" WHERE "nextAttemptAt" <= $1 ORDER BY "nextAttemptAt", "id" LIMIT $3 FOR UPDATE SKIP LOCKED
     )
     RETURNING "id", "enterpriseId", "gateId", "attempts"
   )
   SELECT c.*, g."tool", g."summary", g."createdAt" AS "openedAt", p."id" AS "ownerId", p."name" AS "ownerName"
   FROM claimed c
   JOIN "Gate" g ON g."enterpriseId" = c."enterpriseId" AND g."id" = c."gateId"
   LEFT JOIN "Person" p ON p."enterpriseId" = c."enterpriseId" AND p."isCeo"
   ORDER BY g."createdAt", c."id"`,
);

// Whoever claims it later raises `attempts`: what this process has to say then comes too late.
export const recordDelivered = statement<never, [id: string, attempts: number, now: Date]>(
  'record_webhook_delivered',
  `UPDATE "WebhookDelivery" SET "deliveredAt" = $3, "nextAttemptAt" = NULL, "lastError" = NULL WHERE "id" = $1 AND "attempts" = $2`,
);

/** `next`: when to try again; null: never. */
export const recordFailed = statement<never, [id: string, attempts: number, error: string, next: Date | null]>(
  'record_webhook_failed',
  `UPDATE "WebhookDelivery" SET "lastError" = $3, "nextAttemptAt" = $4 WHERE "id" = $1 AND "attempts" = $2`,
);

/** A try that was broken off by us does not count: the next process tries at once. */
export const releaseDelivery = statement<never, [id: string, attempts: number, now: Date]>(
  'release_webhook_delivery',
  `UPDATE "WebhookDelivery" SET "attempts" = "attempts" - 1, "nextAttemptAt" = $3 WHERE "id" = $1 AND "attempts" = $2`,
);
