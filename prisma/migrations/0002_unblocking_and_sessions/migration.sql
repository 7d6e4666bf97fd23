-- CreateEnum
CREATE TYPE "EscalateTo" AS ENUM ('LEAD', 'CEO');

-- CreateEnum
CREATE TYPE "IssueState" AS ENUM ('IN_FLIGHT', 'BLOCKED', 'IDLE');

-- AlterEnum
ALTER TYPE "TokenKind" ADD VALUE 'SIGN_IN';

-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "chainId" UUID,
ADD COLUMN     "escalatedAt" TIMESTAMPTZ(3),
ADD COLUMN     "escalatedMemberId" UUID,
ADD COLUMN     "escalatedPersonId" UUID,
ADD COLUMN     "escalatedTo" "EscalateTo",
ADD COLUMN     "escalationNote" TEXT,
ADD COLUMN     "moveNote" TEXT,
ADD COLUMN     "movedOnAt" TIMESTAMPTZ(3),
ADD COLUMN     "taskMoves" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "Team" ADD COLUMN     "lastRetroAt" TIMESTAMPTZ(3),
ADD COLUMN     "retroEveryDays" INTEGER;

-- AlterTable
ALTER TABLE "Token" ADD COLUMN     "idleSeconds" INTEGER;

-- CreateTable
CREATE TABLE "ModelTier" (
    "enterpriseId" UUID NOT NULL,
    "tier" TEXT NOT NULL,
    "hasKey" BOOLEAN NOT NULL DEFAULT false,
    "exhaustedUntil" TIMESTAMPTZ(3),

    CONSTRAINT "ModelTier_pkey" PRIMARY KEY ("enterpriseId","tier")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" UUID NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "gateId" UUID NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" TIMESTAMPTZ(3),
    "deliveredAt" TIMESTAMPTZ(3),
    "lastError" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IssueMark" (
    "enterpriseId" UUID NOT NULL,
    "repo" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "state" "IssueState" NOT NULL,
    "runId" UUID NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "IssueMark_pkey" PRIMARY KEY ("enterpriseId","repo","number")
);

-- CreateIndex
CREATE UNIQUE INDEX "WebhookDelivery_gateId_key" ON "WebhookDelivery"("gateId");

-- CreateIndex
CREATE INDEX "WebhookDelivery_nextAttemptAt_idx" ON "WebhookDelivery"("nextAttemptAt");

-- CreateIndex
CREATE INDEX "Run_chainId_idx" ON "Run"("chainId");

-- AddForeignKey
ALTER TABLE "ModelTier" ADD CONSTRAINT "ModelTier_enterpriseId_fkey" FOREIGN KEY ("enterpriseId") REFERENCES "Enterprise"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_enterpriseId_fkey" FOREIGN KEY ("enterpriseId") REFERENCES "Enterprise"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_gateId_fkey" FOREIGN KEY ("gateId") REFERENCES "Gate"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_enterpriseId_escalatedMemberId_fkey" FOREIGN KEY ("enterpriseId", "escalatedMemberId") REFERENCES "Member"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_enterpriseId_escalatedPersonId_fkey" FOREIGN KEY ("enterpriseId", "escalatedPersonId") REFERENCES "Person"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "IssueMark" ADD CONSTRAINT "IssueMark_enterpriseId_fkey" FOREIGN KEY ("enterpriseId") REFERENCES "Enterprise"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What stands on Blockers, and nothing of the history.
CREATE INDEX "Run_blockers" ON "Run" ("enterpriseId", "id")
  WHERE ("status" IN ('FAILED', 'BLOCKED', 'PAUSED') OR "stopped" OR "stalledAt" IS NOT NULL) AND "clearedAt" IS NULL AND "movedOnAt" IS NULL;
