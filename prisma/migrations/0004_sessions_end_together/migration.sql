-- AlterTable
ALTER TABLE "Token" ADD COLUMN     "begunWithId" UUID;

-- CreateIndex
CREATE INDEX "Token_begunWithId_idx" ON "Token"("begunWithId");
