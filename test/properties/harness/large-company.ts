import type { Database } from '../../../src/db/database.ts';
import { copyGate, copyRun, copyTask } from '../../support/copies.ts';
import { invoke } from './calls.ts';
import type { Company } from './company.ts';

/** How much of everything a company has. */
export interface Sizes {
  stopped: number;
  gates: number;
  tasks: number;
}

const TEAMS = 12;
const MEMBERS = 150;

/** 12 teams, 150 members who all hold one role, and texts of every length that is allowed, most of them made by SQL. */
async function staff(db: Database, enterpriseId: string): Promise<void> {
  const ask = (text: string, ...values: unknown[]) => db.query({ text, values: [enterpriseId, ...values] });
  await ask(`INSERT INTO "Role" ("id", "enterpriseId", "slug", "name") VALUES (gen_random_uuid(), $1, 'everybody', 'Everybody')`);
  await ask(
    `INSERT INTO "Team" ("id", "enterpriseId", "slug", "name", "charter", "retroEveryDays", "createdAt")
     SELECT gen_random_uuid(), $1, 'team-' || n, repeat('"', 200), '', 1, now() - interval '9 days' FROM generate_series(1, $2::int) n`,
    TEAMS,
  );
  await ask(
    `INSERT INTO "Member" ("id", "enterpriseId", "name", "email", "persona")
     SELECT gen_random_uuid(), $1, repeat('"', 200), repeat('m', 60) || n || '@kites.example', repeat(E'"\\n', 10000) FROM generate_series(1, $2::int) n`,
    MEMBERS,
  );
  await ask(`INSERT INTO "MemberRole" ("enterpriseId", "memberId", "roleId") SELECT $1, m."id", o."id" FROM "Member" m, "Role" o
    WHERE m."enterpriseId" = $1 AND o."enterpriseId" = $1 AND o."slug" = 'everybody'`);
  await ask(`INSERT INTO "MemberTeam" ("enterpriseId", "memberId", "teamId") SELECT $1, m."id", t."id" FROM "Member" m, "Team" t
    WHERE m."enterpriseId" = $1 AND t."enterpriseId" = $1`);
}

/** Tasks of that role that nobody measures, on a tier without a key, with a tool that is gone. */
async function tasks(db: Database, { enterpriseId }: Company, count: number): Promise<void> {
  const [role] = await db.query<{ id: string }>({
    text: `SELECT "id" FROM "Role" WHERE "enterpriseId" = $1 AND "slug" = 'everybody'`,
    values: [enterpriseId],
  });
  const told = `jsonb_build_object('roleId', '${role!.id}', 'modelTier', repeat('"', 100), 'name', repeat('"', 200), 'tools', '["os.gone"]'::jsonb)`;
  await copyTask(db, enterpriseId, 'free', count, told);
}

const STATUSES = ['FAILED', 'BLOCKED', 'PAUSED', 'FINISHED'];

/** Runs of every section, with long reasons and outcomes. */
async function stoppedRuns(db: Database, company: Company, count: number): Promise<void> {
  const id = await company.failedRun();
  const long = `repeat(E'"\\n', 1000)`;
  for (const status of STATUSES) {
    const told = `jsonb_build_object('status', '${status}', 'stopped', ${status === 'FINISHED'}, 'reason', ${long}, 'blockClass', repeat('"', 100),
      'outcome', repeat('"', 200), 'input', jsonb_build_object('repo', repeat('"', 5000), 'issue', repeat('"', 5000), 'pr', repeat('"', 5000)),
      'escalatedTo', 'CEO', 'escalatedPersonId', '${company.ceoId}', 'escalationNote', ${long}, 'escalatedAt', now())`;
    await copyRun(db, id, count / STATUSES.length, told);
  }
}

/** Waiting gates with payloads of quotes, of numbers, of long keys. */
async function gates(db: Database, company: Company, count: number): Promise<void> {
  const { id, token } = await company.run('gated');
  const call = { toolCallId: 'g', tool: 'os.set_context', arguments: { key: 'k', value: 1 } };
  const { gate } = await invoke(company.stage.urls[0]!, token, call);
  await db.query({ text: `UPDATE "Run" SET "gateSummary" = NULL WHERE "id" = $1`, values: [id] });
  const payload = `CASE n % 3 WHEN 0 THEN jsonb_build_object('key', 'k', 'value', repeat(E'"\\n', 60000))
    WHEN 1 THEN to_jsonb(array_fill(7, ARRAY[8000])) ELSE jsonb_build_object(repeat('"', 16000), 1) END`;
  await copyGate(db, gate!.id, count - 1, `jsonb_build_object('summary', repeat(E'"\\n', 6000), 'payload', ${payload})`);
}

/** Makes a company as large as that. */
export async function enlarge(company: Company, sizes: Sizes): Promise<void> {
  const { db } = company.stage;
  await staff(db, company.enterpriseId);
  await tasks(db, company, sizes.tasks);
  await stoppedRuns(db, company, sizes.stopped);
  await gates(db, company, sizes.gates);
}
