import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { createApp } from '../../src/app.ts';
import { type Config, configFrom } from '../../src/config.ts';
import type { Kernel, Timing } from '../../src/kernel/kernel.ts';
import { testDatabase } from './database.ts';
import { SHORT } from './timing.ts';

type Additions = Parameters<typeof createApp>[1];

/** What a test wants different: `home: 'embedded'` is the default without any configuration, in a folder of its own. */
export interface TestOptions {
  home?: 'postgres' | 'embedded';
  config?: Partial<Omit<Config, 'timing'>>;
  timing?: Partial<Timing>;
  additions?: Additions;
}

export interface TestApp {
  kernel: Kernel;
  url: string;
  /** To start further processes on the same records. */
  config: Config;
  close(): Promise<void>;
}

/** The service on a database and a port of its own. Call it at the top of a file or `describe`: it ends after that one. */
export async function testApp(options: TestOptions = {}): Promise<TestApp> {
  const { app, config, end } = await made(options);
  const url = await app.listen().catch(async (error) => {
    await end();
    throw error;
  });
  afterAll(end);
  return { kernel: app.kernel, url, config, close: end };
}

/** The same without a server. */
export async function testKernel(options: TestOptions = {}): Promise<Kernel> {
  const { app, end } = await made(options);
  afterAll(end);
  return app.kernel;
}

async function made({ home = 'postgres', config: wanted, timing, additions }: TestOptions) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'gatehouse-test-'));
  const database = home === 'postgres' ? await testDatabase() : undefined;
  const config: Config = {
    ...configFrom({ DATA_DIR: dataDir, DATABASE_URL: database?.url, LOG_LEVEL: 'warn' }),
    port: 0,
    rateLimit: 0,
    ...wanted,
    timing: { ...SHORT, ...timing },
  };
  const app = await createApp(config, additions);
  let ended: Promise<void> | undefined;
  async function close() {
    await app.close();
    await database?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return { app, config, end: () => (ended ??= close()) };
}
