import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a process and Postgres and counts the statements that pass. */
export interface StatementCounter {
  url: string;
  /** How many statements were executed while `work` ran. */
  during(work: () => Promise<unknown>): Promise<number>;
  stop(): void;
}

const EXECUTE = 'E'.charCodeAt(0);
const SIMPLE_QUERY = 'Q'.charCodeAt(0);

/** Calls `onMessage` with the type of each message a client sends; its first message has none. */
function messagesOf(client: Socket, onMessage: (type: number) => void) {
  let unread = Buffer.alloc(0);
  let typed = 0;
  client.on('data', (part: Buffer) => {
    unread = Buffer.concat([unread, part]);
    while (unread.length >= typed + 4) {
      const length = typed + unread.readUInt32BE(typed);
      if (unread.length < length) return;
      if (typed === 1) onMessage(unread[0]!);
      typed = 1;
      unread = unread.subarray(length);
    }
  });
}

export async function startStatementCounter(databaseUrl: string): Promise<StatementCounter> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let statements = 0;
  const proxy = createServer((client) => {
    const server = connect(Number(target.port || 5432), target.hostname);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).pipe(other);
    }
    messagesOf(client, (type) => {
      if (type === EXECUTE || type === SIMPLE_QUERY) statements++;
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    async during(work) {
      const before = statements;
      await work();
      return statements - before;
    },
    stop() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
