import { v7 } from 'uuid';
import { expect, it } from 'vitest';
import { addMember } from '../../src/domain/company/add-member.ts';
import { addPerson } from '../../src/domain/company/add-person.ts';
import { addRole } from '../../src/domain/company/add-role.ts';
import { addTeam } from '../../src/domain/company/add-team.ts';
import { setModelTier } from '../../src/domain/company/model-tiers.ts';
import { testApp } from '../support/app.ts';
import { makeCompany, makeToken } from '../support/company.ts';
import { Harness } from '../support/harness.ts';

const { kernel, url } = await testApp();
const { db, now } = kernel;
const company = await makeCompany(kernel);
const { enterpriseId } = company;
const harness = new Harness(url, company);

/** Characters of four bytes that compress badly. */
const wide = (length: number) =>
  Array.from({ length }, (_, index) => String.fromCodePoint(0x10_000 + ((index * 7_919 + index ** 3) % 0xf_000))).join('');
/** Characters of three bytes: the most bytes where UTF-16 units are counted. */
const units = (length: number) => Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7_919) % 0x5000))).join('');
const slug = () => `s${v7()}`.padEnd(64, 'x');
const email = () => `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(3)}${v7().slice(-6)}.ex`.padEnd(254, 'x').slice(0, 254);

async function calls(tool: string, args: unknown, toolCallId = 'c') {
  const run = await harness.run({ tools: ['os.set_context', 'os.add_execution_link'] });
  const { status, error } = await harness.call(run.token, toolCallId, tool, args);
  expect({ status, error }).toEqual({ status: 'SUCCEEDED', error: null });
}

const START = 'mutation ($input: StartRunInput!) { startRun(input: $input) { id } }';
const starts = async (input: object, more: object = {}) =>
  harness.data(company.apiToken, START, { input: { task: await harness.task(), input, ...more } });

/** For each indexed text, what stores the longest that anybody may store there. */
const LONGEST: Record<string, () => Promise<unknown>> = {
  'Token.hash': () => makeToken(kernel, company, ['runs:read']),
  'ToolCall.boundId': () => calls('os.set_context', { key: 'k', value: 1 }, units(200)),
  'Person.email': () => addPerson(db.prisma, now(), { enterpriseId, name: 'P', email: email() }),
  'Member.email': () => addMember(db.prisma, now(), { enterpriseId, name: 'M', email: email(), persona: 'Long.' }),
  'Team.slug': () => addTeam(db.prisma, now(), { enterpriseId, slug: slug(), name: 'T', charter: 'Long.' }),
  'Role.slug': () => addRole(db.prisma, now(), { enterpriseId, slug: slug(), name: 'R' }),
  'Task.slug': () => harness.task({ slug: slug() }),
  'ContextEntry.key': () => calls('os.set_context', { key: wide(512), value: 1 }),
  'ModelTier.tier': () => setModelTier(kernel, enterpriseId, units(100), { hasKey: true }),
  'IssueMark.repo': () => starts({ repo: units(200), issue: 1 }),
  'Run.startKey': () => starts({}, { idempotencyKey: units(200) }),
  'ExecutionLink.url': () => calls('os.add_execution_link', { name: 'n', url: `https://kites.example/${units(225)}` }),
  ExecutionLink_executionId_url_hash: () => calls('os.add_execution_link', { name: 'n', url: `https://kites.example/${units(224)}?a` }),
  'Run.blockClass': async () => {
    const { token, runId } = await harness.run();
    expect(await harness.drive('blockRun', token, { runId, blockClass: units(200), reason: 'Long.' })).toMatchObject({ status: 'BLOCKED' });
  },
  'Token.claimHash': async () => {
    await harness.start(await harness.task());
    const input = { worker: units(200), claimId: units(200) };
    await harness.data(company.workerToken, 'mutation ($input: ClaimRunInput!) { claimRun(input: $input) { token } }', { input });
  },
  Run_issue: () => starts({ repo: wide(5_000), issue: wide(5_000) }),
  Run_pull_request: () => starts({ repo: wide(5_000), pr: wide(5_000) }),
};

/** Every text column of an index, and every index of an expression. */
const INDEXED = `SELECT DISTINCT CASE WHEN a."attname" IS NULL THEN i."indexrelid"::regclass::text ELSE c."relname" || '.' || a."attname" END AS "name"
  FROM pg_index i JOIN pg_class c ON c."oid" = i."indrelid" CROSS JOIN LATERAL unnest(i."indkey"::int2[]) k("number")
  LEFT JOIN pg_attribute a ON a."attrelid" = c."oid" AND a."attnum" = k."number" AND k."number" > 0
  WHERE c."relnamespace" = 'public'::regnamespace AND c."relname" <> '_prisma_migrations'
    AND (k."number" = 0 OR a."atttypid" IN ('text'::regtype, 'varchar'::regtype))`;

it('knows the longest text of every index', async () => {
  const names = (await db.query<{ name: string }>({ text: INDEXED })).map(({ name }) => name.replaceAll('"', ''));
  expect(names.sort()).toEqual(Object.keys(LONGEST).sort());
});

it.each(Object.entries(LONGEST))('%s takes the longest text that may be stored', async (_, store) => {
  await store();
});
