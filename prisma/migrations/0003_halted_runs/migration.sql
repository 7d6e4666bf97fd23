-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "haltedAt" TIMESTAMPTZ(3);

UPDATE "Run" SET "haltedAt" = coalesce("startedAt", "createdAt") WHERE "status" IN ('BLOCKED', 'PAUSED');

-- Which tasks worked an issue or a pull request. An index row holds no long text, so texts are cut.
CREATE INDEX "Run_issue" ON "Run" ("enterpriseId", left("input"->>'repo', 200), left(coalesce("input"->>'issue', "input"->>'number'), 40), "taskId")
  WHERE "input"->>'repo' IS NOT NULL AND coalesce("input"->>'issue', "input"->>'number') IS NOT NULL;
CREATE INDEX "Run_pull_request" ON "Run" ("enterpriseId", left("input"->>'repo', 200), left("input"->>'pr', 40), "taskId")
  WHERE "input"->>'repo' IS NOT NULL AND "input"->>'pr' IS NOT NULL;
