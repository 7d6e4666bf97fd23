// What the service is compared with: the same by hand on `node:http` and `pg`, and nothing else. `/runs` answers the first calls of
// each of the latest runs; anything else is a call of os.set_context in one transaction.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { v7 } from 'uuid';

const SQL = {
  begin: 'BEGIN',
  token: `SELECT t."enterpriseId", t."runId" FROM "Token" t
    JOIN "Run" r ON r."id" = t."runId" AND r."attempt" = t."attempt" AND r."status" = 'RUNNING' WHERE t."hash" = $1 AND t."revokedAt" IS NULL`,
  insert: `INSERT INTO "ToolCall" ("id", "enterpriseId", "runId", "toolCallId", "boundId", "tool", "arguments", "contentHash", "status", "createdAt")
    VALUES ($1, $2, $3, $4, $4, $5, $6, $7, 'EXECUTING', $8)`,
  upsert: `INSERT INTO "ContextEntry" ("enterpriseId", "key", "value", "updatedAt") VALUES ($1, $2, $3, $4)
    ON CONFLICT ("enterpriseId", "key") DO UPDATE SET "value" = excluded."value", "updatedAt" = excluded."updatedAt" RETURNING "key", "value"`,
  update: `UPDATE "ToolCall" SET "status" = 'SUCCEEDED', "result" = $2, "finishedAt" = $3 WHERE "id" = $1 RETURNING "status", "result"`,
  commit: 'COMMIT',
  session: `SELECT "enterpriseId" FROM "Token" WHERE "hash" = $1 AND "revokedAt" IS NULL`,
  runs: `SELECT r."id", r."status", jsonb_agg(jsonb_build_object('id', c."id", 'tool', c."tool", 'status', c."status")) AS "toolCalls"
    FROM (SELECT "id", "status" FROM "Run" WHERE "enterpriseId" = $1 ORDER BY "id" DESC LIMIT $2) r
    CROSS JOIN LATERAL (SELECT "id", "tool", "status" FROM "ToolCall" WHERE "runId" = r."id" ORDER BY "id" LIMIT $3) c
    GROUP BY r."id", r."status" ORDER BY r."id" DESC`,
};

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8 });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface Call {
  toolCallId: string;
  tool: string;
  arguments: { key: string; value: unknown };
}

async function invoke(token: string, call: Call) {
  const client = await pool.connect();
  const run = async (name: keyof typeof SQL, ...values: unknown[]) => (await client.query({ name, text: SQL[name], values })).rows[0];
  try {
    const [id, now, sent] = [v7(), new Date(), JSON.stringify(call.arguments)];
    await run('begin');
    const { enterpriseId, runId } = await run('token', sha256(token));
    await run('insert', id, enterpriseId, runId, call.toolCallId, call.tool, sent, sha256(sent), now);
    const result = await run('upsert', enterpriseId, call.arguments.key, JSON.stringify(call.arguments.value), now);
    const ended = await run('update', id, JSON.stringify(result), now);
    await run('commit');
    client.release();
    return { id, toolCallId: call.toolCallId, ...ended };
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

async function runs(token: string, { first, calls }: { first: number; calls: number }) {
  const query = async (name: keyof typeof SQL, ...values: unknown[]) => (await pool.query({ name, text: SQL[name], values })).rows;
  const [session] = await query('session', sha256(token));
  return query('runs', session.enterpriseId, first, calls);
}

async function read(request: IncomingMessage) {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return JSON.parse(text);
}

const server = createServer(async (request, response) => {
  try {
    const token = (request.headers.authorization ?? '').slice('Bearer '.length);
    const answer = await (request.url === '/runs' ? runs : invoke)(token, await read(request));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});

server.listen(0, '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once('SIGTERM', () => process.exit(0));
