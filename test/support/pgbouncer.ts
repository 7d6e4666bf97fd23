import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mortal } from './children.ts';
import { type StartedServer, serverUser } from './embedded-postgres.ts';
import { freePort } from './free-port.ts';

/** Whether this machine has a `pgbouncer` to start. */
export const hasPgBouncer = () => spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status === 0;

/** A PgBouncer of the test's own in front of the server of this URL, with these settings beside its defaults. */
export async function startPgBouncer(target: string, settings: Record<string, string> = {}): Promise<Pick<StartedServer, 'url' | 'stop'>> {
  const { hostname, port: behind, username } = new URL(target);
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-pgbouncer-'));
  const port = await freePort();
  const users = path.join(folder, 'users.txt');
  const file = path.join(folder, 'pgbouncer.ini');
  const own = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    default_pool_size: 2,
  };
  const lines = Object.entries({ ...own, ...settings }).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(users, `"${username}" ""\n`);
  writeFileSync(file, `[databases]\n* = host=${hostname} port=${behind}\n[pgbouncer]\n${lines.join('\n')}\n`);
  chmodSync(folder, 0o755);
  const server = mortal(spawn('pgbouncer', [file], { ...serverUser(), stdio: ['ignore', 'ignore', 'pipe'] }));
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (text: Buffer) => {
      said += text;
      if (said.includes('process up')) resolve();
    });
    server.once('error', reject);
    void ended.then(() => reject(new Error(`pgbouncer ended:\n${said}`)));
  });
  const url = new URL(target);
  url.port = String(port);
  return {
    url: url.href,
    async stop() {
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
