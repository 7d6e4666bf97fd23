// Writes the next migration: the SQL from the migrations folder (applied to a scratch database) to the schema files.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
// Not Prisma's own adapter: it has no name for Postgres' internal "char", which the catalogs read here are full of.
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { migrate, pendingSql } from '../src/db/migrations.ts';

const name = process.argv[2];
if (!name || !/^[a-z0-9_]+$/.test(name)) {
  console.error('usage: npm run migration <name>    (lower case, digits, underscores)');
  process.exit(1);
}
const scratch = new PrismaPGlite(await PGlite.create());
await migrate(scratch);
const sql = await pendingSql(scratch);
if (/\S/.test(sql.replaceAll(/^--.*$/gm, ''))) {
  const migrations = path.resolve(import.meta.dirname, '../prisma/migrations');
  const number = String(readdirSync(migrations).filter((entry) => /^\d{4}_/.test(entry)).length + 1).padStart(4, '0');
  const folder = path.join(migrations, `${number}_${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'migration.sql'), sql);
  console.log(`Written: ${path.join(folder, 'migration.sql')}`);
} else {
  console.log('The migrations already make what the schema says.');
}
process.exit(0);
