-- keeps 0004
-- AlterTable
ALTER TABLE "Gate" ADD COLUMN     "ownerId" UUID;

-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "summaryGateId" UUID;

-- CreateTable
CREATE TABLE "Escalation" (
    "id" UUID NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "runId" UUID NOT NULL,
    "to" "EscalateTo" NOT NULL,
    "memberId" UUID,
    "personId" UUID,
    "note" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Escalation_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Escalation_runId_at_idx" ON "Escalation"("runId", "at");

-- AddForeignKey
ALTER TABLE "Gate" ADD CONSTRAINT "Gate_enterpriseId_ownerId_fkey" FOREIGN KEY ("enterpriseId", "ownerId") REFERENCES "Person"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Escalation" ADD CONSTRAINT "Escalation_enterpriseId_runId_fkey" FOREIGN KEY ("enterpriseId", "runId") REFERENCES "Run"("enterpriseId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Escalation" ADD CONSTRAINT "Escalation_enterpriseId_memberId_fkey" FOREIGN KEY ("enterpriseId", "memberId") REFERENCES "Member"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Escalation" ADD CONSTRAINT "Escalation_enterpriseId_personId_fkey" FOREIGN KEY ("enterpriseId", "personId") REFERENCES "Person"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What stood on the runs becomes the first of their escalations.
INSERT INTO "Escalation" ("id", "enterpriseId", "runId", "to", "memberId", "personId", "note", "at")
SELECT gen_random_uuid(), "enterpriseId", "id", "escalatedTo", "escalatedMemberId", "escalatedPersonId", coalesce("escalationNote", ''),
  coalesce("escalatedAt", "createdAt")
FROM "Run" WHERE "escalatedTo" IS NOT NULL;
