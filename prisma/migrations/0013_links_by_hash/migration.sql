-- keeps 0004
-- A link is unique by the hash of its URL, which fits in an index whatever the URL. The index on the URL itself stays: the
-- version before this one names it in ON CONFLICT, and what is stored since fits in it too (ASCII, at most 2,048 bytes).
CREATE UNIQUE INDEX "ExecutionLink_executionId_url_hash" ON "ExecutionLink" ("executionId", md5("url"));
