import { defineConfig } from 'prisma/config';

// Only `prisma generate` runs from here, and it needs no engine: naming any existing program keeps it from downloading one.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: 'prisma/schema', migrations: { path: 'prisma/migrations' } });
