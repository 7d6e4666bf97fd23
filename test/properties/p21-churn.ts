import { Company } from './harness/company.ts';
import { lastEvent, nameExecution } from './harness/mutations.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Reader } from './harness/reader.ts';
import { channelsOf } from './harness/redis-channels.ts';
import { greetedSocket } from './harness/sockets.ts';
import { eventSource } from './harness/sse.ts';
import { onStage, type Stage } from './harness/stage.ts';
import { eventually, inFlight, range } from './harness/wait.ts';

export const name = 'P21';
export const claim = 'readers that come and go abruptly leave nothing behind';
export const sizes = { small: 300, full: 10_000 };

const SUBSCRIBE = { type: 'subscribe', payload: { query: 'subscription { runEvents { cursor } }' } };

/** Connects, subscribes and goes: by turns while subscribing, once subscribed, and by server-sent events. */
async function cycle(url: string, token: string, index: number) {
  if (index % 3 === 2) {
    const source = await eventSource(url, token, 'subscription { runEvents { cursor } }');
    source.abort();
    return source.ended;
  }
  const raw = await greetedSocket(url, token);
  raw.send({ ...SUBSCRIBE, id: '1' });
  if (index % 3 === 1) {
    raw.send({ ...SUBSCRIBE, id: '2' });
    raw.send({ type: 'ping' });
    await raw.message(({ type }) => type === 'pong');
  }
  raw.socket.terminate();
  await raw.closed;
}

/** What a process holds when everybody has left. */
async function atRest(stage: Stage) {
  const { control } = stage.nodes[0]!;
  await eventually('process that nobody reads from', async () => {
    const { open } = await control.glance();
    return open.streams === 0 && open.sockets === 0;
  });
  return control.state();
}

/** `size` cycles on one process, after some that warm it up. */
export async function run(asked: Asked): Promise<Result> {
  return onStage({ processes: 1 }, async (stage) => {
    const company = await Company.found(stage);
    const findings = new Findings();
    const [url, token] = [stage.urls[0]!, company.ceo.secret];
    const churn = (count: number) => inFlight(8, range(count), (index) => cycle(url, token, index));
    await churn(Math.min(1_000, Math.max(200, asked.size / 5)));
    const before = await atRest(stage);
    await churn(asked.size);
    const after = await atRest(stage);
    const channels = stage.redis
      ? await eventually('Redis without channels', async () => (await channelsOf(stage.redis!.url)) === 0).catch(() => false)
      : true;
    findings.check(channels === true, 'channels are left on Redis');
    findings.same(after.open, { tokens: 0, streams: 0, sockets: 0 }, 'what is left open');
    const grown = (after.memory.heapUsed - before.memory.heapUsed) / 2 ** 20;
    findings.check(grown < 5, 'the heap grew', grown);
    await stillServes(company, findings);
    const found = `${asked.size} cycles: 0 streams, 0 sockets, 0 channels left; heap ${grown >= 0 ? '+' : ''}${grown.toFixed(1)} MB`;
    return findings.result(name, asked, 'live iterators 0, Redis channels 0, listeners 0, heap growth < 5 MB', found);
  });
}

async function stillServes(company: Company, findings: Findings) {
  const url = company.stage.urls[0]!;
  const run = await company.run();
  const reader = await Reader.open(url, company.ceo.secret, await lastEvent(company));
  await nameExecution(url, run, 'after the churn');
  await reader.reaches(1);
  findings.same(reader.told.length, 1, 'a reader afterwards');
  await reader.close();
}
