import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { hasRedisServer, RedisProcess } from '../test/support/redis-process.ts';
import { addRunningRuns, foundCompany } from './company.ts';
import type { BenchServer } from './database.ts';
import { INVOKE } from './load.ts';
import { Poster } from './post.ts';
import { startService } from './processes.ts';
import { type Line, median, milliseconds, quantile } from './report.ts';

const WARM_UP = 50;
const OPENINGS = 200;

interface Opened {
  gateEvents: { kind: string };
}

const WATCH =
  'subscription Watch($after: String) { gateEvents(after: $after) { cursor kind gate { id tool payload createdAt run { id task { name } } } } }';

/** How long after a call a person at another process sees that its gate is open. */
export async function measureGateOpened(server: BenchServer, redisUrl: string | undefined): Promise<Line[]> {
  if (!redisUrl && !hasRedisServer()) return [{ what: 'gate opened → seen at another process', figure: 'left out: no Redis (REDIS_URL)' }];
  const own = redisUrl ? undefined : await RedisProcess.start();
  const company = await foundCompany(await server.createDatabase('gate_opened'));
  const tokens = await addRunningRuns(company, company.gatedTaskId, WARM_UP + OPENINGS);
  const services = await Promise.all([0, 1].map(() => startService(company.databaseUrl, redisUrl ?? own!.url)));
  const poster = new Poster(`${services[0]!.url}/graphql`, 1);
  const { eventCursor } = await poster.send<{ eventCursor: string }>(company.session, '{ eventCursor }', {});
  const watch = watchGates(services[1]!.url, company.session, eventCursor);
  const [fromSent, fromAnswered]: [number[], number[]] = [[], []];
  for (const [n, token] of tokens.entries()) {
    const sent = performance.now();
    const seen = watch.next();
    await poster.send(token, INVOKE, {
      input: { toolCallId: 'call-1', tool: 'os.set_context', arguments: { key: `bench/${n}`, value: n } },
    });
    const answered = performance.now();
    const seenAt = await seen;
    if (n >= WARM_UP) {
      fromSent.push(seenAt - sent);
      fromAnswered.push(seenAt - answered);
    }
  }
  poster.close();
  await watch.close();
  for (const service of services) await service.stop();
  await own?.stop();
  return [
    line('gate opened → seen at another process, from sending the call', fromSent),
    line('  from the answer of the call', fromAnswered),
  ];
}

const line = (what: string, times: number[]): Line => ({
  what,
  figure: `median ${milliseconds(median(times))}, p95 ${milliseconds(quantile(times, 0.95))}`,
});

/** Subscribes to what comes after this cursor. `next`: when the next opened gate arrives. */
function watchGates(url: string, session: string, after: string) {
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${session}` },
    retryAttempts: 0,
  });
  let [onEvent, onError]: [(at: number) => void, (error: Error) => void] = [() => {}, () => {}];
  client.subscribe<Opened>(
    { query: WATCH, variables: { after } },
    {
      next({ data, errors }) {
        if (!data) onError(new Error(JSON.stringify(errors)));
        else if (data.gateEvents.kind === 'OPENED') onEvent(performance.now());
      },
      error: (error) => onError(new Error(String(error))),
      complete: () => onError(new Error('The stream is complete')),
    },
  );
  return {
    next: () =>
      new Promise<number>((resolve, reject) => {
        [onEvent, onError] = [resolve, reject];
      }),
    close: async () => client.dispose(),
  };
}
