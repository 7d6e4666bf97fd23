import { describe, expect, it } from 'vitest';
import { testApp } from '../../support/app.ts';
import { makeClock } from '../../support/clock.ts';
import { makeCompany } from '../../support/company.ts';
import { Harness } from '../../support/harness.ts';

const clock = makeClock();
const { kernel, url } = await testApp({ additions: { now: clock.now }, timing: { sweep: 3_600_000 } });
const company = await makeCompany(kernel);
const harness = new Harness(url, company);
const CLAIM = 'mutation ($input: ClaimRunInput!) { claimRun(input: $input) { run { id attempt status worker } token leaseExpiresAt } }';
const ASK = { questions: [{ number: 1, question: 'q', context: 'c', ctoRecommendation: 'r' }] };
const in60s = () => new Date(clock.now().getTime() + 60_000).toISOString();
const claim = async (task: string, claimId: string, worker = 'w-1') =>
  (await harness.data(company.workerToken, CLAIM, { input: { worker, tasks: [task], claimId } })).claimRun;
const refusedClaim = (task: string, claimId: string) =>
  harness.refused(company.workerToken, CLAIM, { input: { worker: 'w-1', tasks: [task], claimId } });
const ask = (token: string) => harness.data(token, '{ viewer { kind } }');

async function twoRuns() {
  const task = await harness.task({ tools: ['os.ask_ceo'], maxConcurrency: 5 });
  const ids = [(await harness.start(task)).id, (await harness.start(task)).id];
  return { task, ids };
}

describe('a claim that is sent again under its id', () => {
  it('is the same run at the same attempt, with a full lease and a token that works in place of the lost one', async () => {
    const { task, ids } = await twoRuns();
    const lost = await claim(task, 'c-1');
    clock.advance(10_000);
    const again = await claim(task, 'c-1');
    expect(again.run).toEqual({ id: ids[0], attempt: 1, status: 'RUNNING', worker: 'w-1' });
    expect([lost.run, again.leaseExpiresAt]).toEqual([again.run, in60s()]);
    expect(await ask(again.token)).toEqual({ viewer: { kind: 'RUN' } });
    expect(await harness.refused(lost.token, '{ viewer { kind } }')).toMatchObject({ code: 'unauthenticated' });
    expect(await kernel.db.prisma.event.count({ where: { runId: ids[0], kind: 'CLAIMED' } })).toBe(1);
    expect((await claim(task, 'c-2')).run.id).toBe(ids[1]);
  });

  it('of another worker is another claim', async () => {
    const { task, ids } = await twoRuns();
    expect([(await claim(task, 'c-3')).run.id, (await claim(task, 'c-3', 'w-2')).run.id]).toEqual(ids);
  });

  it('many times at once hands out one run', async () => {
    const { task, ids } = await twoRuns();
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(task, 'c-4')));
    expect(claims.map(({ run }) => [run.id, run.attempt])).toEqual(Array(8).fill([ids[0], 1]));
    const works = await Promise.all(claims.map(({ token }) => ask(token).then(Boolean, () => false)));
    expect(works.filter(Boolean)).toHaveLength(1);
  });

  it('is answered while the run waits for a gate, which it goes on waiting for', async () => {
    const { task, ids } = await twoRuns();
    await harness.call((await claim(task, 'c-5')).token, 'g', 'os.ask_ceo', ASK);
    const again = await claim(task, 'c-5');
    expect([again.run.id, again.run.status]).toEqual([ids[0], 'WAITING']);
    expect((await harness.call(again.token, 'g', 'os.ask_ceo', ASK)).status).toBe('WAITING');
  });

  it('is free as long as there was nothing to claim', async () => {
    const task = await harness.task();
    expect(await claim(task, 'c-6')).toBeNull();
    const { id } = await harness.start(task);
    expect((await claim(task, 'c-6')).run.id).toBe(id);
  });

  it('is refused once it is over: its run ended, or was handed out again', async () => {
    const { task, ids } = await twoRuns();
    const ended = await claim(task, 'c-7');
    await harness.drive('finishRun', ended.token, { runId: ids[0], outcome: 'done' });
    expect(await refusedClaim(task, 'c-7')).toMatchObject({ code: 'run_not_active', details: { status: 'FINISHED' } });
    await claim(task, 'c-8');
    clock.advance(90_001);
    expect(await claim(task, 'c-9')).toMatchObject({ run: { id: ids[1], attempt: 2 } });
    expect(await refusedClaim(task, 'c-8')).toMatchObject({ code: 'lease_lost', details: { attempt: 2 } });
  });

  it('has 1 to 200 characters', async () => {
    const task = await harness.task();
    for (const claimId of ['', 'c'.repeat(201)]) expect(await refusedClaim(task, claimId)).toMatchObject({ code: 'invalid_arguments' });
    expect(await claim(task, 'c'.repeat(200))).toBeNull();
  });
});
