import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mortal } from './children.ts';
import { freePort } from './free-port.ts';

/** Whether this machine has a `redis-server` to start. */
export const hasRedisServer = () => spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;

/** A Redis of the test's own, to be stopped, frozen and started again under the same address. Keeps nothing. */
export class RedisProcess {
  #server: ChildProcess | undefined;

  private constructor(readonly port: number) {}

  get url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts one on a free port, or on the given one, and waits until it accepts connections. */
  static async start(port?: number): Promise<RedisProcess> {
    const redis = new RedisProcess(port ?? (await freePort()));
    await redis.start();
    return redis;
  }

  async start(): Promise<void> {
    const flags = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const server = mortal(spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'ignore'] }));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.stdout.on('data', (text: Buffer) => text.includes('Ready to accept connections') && resolve());
      server.once('error', reject);
      server.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
    });
  }

  /** SIGSTOP: connections stay open and nothing answers. SIGCONT: it goes on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT') {
    this.#server?.kill(signal);
  }

  /** Kills it and waits for its end. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }
}
