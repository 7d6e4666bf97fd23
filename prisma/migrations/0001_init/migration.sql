-- CreateEnum
CREATE TYPE "TokenKind" AS ENUM ('RUN', 'API_TOKEN', 'SESSION', 'CHAT');

-- CreateEnum
CREATE TYPE "ToolCallStatus" AS ENUM ('EXECUTING', 'WAITING', 'SUCCEEDED', 'HANDED_BACK', 'TOOL_ERROR', 'RUN_FAILED', 'OUTCOME_UNKNOWN');

-- CreateEnum
CREATE TYPE "ToolHandling" AS ENUM ('HAND_BACK', 'TOOL_ERROR', 'FAIL');

-- CreateEnum
CREATE TYPE "GateKind" AS ENUM ('RUN_ENDING', 'HOLDING');

-- CreateEnum
CREATE TYPE "GateStatus" AS ENUM ('WAITING', 'APPROVED', 'REJECTED', 'CHANGES_REQUESTED', 'EXPIRED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "GateDecision" AS ENUM ('APPROVE', 'REJECT', 'REQUEST_CHANGES', 'CHOICE');

-- CreateEnum
CREATE TYPE "EventTopic" AS ENUM ('GATE', 'RUN', 'BLOCKER', 'CHAT');

-- CreateEnum
CREATE TYPE "RunStatus" AS ENUM ('PENDING', 'QUEUED', 'RUNNING', 'WAITING', 'BLOCKED', 'PAUSED', 'FINISHED', 'FAILED', 'CANCELLED');

-- CreateTable
CREATE TABLE "Token" (
    "id" UUID NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "kind" "TokenKind" NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT[],
    "personId" UUID,
    "runId" UUID,
    "attempt" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "id" UUID NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "personId" UUID,
    "via" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subjectId" UUID NOT NULL,
    "details" JSONB NOT NULL,

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ToolCall" (
    "id" UUID NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "runId" UUID NOT NULL,
    "toolCallId" TEXT NOT NULL,
    "boundId" TEXT,
    "tool" TEXT NOT NULL,
    "arguments" JSONB NOT NULL,
    "contentHash" TEXT NOT NULL,
    "status" "ToolCallStatus" NOT NULL,
    "result" JSONB,
    "resultSize" INTEGER,
    "resultHash" TEXT,
    "errorCode" TEXT,
    "errorMessage" TEXT,
    "errorHandling" "ToolHandling",
    "errorDetails" JSONB,
    "editedByHuman" JSONB,
    "leaseOwner" TEXT,
    "leaseExpiresAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ToolCall_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Gate" (
    "id" UUID NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "runId" UUID NOT NULL,
    "callId" UUID NOT NULL,
    "kind" "GateKind" NOT NULL,
    "status" "GateStatus" NOT NULL DEFAULT 'WAITING',
    "tool" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "payloadHash" TEXT NOT NULL,
    "summary" TEXT,
    "choices" JSONB NOT NULL DEFAULT '[]',
    "canRequestChanges" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "timesOutAt" TIMESTAMPTZ(3),
    "decision" "GateDecision",
    "choice" TEXT,
    "decidedById" UUID,
    "decidedVia" TEXT,
    "decidedAt" TIMESTAMPTZ(3),
    "note" TEXT,
    "answers" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "Gate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GateVersion" (
    "gateId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "payload" JSONB NOT NULL,
    "payloadHash" TEXT NOT NULL,
    "editedById" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "GateVersion_pkey" PRIMARY KEY ("gateId","number")
);

-- CreateTable
CREATE TABLE "Enterprise" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "spendEnabled" BOOLEAN NOT NULL DEFAULT true,
    "draining" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Enterprise_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Person" (
    "id" UUID NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "isCeo" BOOLEAN NOT NULL DEFAULT false,
    "removedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Person_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Member" (
    "id" UUID NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "persona" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Member_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Team" (
    "id" UUID NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "charter" TEXT NOT NULL DEFAULT '',
    "leadId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Team_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Role" (
    "id" UUID NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Role_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MemberRole" (
    "enterpriseId" UUID NOT NULL,
    "memberId" UUID NOT NULL,
    "roleId" UUID NOT NULL,

    CONSTRAINT "MemberRole_pkey" PRIMARY KEY ("memberId","roleId")
);

-- CreateTable
CREATE TABLE "MemberTeam" (
    "enterpriseId" UUID NOT NULL,
    "memberId" UUID NOT NULL,
    "teamId" UUID NOT NULL,

    CONSTRAINT "MemberTeam_pkey" PRIMARY KEY ("memberId","teamId")
);

-- CreateTable
CREATE TABLE "ContextEntry" (
    "enterpriseId" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ContextEntry_pkey" PRIMARY KEY ("enterpriseId","key")
);

-- CreateTable
CREATE TABLE "EventCounter" (
    "enterpriseId" UUID NOT NULL,
    "last" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "EventCounter_pkey" PRIMARY KEY ("enterpriseId")
);

-- CreateTable
CREATE TABLE "Event" (
    "enterpriseId" UUID NOT NULL,
    "number" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "topic" "EventTopic" NOT NULL,
    "kind" TEXT NOT NULL,
    "runId" UUID,
    "gateId" UUID,
    "callId" UUID,

    CONSTRAINT "Event_pkey" PRIMARY KEY ("enterpriseId","number")
);

-- CreateTable
CREATE TABLE "Task" (
    "id" UUID NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "latestVersion" INTEGER NOT NULL,
    "archivedAt" TIMESTAMPTZ(3),
    "clonedFromId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Task_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TaskVersion" (
    "taskId" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "goal" TEXT NOT NULL,
    "metric" TEXT,
    "guardrails" TEXT[],
    "teamId" UUID,
    "roleId" UUID,
    "osOwned" BOOLEAN NOT NULL DEFAULT false,
    "tools" TEXT[],
    "gates" JSONB NOT NULL DEFAULT '[]',
    "successors" JSONB NOT NULL DEFAULT '[]',
    "contextPrefixes" TEXT[],
    "inputFields" JSONB NOT NULL DEFAULT '[]',
    "spendLimitCents" INTEGER,
    "modelTier" TEXT,
    "maxConcurrency" INTEGER NOT NULL DEFAULT 1,
    "memoryGrants" JSONB NOT NULL DEFAULT '[]',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "createdBy" TEXT NOT NULL,

    CONSTRAINT "TaskVersion_pkey" PRIMARY KEY ("taskId","version")
);

-- CreateTable
CREATE TABLE "Execution" (
    "id" UUID NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Execution_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ExecutionLink" (
    "id" UUID NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "executionId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ExecutionLink_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Run" (
    "id" UUID NOT NULL,
    "enterpriseId" UUID NOT NULL,
    "taskId" UUID NOT NULL,
    "taskVersion" INTEGER NOT NULL,
    "executionId" UUID NOT NULL,
    "memberId" UUID,
    "status" "RunStatus" NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "input" JSONB NOT NULL,
    "output" JSONB,
    "outcome" TEXT,
    "failureCode" TEXT,
    "reason" TEXT,
    "blockClass" TEXT,
    "gateSummary" TEXT,
    "unknownToolCount" INTEGER NOT NULL DEFAULT 0,
    "spentCents" INTEGER NOT NULL DEFAULT 0,
    "stopped" BOOLEAN NOT NULL DEFAULT false,
    "worker" TEXT,
    "leaseExpiresAt" TIMESTAMPTZ(3),
    "stalledAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "queuedAt" TIMESTAMPTZ(3),
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),
    "clearedAt" TIMESTAMPTZ(3),
    "retriedFromId" UUID,
    "routedFromId" UUID,
    "startKey" TEXT,
    "startHash" TEXT,

    CONSTRAINT "Run_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Token_hash_key" ON "Token"("hash");

-- CreateIndex
CREATE INDEX "Token_enterpriseId_kind_id_idx" ON "Token"("enterpriseId", "kind", "id");

-- CreateIndex
CREATE INDEX "Token_runId_idx" ON "Token"("runId");

-- CreateIndex
CREATE INDEX "AuditEntry_enterpriseId_id_idx" ON "AuditEntry"("enterpriseId", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_subjectId_idx" ON "AuditEntry"("subjectId");

-- CreateIndex
CREATE INDEX "ToolCall_runId_id_idx" ON "ToolCall"("runId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ToolCall_runId_boundId_key" ON "ToolCall"("runId", "boundId");

-- CreateIndex
CREATE UNIQUE INDEX "Gate_callId_key" ON "Gate"("callId");

-- CreateIndex
CREATE INDEX "Gate_enterpriseId_status_id_idx" ON "Gate"("enterpriseId", "status", "id");

-- CreateIndex
CREATE INDEX "Gate_enterpriseId_id_idx" ON "Gate"("enterpriseId", "id");

-- CreateIndex
CREATE INDEX "Gate_runId_id_idx" ON "Gate"("runId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Person_enterpriseId_id_key" ON "Person"("enterpriseId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Person_enterpriseId_email_key" ON "Person"("enterpriseId", "email");

-- CreateIndex
CREATE UNIQUE INDEX "Member_enterpriseId_id_key" ON "Member"("enterpriseId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Member_enterpriseId_email_key" ON "Member"("enterpriseId", "email");

-- CreateIndex
CREATE UNIQUE INDEX "Team_enterpriseId_id_key" ON "Team"("enterpriseId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Team_enterpriseId_slug_key" ON "Team"("enterpriseId", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "Role_enterpriseId_id_key" ON "Role"("enterpriseId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Role_enterpriseId_slug_key" ON "Role"("enterpriseId", "slug");

-- CreateIndex
CREATE INDEX "MemberRole_roleId_idx" ON "MemberRole"("roleId");

-- CreateIndex
CREATE INDEX "MemberTeam_teamId_idx" ON "MemberTeam"("teamId");

-- CreateIndex
CREATE UNIQUE INDEX "Task_enterpriseId_id_key" ON "Task"("enterpriseId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Task_enterpriseId_slug_key" ON "Task"("enterpriseId", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "Execution_enterpriseId_id_key" ON "Execution"("enterpriseId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ExecutionLink_executionId_url_key" ON "ExecutionLink"("executionId", "url");

-- CreateIndex
CREATE INDEX "Run_enterpriseId_status_id_idx" ON "Run"("enterpriseId", "status", "id");

-- CreateIndex
CREATE INDEX "Run_taskId_id_idx" ON "Run"("taskId", "id");

-- CreateIndex
CREATE INDEX "Run_executionId_id_idx" ON "Run"("executionId", "id");

-- CreateIndex
CREATE INDEX "Run_memberId_id_idx" ON "Run"("memberId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Run_enterpriseId_id_key" ON "Run"("enterpriseId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Run_enterpriseId_startKey_key" ON "Run"("enterpriseId", "startKey");

-- AddForeignKey
ALTER TABLE "Token" ADD CONSTRAINT "Token_enterpriseId_fkey" FOREIGN KEY ("enterpriseId") REFERENCES "Enterprise"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Token" ADD CONSTRAINT "Token_enterpriseId_personId_fkey" FOREIGN KEY ("enterpriseId", "personId") REFERENCES "Person"("enterpriseId", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Token" ADD CONSTRAINT "Token_enterpriseId_runId_fkey" FOREIGN KEY ("enterpriseId", "runId") REFERENCES "Run"("enterpriseId", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "AuditEntry" ADD CONSTRAINT "AuditEntry_enterpriseId_fkey" FOREIGN KEY ("enterpriseId") REFERENCES "Enterprise"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuditEntry" ADD CONSTRAINT "AuditEntry_enterpriseId_personId_fkey" FOREIGN KEY ("enterpriseId", "personId") REFERENCES "Person"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ToolCall" ADD CONSTRAINT "ToolCall_enterpriseId_runId_fkey" FOREIGN KEY ("enterpriseId", "runId") REFERENCES "Run"("enterpriseId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Gate" ADD CONSTRAINT "Gate_enterpriseId_runId_fkey" FOREIGN KEY ("enterpriseId", "runId") REFERENCES "Run"("enterpriseId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Gate" ADD CONSTRAINT "Gate_callId_fkey" FOREIGN KEY ("callId") REFERENCES "ToolCall"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Gate" ADD CONSTRAINT "Gate_enterpriseId_decidedById_fkey" FOREIGN KEY ("enterpriseId", "decidedById") REFERENCES "Person"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "GateVersion" ADD CONSTRAINT "GateVersion_gateId_fkey" FOREIGN KEY ("gateId") REFERENCES "Gate"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GateVersion" ADD CONSTRAINT "GateVersion_enterpriseId_editedById_fkey" FOREIGN KEY ("enterpriseId", "editedById") REFERENCES "Person"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Person" ADD CONSTRAINT "Person_enterpriseId_fkey" FOREIGN KEY ("enterpriseId") REFERENCES "Enterprise"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Member" ADD CONSTRAINT "Member_enterpriseId_fkey" FOREIGN KEY ("enterpriseId") REFERENCES "Enterprise"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Team" ADD CONSTRAINT "Team_enterpriseId_fkey" FOREIGN KEY ("enterpriseId") REFERENCES "Enterprise"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Team" ADD CONSTRAINT "Team_enterpriseId_leadId_fkey" FOREIGN KEY ("enterpriseId", "leadId") REFERENCES "Member"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Role" ADD CONSTRAINT "Role_enterpriseId_fkey" FOREIGN KEY ("enterpriseId") REFERENCES "Enterprise"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MemberRole" ADD CONSTRAINT "MemberRole_enterpriseId_memberId_fkey" FOREIGN KEY ("enterpriseId", "memberId") REFERENCES "Member"("enterpriseId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MemberRole" ADD CONSTRAINT "MemberRole_enterpriseId_roleId_fkey" FOREIGN KEY ("enterpriseId", "roleId") REFERENCES "Role"("enterpriseId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MemberTeam" ADD CONSTRAINT "MemberTeam_enterpriseId_memberId_fkey" FOREIGN KEY ("enterpriseId", "memberId") REFERENCES "Member"("enterpriseId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MemberTeam" ADD CONSTRAINT "MemberTeam_enterpriseId_teamId_fkey" FOREIGN KEY ("enterpriseId", "teamId") REFERENCES "Team"("enterpriseId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ContextEntry" ADD CONSTRAINT "ContextEntry_enterpriseId_fkey" FOREIGN KEY ("enterpriseId") REFERENCES "Enterprise"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "EventCounter" ADD CONSTRAINT "EventCounter_enterpriseId_fkey" FOREIGN KEY ("enterpriseId") REFERENCES "Enterprise"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Task" ADD CONSTRAINT "Task_enterpriseId_fkey" FOREIGN KEY ("enterpriseId") REFERENCES "Enterprise"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Task" ADD CONSTRAINT "Task_enterpriseId_clonedFromId_fkey" FOREIGN KEY ("enterpriseId", "clonedFromId") REFERENCES "Task"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "TaskVersion" ADD CONSTRAINT "TaskVersion_enterpriseId_taskId_fkey" FOREIGN KEY ("enterpriseId", "taskId") REFERENCES "Task"("enterpriseId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TaskVersion" ADD CONSTRAINT "TaskVersion_enterpriseId_teamId_fkey" FOREIGN KEY ("enterpriseId", "teamId") REFERENCES "Team"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "TaskVersion" ADD CONSTRAINT "TaskVersion_enterpriseId_roleId_fkey" FOREIGN KEY ("enterpriseId", "roleId") REFERENCES "Role"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ExecutionLink" ADD CONSTRAINT "ExecutionLink_enterpriseId_executionId_fkey" FOREIGN KEY ("enterpriseId", "executionId") REFERENCES "Execution"("enterpriseId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_enterpriseId_fkey" FOREIGN KEY ("enterpriseId") REFERENCES "Enterprise"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_enterpriseId_taskId_fkey" FOREIGN KEY ("enterpriseId", "taskId") REFERENCES "Task"("enterpriseId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_taskId_taskVersion_fkey" FOREIGN KEY ("taskId", "taskVersion") REFERENCES "TaskVersion"("taskId", "version") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_enterpriseId_executionId_fkey" FOREIGN KEY ("enterpriseId", "executionId") REFERENCES "Execution"("enterpriseId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_enterpriseId_memberId_fkey" FOREIGN KEY ("enterpriseId", "memberId") REFERENCES "Member"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_enterpriseId_retriedFromId_fkey" FOREIGN KEY ("enterpriseId", "retriedFromId") REFERENCES "Run"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_enterpriseId_routedFromId_fkey" FOREIGN KEY ("enterpriseId", "routedFromId") REFERENCES "Run"("enterpriseId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What Prisma's schema cannot say. Partial indexes serve SQL that compares with literal statuses.
CREATE UNIQUE INDEX "Person_one_ceo" ON "Person" ("enterpriseId") WHERE "isCeo" AND "removedAt" IS NULL;
CREATE INDEX "Run_queue" ON "Run" ("enterpriseId", "queuedAt", "id") WHERE "status" = 'QUEUED';
CREATE INDEX "Run_pending" ON "Run" ("enterpriseId", "id") WHERE "status" = 'PENDING';
CREATE INDEX "Run_pending_member" ON "Run" ("memberId") WHERE "status" = 'PENDING';
CREATE INDEX "Run_leases" ON "Run" ("leaseExpiresAt") WHERE "status" = 'RUNNING';
CREATE INDEX "Run_active_member" ON "Run" ("memberId") WHERE "status" IN ('QUEUED', 'RUNNING', 'WAITING');
CREATE INDEX "Run_active_task" ON "Run" ("taskId") WHERE "status" IN ('QUEUED', 'RUNNING', 'WAITING');
CREATE INDEX "Gate_time_outs" ON "Gate" ("timesOutAt") WHERE "status" = 'WAITING' AND "timesOutAt" IS NOT NULL;
-- A call is leased exactly while it executes outside. Naming the lease, not the status, lets most calls end in a HOT update.
CREATE INDEX "ToolCall_leased" ON "ToolCall" ("leaseExpiresAt") WHERE "leaseExpiresAt" IS NOT NULL;
CREATE INDEX "ToolCall_leased_run" ON "ToolCall" ("runId") WHERE "leaseExpiresAt" IS NOT NULL;
ALTER TABLE "ToolCall" SET (fillfactor = 85);
ALTER TABLE "Run" SET (fillfactor = 80);
