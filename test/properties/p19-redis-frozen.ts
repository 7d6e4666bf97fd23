import { TIMING } from '../../src/kernel/kernel.ts';
import { Company } from './harness/company.ts';
import { lastEvent, nameExecution, runEventsAfter } from './harness/mutations.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Reader } from './harness/reader.ts';
import { onStage } from './harness/stage.ts';
import { eventually, passing } from './harness/wait.ts';
import { busOf } from './p18-redis-killed.ts';

export const name = 'P19';
export const claim = 'a Redis that stops answering is noticed, and events come again when it does';
/** Seconds for which it is frozen. */
export const sizes = { small: 2, full: 60 };
export const needsRedis = true;

/** Nothing is found by polling here: what arrives came by Redis, or by the look that its return brings. */
const NEVER = { eventPoll: 3_600_000 };

/** Freezes Redis for `size` seconds, with its connections open. */
export async function run(asked: Asked): Promise<Result> {
  const timing = { ...(asked.timed && { redisPing: TIMING.redisPing }), ...NEVER };
  return onStage({ timing }, async (stage) => {
    const company = await Company.found(stage);
    const findings = new Findings();
    const run = await company.run();
    const [one, other] = stage.urls as [string, string];
    const start = await lastEvent(company);
    const reader = await Reader.open(other, company.ceo.secret, start);
    await nameExecution(one, run, 'before');
    await reader.reaches(start + 1);
    stage.redis!.signal('SIGSTOP');
    const frozen = performance.now();
    try {
      await eventually('process that notices', async () => (await Promise.all(stage.urls.map(busOf))).every((bus) => bus === 'down'));
      const noticed = Math.round(performance.now() - frozen);
      if (asked.timed) findings.check(noticed <= 15_000, 'noticed late', noticed);
      await nameExecution(one, run, 'while frozen');
      await passing(Math.max(0, asked.size * 1_000 - (performance.now() - frozen)));
      stage.redis!.signal('SIGCONT');
      await eventually('bus that is up again', async () => (await Promise.all(stage.urls.map(busOf))).every((bus) => bus === 'up'));
      await reader.reaches(start + 2);
      await nameExecution(one, run, 'after');
      await reader.reaches(start + 3);
      findings.same(reader.numbers, await runEventsAfter(company, start), 'what the subscriber was told');
      await reader.close();
      const found = `noticed after ${noticed} ms, resubscribed; the events of before, meanwhile and after came once`;
      return findings.result(name, asked, 'noticed within 15 s by ping, resubscribed, later events arrive', found);
    } finally {
      stage.redis!.signal('SIGCONT');
    }
  });
}
