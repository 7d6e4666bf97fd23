import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { createApp } from '../src/app.ts';
import { hashOf, issueToken } from '../src/auth/tokens.ts';
import { configFrom } from '../src/config.ts';
import { addMember } from '../src/domain/company/add-member.ts';
import { createEnterprise } from '../src/domain/company/create-enterprise.ts';
import { storeTask } from '../src/domain/task/save-task.ts';
import { taskDraft } from '../src/domain/task/save-task-input.ts';
import type { Kernel } from '../src/kernel/kernel.ts';
import { onDatabase } from './database.ts';

/** A company to measure with: plainly fictitious. */
export interface Company {
  databaseUrl: string;
  enterpriseId: string;
  /** A session of the CEO. */
  session: string;
  memberIds: string[];
  /** Tasks whose runs call os.set_context freely, and one on which each such call waits at a gate. */
  openTaskIds: string[];
  gatedTaskId: string;
}

const PEOPLE = 20;
const TASKS = 10;

/** Founds the company in an empty database. */
export async function foundCompany(databaseUrl: string): Promise<Company> {
  const { kernel, close } = await createApp(configFrom({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' }));
  try {
    return await kernel.db.transaction(async (tx) => {
      const { prisma } = tx;
      const ceo = { name: 'Clementine Bench', email: 'clementine@bench.example' };
      const { enterpriseId, ceoId } = await createEnterprise(prisma, kernel.now(), { name: 'Bench & Daughters', timezone: 'UTC', ceo });
      const memberIds: string[] = [];
      for (let n = 1; n <= PEOPLE; n++) {
        const member = { enterpriseId, name: `Member ${n}`, email: `member-${n}@bench.example`, persona: 'Measures.' };
        memberIds.push(await addMember(prisma, kernel.now(), member));
      }
      const openTaskIds: string[] = [];
      for (let n = 1; n <= TASKS; n++) openTaskIds.push(await addTask(kernel, tx, enterpriseId, `measure-${n}`, false));
      const gatedTaskId = await addTask(kernel, tx, enterpriseId, 'measure-gated', true);
      const session = await issueToken(tx, { enterpriseId, kind: 'SESSION', name: 'bench', personId: ceoId, createdAt: kernel.now() });
      return { databaseUrl, enterpriseId, session: session.secret, memberIds, openTaskIds, gatedTaskId };
    });
  } finally {
    await close();
  }
}

async function addTask(kernel: Kernel, tx: Parameters<typeof storeTask>[0], enterpriseId: string, slug: string, gated: boolean) {
  const draft = taskDraft({
    slug,
    name: `Task ${slug}`,
    goal: 'Keep a figure in the shared context.',
    osOwned: true,
    tools: ['os.set_context', 'os.get_context', 'os.set_execution_name'],
    gates: gated ? [{ tool: 'os.set_context' }] : [],
    maxConcurrency: 1_000,
    spendLimitCents: 100,
  });
  const { errors } = await storeTask(tx, kernel, { operator: true, enterpriseId }, draft);
  if (errors.length > 0) throw new Error(`The task ${slug} cannot be saved: ${JSON.stringify(errors)}`);
  return (await tx.prisma.task.findFirstOrThrow({ where: { enterpriseId, slug } })).id;
}

const insertRunning = `
  WITH numbered AS (SELECT gen_random_uuid() AS id, gen_random_uuid() AS execution, hash, n FROM unnest($3::text[]) WITH ORDINALITY AS t(hash, n)),
  executions AS (INSERT INTO "Execution" ("id", "enterpriseId", "name") SELECT execution, $1, 'Bench' FROM numbered),
  runs AS (
    INSERT INTO "Run" ("id", "enterpriseId", "taskId", "taskVersion", "executionId", "memberId", "status", "attempt", "input", "worker",
      "leaseExpiresAt", "startedAt")
    SELECT id, $1, $2, 1, execution, ($4::uuid[])[1 + n % cardinality($4::uuid[])], 'RUNNING', 1, '{}', 'bench', now() + interval '1 day', now()
    FROM numbered
  )
  INSERT INTO "Token" ("id", "enterpriseId", "kind", "hash", "name", "scopes", "runId", "attempt")
  SELECT gen_random_uuid(), $1, 'RUN', hash, 'run ' || id, '{}', id, 1 FROM numbered`;

/** Adds runs of the task that are running, leased for a day, and answers their tokens. */
export async function addRunningRuns(company: Company, taskId: string, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => `ghr_${randomBytes(32).toString('base64url')}`);
  await onDatabase(company.databaseUrl, (client: pg.Client) =>
    client.query(insertRunning, [company.enterpriseId, taskId, tokens.map(hashOf), company.memberIds]),
  );
  return tokens;
}
