import { TIMING } from '../../src/kernel/kernel.ts';
import { Company } from './harness/company.ts';
import { lastEvent, nameExecution, runEventsAfter } from './harness/mutations.ts';
import { type Asked, Findings, percentile, type Result } from './harness/property.ts';
import { Reader } from './harness/reader.ts';
import { onStage } from './harness/stage.ts';
import { eventually, inTime, passing, range } from './harness/wait.ts';

export const name = 'P18';
export const claim = 'with Redis killed calls go on, and afterwards every subscriber has every event once and in order';
/** Seconds without Redis. */
export const sizes = { small: 2, full: 30 };
export const needsRedis = true;

const PER_SECOND = 20;
const AROUND = 1_000;

/** Calls and subscribers on two processes, before, while and after Redis is dead for `size` seconds. */
export async function run(asked: Asked): Promise<Result> {
  const readers = asked.timed ? 50 : 10;
  return onStage(asked.timed ? { timing: TIMING } : {}, async (stage) => {
    const company = await Company.found(stage);
    const findings = new Findings();
    const runs = await company.runs(4);
    const start = await lastEvent(company);
    const open = await Promise.all(range(readers).map((index) => Reader.open(stage.urls[index % 2]!, company.ceo.secret, start)));
    const [before] = [await Promise.all(stage.nodes.map(({ control }) => control.state()))];
    const calls: Promise<number>[] = [];
    const timer = setInterval(() => {
      const index = calls.length;
      const call = nameExecution(stage.urls[index % 2]!, runs[index % runs.length]!, `p18-${index}`);
      call.catch(() => {}); // told when all are awaited
      calls.push(call);
    }, 1_000 / PER_SECOND);
    await passing(AROUND);
    await stage.redis!.stop();
    await passing(asked.size * 1_000);
    const after = await Promise.all(stage.nodes.map(({ control }) => control.state()));
    await stage.redis!.start();
    await passing(AROUND);
    clearInterval(timer);
    const done = await Promise.allSettled(calls);
    const times = done.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    for (const one of done) if (one.status === 'rejected') findings.check(false, 'a call failed', String(one.reason));
    await eventually('bus that is up again', async () => (await Promise.all(stage.urls.map(busOf))).every((bus) => bus === 'up'));
    const last = await lastEvent(company);
    await Promise.all(
      open.map((reader) =>
        inTime('every event', reader.reaches(last)).catch((error) => findings.check(false, 'events are missing', String(error))),
      ),
    );
    const expected = await runEventsAfter(company, start);
    for (const reader of open) findings.same(reader.numbers, expected, 'what a subscriber was told');
    findings.same(expected.length, calls.length, 'events of the calls');
    await Promise.all(open.map((reader) => reader.close()));
    const slow = Math.round(percentile(times, 0.99));
    if (asked.timed) findings.check(slow < 1_000, 'calls were slow', slow);
    const grown = Math.max(...after.map(({ memory }, index) => memory.heapUsed - before![index]!.memory.heapUsed)) / 2 ** 20;
    if (asked.timed) findings.check(grown < 32, 'memory piled up', grown);
    const found = `${calls.length} calls, p99 ${slow} ms, ${readers} subscribers × ${expected.length} events: 0 lost, 0 doubled; heap +${grown.toFixed(1)} MB`;
    return findings.result(name, asked, 'calls succeed with p99 < 1 s; lost 0, doubled 0', found);
  });
}

export const busOf = async (url: string): Promise<string> => ((await (await fetch(`${url}/ready`)).json()) as { bus: string }).bus;
