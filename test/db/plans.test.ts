import { readdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, expect, it, vi } from 'vitest';
import { SESSION } from '../../src/db/pool.ts';
import { testDatabase } from '../support/database.ts';

const texts = vi.hoisted(() => new Map<string, string>());
vi.mock('../../src/db/statement.ts', async (original) => {
  const real = await original<typeof import('../../src/db/statement.ts')>();
  const statement = (name: string, text: string) => {
    texts.set(name, text);
    return real.statement(name, text);
  };
  return { ...real, statement };
});

const SRC = path.resolve(import.meta.dirname, '../../src');
const PROGRAMS = ['main.ts', 'ops/admin.ts'];
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.startsWith('db/generated') && !PROGRAMS.includes(file),
);
for (const file of files) await import(path.join(SRC, file));

const database = await testDatabase();
const client = new pg.Client({ connectionString: database.url, options: `${SESSION} -c plan_cache_mode=force_generic_plan` });
await client.connect();
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** One row a company or fewer, for those who look after all companies; and the catalogue of databases. */
const READ_WHOLE = ['Enterprise', 'EventCounter', 'EventEpoch', 'Enterprise_pkey', '_prisma_migrations'];

/** From archived task to archived task: their number is that of versions that people have put away. */
const ARCHIVED = 'archived_tasks_with_waiting_runs: Task';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

async function planOf(name: string, text: string): Promise<Plan> {
  await client.query(`PREPARE "${name}" AS ${text}`);
  const { rows } = await client.query('SELECT cardinality(parameter_types) AS many FROM pg_prepared_statements WHERE name = $1', [name]);
  const values = Array.from({ length: rows[0].many }, () => 'NULL').join(', ');
  const explained = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE "${name}"${values && `(${values})`}`);
  return explained.rows[0]['QUERY PLAN'][0].Plan;
}

it('no statement reads a table from end to end, even as planned while there was nothing in it', async () => {
  const whole: string[] = [];
  for (const [name, text] of texts) {
    if (!/^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)/i.test(text)) continue;
    for (const node of nodes(await planOf(name, text))) {
      const table = node['Relation Name'];
      if (table && node['Node Type'] === 'Seq Scan' && !READ_WHOLE.includes(table)) whole.push(`${name}: ${table}`);
      if (node['Node Type'].startsWith('Index') && !node['Index Cond'] && !READ_WHOLE.includes(node['Index Name']!))
        whole.push(`${name}: ${node['Index Name']}`);
    }
  }
  expect(whole).toEqual([ARCHIVED]);
});
