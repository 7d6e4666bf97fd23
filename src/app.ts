import path from 'node:path';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { authenticate } from './auth/authenticate.ts';
import { LastUse } from './auth/last-use.ts';
import { RateLimiter } from './auth/rate-limit.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { Webhook } from './domain/webhook/webhook.ts';
import { type Bus, ProcessBus } from './events/bus.ts';
import { settleEpoch } from './events/epoch.ts';
import { Feeds } from './events/feed.ts';
import { LiveStreams } from './events/live-streams.ts';
import { pruneEvents } from './events/prune.ts';
import { RedisBus } from './events/redis-bus.ts';
import type { Catalog, Family } from './kernel/define.ts';
import type { Kernel } from './kernel/kernel.ts';
import { within } from './kernel/one-by-one.ts';
import { Registry } from './kernel/registry.ts';
import { startSweep } from './kernel/sweep.ts';
import { Work } from './kernel/work.ts';
import { openLog } from './ops/log.ts';
import { createServer, urlOf } from './server/server.ts';
import { families } from './tools/families.ts';

/** Tools that a service has beside the built-in ones: bound catalogs. */
export interface Additions {
  families?: Family[];
  catalogs?: Catalog[];
  now?: () => Date;
}

/** The service, built but not yet reachable. */
export interface App {
  kernel: Kernel;
  /** For tests that count what is open. */
  live: LiveStreams;
  bus: Bus;
  /** Starts serving and sweeping, and answers the URL. */
  listen(): Promise<string>;
  /** Takes no new work, waits for what is under way as long as `timing.drain` allows, and closes everything. */
  close(): Promise<void>;
}

/**
 * Builds the service: opens the database (applying migrations) and connects the bus. Whoever calls it holds the lock of
 * the embedded database's folder.
 */
export async function createApp(config: Config, additions: Additions = {}, log: Logger = openLog(config.logLevel)): Promise<App> {
  const { timing } = config;
  const home = config.databaseUrl ? { url: config.databaseUrl } : { folder: path.join(config.dataDir, 'database') };
  const db = await openDatabase(home, additions.now);
  const { now } = db;
  const registry = new Registry([...families, ...(additions.families ?? [])], additions.catalogs);
  const kernel: Kernel = { db, registry, timing, now, processId: v7(), log, work: new Work(), publicUrl: addressOf(config) };
  if (await settleEpoch(db, home.folder)) log.warn('The database is not where it was, as after a restore: old event cursors expire');
  const webhook = config.webhook && new Webhook(kernel, config.webhook);
  kernel.webhook = webhook;
  const bus = config.redisUrl ? new RedisBus({ url: config.redisUrl, timing, log }) : new ProcessBus();
  db.onEvents = (events) => bus.publish(events);
  const feeds = new Feeds({ db, bus, timing, log });
  const live = new LiveStreams({ db, timing, now, log });
  const lastUse = new LastUse();
  const server = createServer({
    ...{ kernel, feeds, live, config, bus, limiter: new RateLimiter(config.rateLimit, now) },
    async authenticate(authorization) {
      const caller = await authenticate(db, timing, authorization, now());
      lastUse.note(caller.tokenId, now());
      return caller;
    },
  });
  let sweep: ReturnType<typeof startSweep> | undefined;
  return {
    ...{ kernel, live, bus },
    async listen() {
      const { url } = await server.listen();
      if (!config.publicUrl) kernel.publicUrl = url;
      sweep = startSweep(kernel, [() => lastUse.flush(db), () => pruneEvents(db, now()), async () => webhook?.wake()]);
      return url;
    },
    async close() {
      await server.close();
      webhook?.stop();
      // What takes longer is cut off with its process; its lease runs out, and another one's sweep settles it.
      await within(timing.drain, Promise.all([sweep?.stop(), kernel.work.idle()])).catch(() => {});
      live.close();
      feeds.close();
      await lastUse.flush(db).catch(() => {});
      await bus.close();
      await db.close();
    },
  };
}

/** Where people reach the service, as far as the settings tell: links are made of it. */
const addressOf = ({ publicUrl, host, port }: Config) => (publicUrl ?? urlOf({ port }, host)).replace(/\/+$/, '');
