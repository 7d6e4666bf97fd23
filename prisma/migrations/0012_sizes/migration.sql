-- keeps 0004
-- How many bytes the texts and documents of a row have: an answer that would be too large is refused before they are read.
CREATE FUNCTION bytes_of(texts TEXT[]) RETURNS INTEGER LANGUAGE sql IMMUTABLE
  AS $$ SELECT coalesce(sum(octet_length(t) + 3), 0)::integer FROM unnest(texts) t $$;

ALTER TABLE "Gate"
  ADD COLUMN "payloadBytes" INTEGER GENERATED ALWAYS AS (octet_length("payload"::text)) STORED,
  ADD COLUMN "textBytes" INTEGER GENERATED ALWAYS AS (coalesce(octet_length("summary"), 0) + coalesce(octet_length("note"), 0) + coalesce(octet_length("answers"::text), 0)) STORED;
ALTER TABLE "GateVersion"
  ADD COLUMN "payloadBytes" INTEGER GENERATED ALWAYS AS (octet_length("payload"::text)) STORED;
ALTER TABLE "ToolCall"
  ADD COLUMN "argumentsBytes" INTEGER GENERATED ALWAYS AS (octet_length("arguments"::text)) STORED,
  ADD COLUMN "resultBytes" INTEGER GENERATED ALWAYS AS (octet_length("result"::text)) STORED,
  ADD COLUMN "errorBytes" INTEGER GENERATED ALWAYS AS (coalesce(octet_length("errorMessage"), 0) + coalesce(octet_length("errorDetails"::text), 0)) STORED,
  ADD COLUMN "editBytes" INTEGER GENERATED ALWAYS AS (octet_length("editedByHuman"::text)) STORED;
ALTER TABLE "Run"
  ADD COLUMN "inputBytes" INTEGER GENERATED ALWAYS AS (octet_length("input"::text)) STORED,
  ADD COLUMN "outputBytes" INTEGER GENERATED ALWAYS AS (octet_length("output"::text)) STORED,
  ADD COLUMN "textBytes" INTEGER GENERATED ALWAYS AS (coalesce(octet_length("reason"), 0) + coalesce(octet_length("gateSummary"), 0) + coalesce(octet_length("moveNote"), 0)) STORED;
ALTER TABLE "AuditEntry"
  ADD COLUMN "detailsBytes" INTEGER GENERATED ALWAYS AS (octet_length("details"::text)) STORED;
ALTER TABLE "TaskVersion"
  ADD COLUMN "bytes" INTEGER GENERATED ALWAYS AS (coalesce(octet_length("goal"), 0) + coalesce(octet_length("metric"), 0) + coalesce(octet_length("gates"::text), 0) + coalesce(octet_length("successors"::text), 0) + coalesce(octet_length("inputFields"::text), 0) + coalesce(octet_length("memoryGrants"::text), 0) + bytes_of("guardrails") + bytes_of("tools") + bytes_of("contextPrefixes")) STORED;
ALTER TABLE "Escalation"
  ADD COLUMN "noteBytes" INTEGER GENERATED ALWAYS AS (octet_length("note")) STORED;
