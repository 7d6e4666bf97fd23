-- keeps 0004
-- CreateTable
CREATE TABLE "EventEpoch" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "epoch" TEXT NOT NULL DEFAULT '',
    "home" TEXT,

    CONSTRAINT "EventEpoch_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "EventEpoch_one_row" CHECK ("id" = 1)
);

INSERT INTO "EventEpoch" DEFAULT VALUES;
