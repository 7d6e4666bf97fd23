// Loaded into each service process of a property: tools whose effects can be counted, and the places at which the process
// can be made to die or to freeze.
import { createServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { App } from '../../../src/app.ts';
import type { Database, Tx } from '../../../src/db/database.ts';
import type { Catalog, Tool } from '../../../src/kernel/define.ts';
import { makeLedger } from '../../fixtures/ledger.ts';
import type { Point } from './points.ts';
import { makeProbe } from './probe.ts';

const armed: { point?: string; nth: number; signal: NodeJS.Signals } = { nth: 0, signal: 'SIGKILL' };

/** Called at each place; the one that is armed gets its signal. */
function reach(point: Point) {
  if (armed.point !== point || --armed.nth > 0) return;
  armed.point = undefined;
  process.kill(process.pid, armed.signal);
}

/** A handler begins after its call was claimed, and ends before its result is committed. */
function watched(catalog: Catalog): Catalog {
  const tools = catalog.tools.map((tool) => ({
    ...tool,
    handler: async (...[context, input]: Parameters<Tool['handler']>) => {
      if (tool.where === 'outside') reach('after claim');
      const result = await tool.handler(context, input);
      if (tool.where === 'outside') reach('before commit');
      return result;
    },
  }));
  return { ...catalog, tools };
}

function watchTransactions(db: Database) {
  const transaction = db.transaction.bind(db);
  db.transaction = async <T>(work: (tx: Tx) => Promise<T>) => {
    reach('before transaction');
    const result = await transaction((tx) => within(tx, work));
    reach('after commit');
    return result;
  };
}

async function within<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  let committing = false;
  const seen: Tx = {
    get prisma() {
      return tx.prisma;
    },
    async query(query) {
      const rows = await tx.query(query);
      reach('after claim');
      return rows as never;
    },
    async together(...queries) {
      const rows = await tx.together(...queries);
      reach('after claim');
      return rows;
    },
    last(query) {
      reach('before commit');
      committing = true;
      return tx.last(query);
    },
    atCommit: (query) => tx.atCommit(query),
    emit: (event) => tx.emit(event),
    afterCommit: (then) => tx.afterCommit(then),
    savepoint: (inner) => tx.savepoint(inner),
  };
  const result = await work(seen);
  if (!committing) reach('before commit');
  return result;
}

function watchReplies() {
  const end = ServerResponse.prototype.end;
  ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
    if (this.req?.url?.startsWith('/graphql')) reach('before reply');
    return end.apply(this, args as never);
  } as never;
}

function memory() {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage();
}

const delays = monitorEventLoopDelay({ resolution: 1 });
let mostMemory = 0;
setInterval(() => {
  mostMemory = Math.max(mostMemory, process.memoryUsage.rss());
}, 5).unref();

/** The longest time that the event loop was held since the last question, in milliseconds, and the most memory since. */
function strain() {
  const found = { held: delays.max / 1e6, rss: Math.max(mostMemory, process.memoryUsage.rss()) };
  delays.enable();
  delays.reset();
  mostMemory = 0;
  return found;
}

/** Answers what a test asks about the process, and arms its places. */
function answerQuestions(app: App): Promise<number> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://control');
    if (pathname === '/arm') {
      Object.assign(armed, {
        point: searchParams.get('point') ?? undefined,
        nth: Number(searchParams.get('nth')),
        signal: searchParams.get('signal'),
      });
    }
    const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
    response.end(
      JSON.stringify({
        ...(pathname === '/state' && { memory: memory() }),
        ...(pathname === '/strain' && { strain: strain() }),
        rss: process.memoryUsage().rss,
        open: app.live.open,
        sockets,
      }),
    );
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

const ledgerUrl = new URL(import.meta.url).searchParams.get('ledger')!;

export default { catalogs: [watched(makeLedger(ledgerUrl)), watched(makeProbe(ledgerUrl))] };

/** Called once the service is built, before it listens. */
export async function started(app: App) {
  watchTransactions(app.kernel.db);
  watchReplies();
  console.log(`Control port ${await answerQuestions(app)}`);
}
