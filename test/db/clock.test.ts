import { afterAll, describe, expect, it } from 'vitest';
import { DatabaseClock } from '../../src/db/clock.ts';
import { openDatabase } from '../../src/db/database.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { testDatabase } from '../support/database.ts';
import { graphqlData } from '../support/graphql-client.ts';
import { Harness } from '../support/harness.ts';
import { startProcess } from '../support/service.ts';

/** A database whose clock is ahead of this process by so many milliseconds. */
function ahead(by: () => number) {
  const db = { query: async () => [{ at: performance.now() + by() }] as never };
  return new DatabaseClock(db);
}

describe('the clock', () => {
  it('shows what the database shows, within the time that asking takes', async () => {
    const database = await testDatabase();
    afterAll(database.drop);
    const db = await openDatabase({ url: database.url });
    const read = async () => (await db.query<{ at: Date }>({ text: 'SELECT clock_timestamp() AS at' }))[0]!.at.getTime();
    const earlier = await read();
    const shown = db.now().getTime();
    const later = await read();
    expect(shown).toBeGreaterThanOrEqual(earlier - 5_000);
    expect(shown).toBeLessThanOrEqual(later + 5_000);
    await db.close();
  });

  it('stands still instead of going back, and then goes on', async () => {
    let by = 1_000_000;
    const clock = ahead(() => by);
    await clock.set();
    const first = clock.now().getTime();
    by -= 50_000;
    await clock.set();
    expect(clock.now().getTime()).toBe(first);
    by += 60_000;
    await clock.set();
    expect(clock.now().getTime() - first).toBeGreaterThanOrEqual(10_000);
  });

  it('is not moved by an answer that was slow', async () => {
    let slow = false;
    const db = {
      async query() {
        const at = performance.now() + 5_000;
        if (slow) await new Promise((resolve) => setTimeout(resolve, 400));
        return [{ at }] as never;
      },
    };
    const clock = new DatabaseClock(db);
    await clock.set();
    const before = clock.now().getTime() - performance.now();
    slow = true;
    await clock.set();
    expect(Math.abs(clock.now().getTime() - performance.now() - before)).toBeLessThan(150);
  });
});

describe('a process whose own clock is 95 s ahead', () => {
  it('takes no run that another worker drives, and sees no lease run out', { timeout: 120_000 }, async () => {
    const app = await testApp();
    const company = await makeCompany(app.kernel);
    const harness = new Harness(app.url, company);
    const { runId, attempt } = await harness.run({ slug: 'driven' });
    const skewed = await startProcess({ databaseUrl: app.config.databaseUrl }, new URL('../support/skewed.ts', import.meta.url));
    const claim = 'mutation ($input: ClaimRunInput!) { claimRun(input: $input) { run { id attempt } } }';
    const { claimRun } = await graphqlData(skewed.url, company.workerToken, claim, { input: { worker: 'w-2', tasks: ['driven'] } });
    expect(claimRun).toBe(null);
    const { run } = await graphqlData(skewed.url, company.ceoSession, 'query ($id: ID!) { run(id: $id) { attempt stalled } }', {
      id: runId,
    });
    expect(run).toEqual({ attempt, stalled: false });
    await skewed.stop();
  });
});
