import { rmSync } from 'node:fs';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Answer } from './admin-arguments.ts';
import { StartError } from './start-error.ts';

/** The system's own limit, less one for the end of the text. */
const LONGEST = process.platform === 'linux' ? 107 : 103;
const REQUEST_LIMIT = 65_536;

/** The shorter spelling, as the system cuts the path of a socket. */
function socketFile(dataDir: string): string {
  const absolute = path.resolve(dataDir, 'admin.sock');
  const relative = path.relative(process.cwd(), absolute);
  const file = relative.length < absolute.length ? relative : absolute;
  if (Buffer.byteLength(file) <= LONGEST) return file;
  throw new StartError(`The folder of DATA_DIR (${dataDir}) has too long a path for the socket in it: at most ${LONGEST} bytes.`);
}

/**
 * Listens in the data folder for `npm run admin`: one JSON line with the arguments in, one with the answer out. Only the
 * user of the service may connect. The caller owns the folder: a socket that is there is a dead process's.
 */
export async function serveAdmin(dataDir: string, run: (args: string[]) => Promise<Answer>): Promise<{ close(): Promise<void> }> {
  const file = socketFile(dataDir);
  rmSync(file, { force: true });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    void answer(socket, run);
  });
  await listen(server, file);
  return {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function listen(server: Server, file: string) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const before = process.umask(0o177); // the file is made within listen(): it is never open to others
    try {
      server.listen(file, () => resolve());
    } finally {
      process.umask(before);
    }
  });
}

async function answer(socket: Socket, run: (args: string[]) => Promise<Answer>) {
  try {
    const args = JSON.parse(await firstLine(socket)) as string[];
    socket.end(`${JSON.stringify(await run(args))}\n`);
  } catch {
    socket.destroy(); // whatever was sent, it was no admin command of ours
  }
}

async function firstLine(socket: Socket): Promise<string> {
  let received = '';
  for await (const chunk of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    received += chunk;
    if (received.includes('\n')) return received.slice(0, received.indexOf('\n'));
    if (received.length > REQUEST_LIMIT) break;
  }
  throw new Error('No line was sent');
}

/** Lets the running service do it. Null when none listens in this folder. */
export async function askService(dataDir: string, args: string[]): Promise<Answer | null> {
  const socket = await connected(socketFile(dataDir));
  if (!socket) return null;
  socket.write(`${JSON.stringify(args)}\n`);
  const line = await text(socket);
  if (line === '') throw new StartError('The service ended before it answered: look at its log.');
  return JSON.parse(line) as Answer;
}

/** Whether a service listens in this folder. */
export async function isServed(dataDir: string): Promise<boolean> {
  const socket = await connected(socketFile(dataDir));
  socket?.destroy();
  return socket !== null;
}

function connected(file: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = dial(file, () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'ENOTDIR') resolve(null);
      else reject(new StartError(`The socket of the running service (${file}) cannot be used: ${error.message}`));
    });
  });
}
