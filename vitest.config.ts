import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

const { TEST_REPORT } = process.env;

export default defineConfig({
  // One graphql: the libraries are loaded by Node, which takes this file, and ours by Vite, which would take another.
  resolve: { alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    pool: 'forks',
    maxWorkers: 2, // tests mostly wait; more would make each other late
    testTimeout: 30_000,
    hookTimeout: 120_000,
    reporters: TEST_REPORT ? ['default', ['json', { outputFile: TEST_REPORT }]] : ['default'],
  },
});
