import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Order, Outcome } from './load.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const TYPESCRIPT = ['--import', 'tsx'];

/** A server in a process of its own. */
export interface Server {
  url: string;
  stop(): Promise<void>;
}

/** The service as it is started in production, without a rate limit. */
export async function startService(databaseUrl: string, redisUrl?: string): Promise<Server> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-'));
  const server = await start('src/main.ts', {
    ...{ NODE_ENV: 'production', PORT: '0', RATE_LIMIT: '0', LOG_LEVEL: 'warn' },
    ...{ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl ?? '', DATA_DIR: folder },
  });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The handler by hand that the service is compared with. */
export const startBareServer = (databaseUrl: string): Promise<Server> =>
  start('bench/bare-server.ts', { NODE_ENV: 'production', DATABASE_URL: databaseUrl });

async function start(file: string, settings: Record<string, string>): Promise<Server> {
  const child = spawn(process.execPath, [...TYPESCRIPT, file], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endsWithThisProcess(child);
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const line = said.match(/(http:\/\/\S+)\n/);
      if (line) resolve(line[1]!);
    });
    child.once('exit', (code, signal) => reject(new Error(`${file} ended with ${code ?? signal} before it was ready`)));
  });
  return {
    url,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The load generator in a process of its own. */
export interface Load {
  /** Sends requests as the order says, and answers how many were answered in how long. */
  run(order: Order): Promise<Outcome>;
  stop(): void;
}

export function startLoad(): Load {
  const child = fork(path.join(ROOT, 'bench/load.ts'), { cwd: ROOT, execArgv: TYPESCRIPT });
  endsWithThisProcess(child);
  return {
    run: (order) =>
      new Promise((resolve, reject) => {
        const onExit = () => reject(new Error('The load generator ended'));
        child.once('exit', onExit);
        child.once('message', (outcome: Outcome & { error?: string }) => {
          child.removeListener('exit', onExit);
          if (outcome.error) reject(new Error(outcome.error));
          else resolve(outcome);
        });
        child.send(order);
      }),
    stop: () => child.disconnect(),
  };
}

const running = new Set<ChildProcess>();

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function endsWithThisProcess(child: ChildProcess) {
  running.add(child);
  child.once('exit', () => running.delete(child));
}
