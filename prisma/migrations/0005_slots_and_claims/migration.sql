-- keeps 0004
-- AlterTable
ALTER TABLE "Token" ADD COLUMN     "claimHash" TEXT;

CREATE UNIQUE INDEX "Token_claim" ON "Token" ("enterpriseId", "claimHash") WHERE "claimHash" IS NOT NULL;

-- The oldest pending run of each member in a task, and of each task of a member. The second does all that "Run_pending_member" did.
CREATE INDEX "Run_pending_of_task" ON "Run" ("taskId", "memberId" DESC, "id") WHERE "status" = 'PENDING' AND "taskId" IS NOT NULL;
CREATE INDEX "Run_pending_of_member" ON "Run" ("memberId", "taskId" DESC, "id") WHERE "status" = 'PENDING' AND "memberId" IS NOT NULL;
DROP INDEX "Run_pending_member";

-- Paused runs: those that keep their slots while spending is off, and those that spent more than their task allows.
CREATE INDEX "Run_paused" ON "Run" ("enterpriseId", "blockClass", "taskId", "spentCents") WHERE "status" = 'PAUSED';
CREATE INDEX "Run_paused_of_member" ON "Run" ("memberId") WHERE "status" = 'PAUSED' AND "blockClass" = 'spend_off' AND "memberId" IS NOT NULL;
