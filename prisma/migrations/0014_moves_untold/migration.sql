-- keeps 0004
ALTER TABLE "Task" ADD COLUMN "movesUntoldAfter" UUID;
CREATE INDEX "Task_moves_untold" ON "Task" ("id") WHERE "movesUntoldAfter" IS NOT NULL;
