import pg from 'pg';
import { expect, it } from 'vitest';
import { TIMING } from '../../src/kernel/kernel.ts';
import { expireGates, startSweep } from '../../src/kernel/sweep.ts';
import { testApp } from '../support/app.ts';
import { makeClock } from '../support/clock.ts';
import { makeCompany } from '../support/company.ts';
import { deferred } from '../support/deferred.ts';
import { Harness } from '../support/harness.ts';

const clock = makeClock();
const { kernel, url, config } = await testApp({ additions: { now: clock.now }, timing: { sweep: 3_600_000, sweepPatience: 1_000 } });
const company = await makeCompany(kernel);
const harness = new Harness(url, company);
const { db } = kernel;

async function due(count: number, of = harness) {
  const gates = [];
  for (let left = count; left > 0; left--) {
    const run = await of.run({ tools: ['os.set_context'], gates: [{ tool: 'os.set_context', timeoutMinutes: 1 }] });
    gates.push((await of.call(run.token, 'g', 'os.set_context', { key: 'k', value: 1 })).gate!.id);
    clock.advance(1);
  }
  clock.advance(60_000);
  return gates;
}

const statuses = async (ids: string[]) => {
  const rows = await db.prisma.gate.findMany({ where: { id: { in: ids } } });
  return ids.map((id) => rows.find((row) => row.id === id)!.status);
};

/** Counts what is logged as an error while `work` runs. */
async function logged(work: () => Promise<unknown>): Promise<{ ids: string[]; failed: number }[]> {
  const said: { ids: string[]; failed: number }[] = [];
  const { error } = kernel.log;
  kernel.log.error = ((about: { ids: string[]; failed: number }) => void said.push({ ids: about.ids, failed: about.failed })) as never;
  await work().finally(() => {
    kernel.log.error = error;
  });
  return said;
}

it('a gate that cannot be expired is passed over, told once, and tried again later', async () => {
  const [bad, good] = (await due(2)) as [string, string];
  await db.prisma.$executeRawUnsafe(`ALTER TABLE "Gate" ADD CONSTRAINT bad CHECK ("id" <> '${bad}' OR "status" = 'WAITING')`);
  expect(await logged(() => expireGates(kernel))).toEqual([{ ids: [bad], failed: 1 }]);
  expect(await statuses([bad, good])).toEqual(['WAITING', 'EXPIRED']);
  expect(await logged(() => expireGates(kernel))).toEqual([]);
  await db.prisma.$executeRawUnsafe('ALTER TABLE "Gate" DROP CONSTRAINT bad');
  await expireGates(kernel);
  expect(await statuses([bad])).toEqual(['WAITING']);
  clock.advance(TIMING.sweepRetry);
  await expireGates(kernel);
  expect(await statuses([bad])).toEqual(['EXPIRED']);
});

it('more bad gates than a round looks at do not keep a good one behind them waiting', async () => {
  const [first, good] = (await due(2)) as [string, string];
  const copied = `SELECT gen_random_uuid() AS "callId", gen_random_uuid() AS "id" FROM generate_series(1, 250)`;
  await db.prisma.$executeRawUnsafe(`WITH made AS MATERIALIZED (${copied}), call AS (
      INSERT INTO "ToolCall" ("id", "enterpriseId", "runId", "toolCallId", "tool", "arguments", "contentHash", "status", "createdAt")
      SELECT made."callId", c."enterpriseId", c."runId", 'copy', c."tool", c."arguments", '', 'WAITING', c."createdAt"
      FROM made, "ToolCall" c JOIN "Gate" g ON g."callId" = c."id" WHERE g."id" = '${first}' RETURNING "id"
    )
    INSERT INTO "Gate" ("id", "enterpriseId", "runId", "callId", "kind", "tool", "payload", "payloadHash", "canRequestChanges", "createdAt", "timesOutAt")
    SELECT made."id", g."enterpriseId", g."runId", made."callId", g."kind", g."tool", g."payload", 'bad', true, g."createdAt", g."timesOutAt"
    FROM made, "Gate" g WHERE g."id" = '${first}' AND (SELECT count(*) FROM call) > 0`);
  await db.prisma.$executeRawUnsafe(`ALTER TABLE "Gate" ADD CONSTRAINT bad CHECK ("payloadHash" <> 'bad' OR "decidedAt" IS NULL)`);
  await logged(async () => {
    await expireGates(kernel);
    await expireGates(kernel);
  });
  expect(await statuses([good])).toEqual(['EXPIRED']);
  expect(await db.prisma.gate.count({ where: { payloadHash: 'bad', status: 'WAITING' } })).toBe(250);
  await db.prisma.$executeRawUnsafe('ALTER TABLE "Gate" DROP CONSTRAINT bad');
  await db.prisma.gate.deleteMany({ where: { payloadHash: 'bad' } });
}, 120_000);

it('a gate whose run somebody holds does not hold up those behind it, and ends once it is free', async () => {
  const [held, free] = (await due(2)) as [string, string];
  const { runId } = await db.prisma.gate.findFirstOrThrow({ where: { id: held } });
  await db.transaction(async (tx) => {
    await tx.query({ text: 'SELECT "id" FROM "Run" WHERE "id" = $1 FOR UPDATE', values: [runId] });
    expect(await logged(() => expireGates(kernel))).toEqual([{ ids: [held], failed: 1 }]);
    expect(await statuses([held, free])).toEqual(['WAITING', 'EXPIRED']);
  });
  await expect.poll(() => statuses([held]), { timeout: 20_000 }).toEqual(['EXPIRED']);
});

it('a company whose records are locked holds up no other', async () => {
  const locked = await due(6);
  const [free] = (await due(1, new Harness(url, await makeCompany(kernel, 'Free Kites')))) as [string];
  const holder = new pg.Client(config.databaseUrl);
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM "EventCounter" WHERE "enterpriseId" = $1 FOR UPDATE', [company.enterpriseId]);
  expect(await logged(() => expireGates(kernel))).toEqual([{ ids: locked.slice(0, 3), failed: 3 }]);
  expect(await statuses([free])).toEqual(['EXPIRED']);
  await holder.end();
  clock.advance(60_001);
  await expireGates(kernel);
  await expect.poll(() => statuses(locked), { timeout: 20_000 }).toEqual(locked.map(() => 'EXPIRED'));
});

it('a job that hangs or fails keeps neither the others nor its own next rounds from running', async () => {
  const { resolve: twice, promise } = deferred<void>();
  const rounds = { hanging: 0, failing: 0, other: 0 };
  const note = (job: keyof typeof rounds) => {
    rounds[job]++;
    if (Object.values(rounds).every((count) => count >= 2)) twice();
  };
  const short = { ...kernel, timing: { ...kernel.timing, sweep: 5, sweepRound: 500 } };
  const said: string[] = [];
  const log = { ...kernel.log, error: ({ err }: { err: Error }) => void said.push(err.message) } as never;
  const sweep = startSweep({ ...short, log }, [
    () => new Promise(() => note('hanging')),
    async () => {
      note('failing');
      throw new Error('It fails');
    },
    async () => note('other'),
  ]);
  await promise;
  await sweep.stop();
  expect(rounds.failing).toBeGreaterThan(1);
  expect(said.filter((message) => message === 'It fails')).toHaveLength(1);
});
