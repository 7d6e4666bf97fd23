// Writes the next migration: the SQL from the migrations folder (applied to a scratch database) to the schema files.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
// Not Prisma's own adapter: it has no name for Postgres' internal "char", which the catalogs read here are full of.
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { knownMigrations, MIGRATIONS, migrate } from '../src/db/migrations.ts';
import { onPGlite } from '../src/db/pool.ts';
import { pendingSql } from './schema-engine.ts';

const name = process.argv[2];
if (!name || !/^[a-z0-9_]+$/.test(name)) {
  console.error('usage: npm run migration <name>    (lower case, digits, underscores)');
  process.exit(1);
}
const scratch = await PGlite.create();
const client = await onPGlite(scratch).connect();
await migrate(client as never);
const sql = await pendingSql(new PrismaPGlite(scratch));
if (/\S/.test(sql.replaceAll(/^--.*$/gm, ''))) {
  const next = Number(knownMigrations().at(-1)!.name.slice(0, 4)) + 1;
  const number = String(next).padStart(4, '0');
  const folder = path.join(MIGRATIONS, `${number}_${name}`);
  mkdirSync(folder, { recursive: true });
  // To be lowered to the newest migration of the previous release, which must go on working: see docs/operating.md.
  writeFileSync(path.join(folder, 'migration.sql'), `-- keeps ${String(next - 1).padStart(4, '0')}\n${sql}`);
  console.log(`Written: ${path.join(folder, 'migration.sql')}`);
} else {
  console.log('The migrations already make what the schema says.');
}
process.exit(0);
