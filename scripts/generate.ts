// Writes what is derived: Prisma's client and types, and schema.graphql.
// --compare: fails when that changed a file, so that what is stored is what the code says.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const SCHEMA = 'schema.graphql';

function contents(): Map<string, string> {
  const generated = readdirSync(path.join(ROOT, 'src/db/generated'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));
  const files = [...generated, 'src/db/pothos-types.ts', SCHEMA].filter((file) => existsSync(path.join(ROOT, file)));
  return new Map(files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]));
}

async function generate() {
  const prisma = path.join(ROOT, 'node_modules/prisma/build/index.js');
  // Prisma starts its generators by their names.
  const env = { ...process.env, PATH: [path.join(ROOT, 'node_modules/.bin'), process.env.PATH].join(path.delimiter) };
  execFileSync(process.execPath, [prisma, 'generate', '--no-hints'], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  // Loaded now: the code behind it imports what was just written.
  const { printedSchema } = await import('../src/graphql/print.ts');
  const { Registry } = await import('../src/kernel/registry.ts');
  const { families } = await import('../src/tools/families.ts');
  writeFileSync(path.join(ROOT, SCHEMA), printedSchema(new Registry(families)));
}

const before = contents();
await generate();
const after = contents();
const changed = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));
for (const file of changed) console.log(`changed: ${file}`);
if (process.argv.includes('--compare') && changed.length > 0) {
  console.error('These files were not as the code derives them. They are now: look at the changes and store them.');
  process.exit(1);
}
