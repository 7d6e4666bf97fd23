import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Config } from '../../src/config.ts';
import type { Timing } from '../../src/kernel/kernel.ts';
import { mortal } from './children.ts';
import { SHORT } from './timing.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A service in a process of its own. */
export interface Service {
  url: string;
  pid: number;
  /** What it has printed so far. */
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Its end, whenever that comes. */
  ended: Promise<Ended>;
  /** SIGTERM, and its end. */
  stop(): Promise<Ended>;
}

/** Starts `src/main.ts` with exactly these settings, and waits for the line with its URL. Rejects when it ends before. */
export const startService = (settings: Record<string, string>, within?: string[]): Promise<Service> =>
  ready(start('src/main.ts', settings, [], within));

/** Starts `src/main.ts`, to be ended at whatever point. */
export const beginService = (settings: Record<string, string>): Started => start('src/main.ts', settings);

/** Runs `src/main.ts` with settings that it cannot start with, to its end. */
export const runService = (settings: Record<string, string>, within?: string[]): Promise<Ended> =>
  start('src/main.ts', settings, [], within).ended;

/**
 * Starts a service with a config of the test's own: short timings, and additions that a module exports as `default`.
 * What is left out is as in `configFrom({})`, on a free port, with `SHORT` timings.
 */
export function startProcess(config: Partial<Config> & { timing?: Partial<Timing> }, additions?: URL): Promise<Service> {
  const told = JSON.stringify({ port: 0, logLevel: 'warn', ...config, timing: { ...SHORT, ...config.timing } });
  return ready(start('test/support/service-process.ts', { TEST_CONFIG: told, ...(additions && { TEST_ADDITIONS: additions.href }) }));
}

/** Runs `npm run admin` with these arguments, or another program of the operator, to its end. */
export const runOperator = (args: string[], settings: Record<string, string>, file = 'src/ops/admin.ts'): Promise<Ended> =>
  start(file, settings, args).ended;

interface Started {
  child: ChildProcess;
  said: { stdout: string; stderr: string };
  ended: Promise<Ended>;
}

/** `within`: a command that runs the rest of its arguments. */
function start(file: string, settings: Record<string, string>, args: string[] = [], within: string[] = []): Started {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { ...(PATH && { PATH }), ...(HOME && { HOME }), ...(TMPDIR && { TMPDIR }), ...settings };
  const [command, ...rest] = [...within, process.execPath, '--import', 'tsx', file, ...args];
  const child = mortal(spawn(command!, rest, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said.stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...said }));
  });
  killAtTheEnd(child);
  return { child, said, ended };
}

/** Within a test it ends with that test. At the top of a file or in a hook whoever starts it also stops it. */
function killAtTheEnd(child: ChildProcess) {
  try {
    onTestFinished(() => void child.kill('SIGKILL'));
  } catch {}
}

async function ready({ child, said, ended }: Started): Promise<Service> {
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', () => {
      const line = said.stdout.match(/^.*(http:\/\/\S+)\n/m);
      if (line) resolve(line[1]!);
    });
    ended.then(
      ({ code, signal, stderr, stdout }) => reject(new Error(`It ended with ${code ?? signal} before it was ready:\n${stdout}${stderr}`)),
      reject,
    );
  });
  return {
    url,
    pid: child.pid!,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    kill: (signal) => void child.kill(signal),
    ended,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
