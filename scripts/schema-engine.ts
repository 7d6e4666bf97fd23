import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { bindMigrationAwareSqlAdapterFactory, type SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { MIGRATIONS, type Migration } from '../src/db/migrations.ts';

const SCHEMA = path.resolve(import.meta.dirname, '../prisma/schema');
const filters = { externalTables: [], externalEnums: [] };

interface SchemaEngine {
  applyMigrations(input: object): Promise<{ appliedMigrationNames: string[] }>;
  diff(input: object): Promise<{ stdout: string | null }>;
  free(): void;
}

interface Wasm {
  __wbg_set_wasm(exports: unknown): void;
  SchemaEngine: { new: (options: object, log: () => void, adapter: unknown) => Promise<SchemaEngine> };
}

let loaded: Wasm | undefined;

/** Prisma's schema engine as WebAssembly: nothing to download, and it runs over a driver adapter. */
function wasm(): Wasm {
  if (loaded) return loaded;
  const folder = path.dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const module = new WebAssembly.Module(readFileSync(path.join(folder, 'schema_engine_bg.wasm')));
  const instance = new WebAssembly.Instance(module, { './schema_engine_bg.js': bindings as never });
  loaded = bindings as unknown as Wasm;
  loaded.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return loaded;
}

const schemaFiles = () =>
  readdirSync(SCHEMA)
    .filter((name) => name.endsWith('.prisma'))
    .sort()
    .map((name) => ({ path: path.join(SCHEMA, name), content: readFileSync(path.join(SCHEMA, name), 'utf8') }));

function engine(adapter: SqlMigrationAwareDriverAdapterFactory): Promise<SchemaEngine> {
  const datamodels = schemaFiles().map((file) => [file.path, file.content]);
  return wasm().SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(adapter));
}

/** Applies migrations as Prisma's own tools do, and answers the names of those that were applied. */
export async function migrateByPrisma(adapter: SqlMigrationAwareDriverAdapterFactory, migrations: Migration[]): Promise<string[]> {
  const migrationDirectories = migrations.map(({ name, sql }) => ({
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
  }));
  const lockfile = { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' };
  const migrationsList = { baseDir: MIGRATIONS, lockfile, shadowDbInitScript: '', migrationDirectories };
  const runner = await engine(adapter);
  try {
    return (await runner.applyMigrations({ migrationsList, filters })).appliedMigrationNames;
  } finally {
    runner.free();
  }
}

/** The SQL from what `adapter`'s database has to what the schema files want. */
export async function pendingSql(adapter: SqlMigrationAwareDriverAdapterFactory): Promise<string> {
  const files = schemaFiles();
  const from = { tag: 'schemaDatasource', files, configDir: SCHEMA };
  const to = { tag: 'schemaDatamodel', files, configDir: SCHEMA };
  const runner = await engine(adapter);
  try {
    const { stdout } = await runner.diff({ from, to, script: true, exitCode: null, shadowDatabaseUrl: null, filters });
    return stdout ?? '';
  } finally {
    runner.free();
  }
}
