import { authenticate } from '../../src/auth/authenticate.ts';
import { RateLimiter } from '../../src/auth/rate-limit.ts';
import { ProcessBus } from '../../src/events/bus.ts';
import { Feeds } from '../../src/events/feed.ts';
import { LiveStreams } from '../../src/events/live-streams.ts';
import type { Kernel } from '../../src/kernel/kernel.ts';
import type { Server } from '../../src/server/server.ts';
import { createServer } from '../../src/server/server.ts';
import { type TestOptions, testKernel } from '../support/app.ts';
import { type Company, makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';

/** A server whose streams can be looked at from inside. */
export interface Scene {
  kernel: Kernel;
  server: Server;
  url: string;
  company: Company;
  harness: Harness;
  feeds: Feeds;
  live: LiveStreams;
}

/** The service without its sweep, on a kernel of its own, with one company. Close its server yourself. */
export async function scene(options: TestOptions = {}, rateLimit = 0): Promise<Scene> {
  const kernel = await testKernel(options);
  const { db, timing, now, log } = kernel;
  const bus = new ProcessBus();
  db.onEvents = (events) => bus.publish(events);
  const feeds = new Feeds({ db, bus, timing, log });
  const live = new LiveStreams({ db, timing, now, log });
  const server = createServer({
    ...{ kernel, bus, feeds, live, limiter: new RateLimiter(rateLimit, now) },
    config: { port: 0, host: '127.0.0.1', development: false },
    authenticate: (authorization: string | null | undefined) => authenticate(db, timing, authorization, now()),
  } as never);
  const { url } = await server.listen();
  const company = await makeCompany(kernel);
  return { kernel, server, url, company, harness: new Harness(url, company), feeds, live };
}
