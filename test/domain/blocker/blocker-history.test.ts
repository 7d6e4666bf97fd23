import fc from 'fast-check';
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import type { Caller } from '../../../src/auth/caller.ts';
import { SCOPES } from '../../../src/auth/scopes.ts';
import { type StoppedRun, stoppedAmong, stoppedRuns } from '../../../src/domain/blocker/stopped-runs.ts';
import { setDraining, setSpend } from '../../../src/domain/company/switches.ts';
import { movesOf } from '../../../src/domain/move/move-rules.ts';
import { clearAsPerson, escalateAsPerson, retryAsPerson, routeAsPerson } from '../../../src/domain/move/persons-moves.ts';
import { pipelineTasks } from '../../../src/domain/move/pipeline.ts';
import { cancelRun } from '../../../src/domain/run/cancel-run.ts';
import { claimRun } from '../../../src/domain/run/claim-run.ts';
import { blockRun, failRun, finishRun, heartbeatRun } from '../../../src/domain/run/drive-run.ts';
import { startRun } from '../../../src/domain/run/start-run.ts';
import { archiveTask } from '../../../src/domain/task/archive-task.ts';
import { saveTask } from '../../../src/domain/task/save-task.ts';
import { decideGate } from '../../../src/kernel/decide-gate.ts';
import { ToolError } from '../../../src/kernel/errors.ts';
import { invoke } from '../../../src/kernel/invoke.ts';
import { expireGates, tellStalled } from '../../../src/kernel/sweep.ts';
import { testKernel } from '../../support/app.ts';
import { makeClock } from '../../support/clock.ts';
import { makeCompany } from '../../support/company.ts';

const clock = makeClock();
const kernel = await testKernel({ additions: { now: clock.now } });
const { db } = kernel;

const KINDS = [
  ...['start', 'start', 'claim', 'claim', 'heartbeat', 'overspend', 'finish', 'finish', 'fail', 'block', 'cancel', 'call', 'decide'],
  ...[
    'retry',
    'route',
    'clear',
    'escalate',
    'spend off',
    'spend on',
    'drain',
    'undrain',
    'raise limit',
    'rewire',
    'minute',
    'hour',
    'archive',
  ],
] as const;

type Step = { kind: (typeof KINDS)[number]; pick: number };

/** What a client shows of a stopped run. */
async function viewed(enterpriseId: string, stopped: StoppedRun[]) {
  const tasks = await pipelineTasks(
    db,
    enterpriseId,
    stopped.map(({ run }) => run.id),
  );
  return stopped.map((one) => {
    const { run, sections, reason, since, taskRetries, escalatedTo } = one;
    const moves = movesOf(one, tasks.get(run.id)!, false).map(({ kind, refusal, targets }) => [kind, refusal?.message, targets]);
    return { ...{ id: run.id, status: run.status, sections, reason, since, taskRetries, escalatedTo, moves } };
  });
}

type View = Awaited<ReturnType<typeof viewed>>[number];

/** A portal: it knows what stands on Blockers by the events alone. */
class Client {
  readonly shown = new Map<string, View>();
  #last = 0n;

  constructor(readonly enterpriseId: string) {}

  async follow() {
    const where = { enterpriseId: this.enterpriseId, number: { gt: this.#last } };
    for (const { number, topic, kind, runId } of await db.prisma.event.findMany({ where, orderBy: { number: 'asc' } })) {
      this.#last = number;
      if (topic !== 'BLOCKER') continue;
      expect([kind, this.shown.has(runId!)]).toEqual([kind, kind !== 'APPEARED']);
      const [now] = kind === 'LEFT' ? [] : await viewed(this.enterpriseId, await stoppedAmong(db, this.enterpriseId, [runId!]));
      if (kind === 'LEFT') this.shown.delete(runId!);
      else this.shown.set(runId!, now!);
    }
  }
}

/** One company whose history is made step by step. What the rules refuse is no step. */
class History {
  #calls = 0;

  constructor(
    readonly enterpriseId: string,
    readonly ceo: Caller,
  ) {}

  async step({ kind, pick }: Step) {
    try {
      await this.#make(kind, pick);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
    }
  }

  async #make(kind: Step['kind'], pick: number): Promise<unknown> {
    const { ceo, enterpriseId } = this;
    const worker: Caller = { ...ceo, kind: 'API_TOKEN', scopes: SCOPES };
    const choose = <T>(among: T[]) => among[pick % Math.max(1, among.length)];
    const runs = await db.prisma.run.findMany({
      where: { enterpriseId },
      orderBy: { id: 'asc' },
      select: { id: true, status: true, attempt: true },
    });
    const of = (...statuses: string[]) => choose(runs.filter(({ status }) => statuses.includes(status))) ?? { id: v7(), attempt: 1 };
    const { id: runId, attempt } = of('RUNNING', ...(pick % 3 === 0 ? ['WAITING'] : []));
    const stopped = choose(await stoppedRuns(db, enterpriseId, 1, 1_000))?.run.id ?? v7();
    switch (kind) {
      case 'start':
        return startRun(kernel, worker, { task: choose(['first', 'second'])!, input: { repo: 'kites/red', issue: (pick % 2) + 1 } });
      case 'claim':
        return claimRun(kernel, worker, { worker: 'w' });
      case 'heartbeat':
        return heartbeatRun(kernel, worker, { runId, attempt });
      case 'overspend':
        return heartbeatRun(kernel, worker, { runId, attempt, spentCents: 100 + (pick % 200) });
      case 'finish':
        return finishRun(kernel, worker, { runId, attempt, outcome: choose(['done', 'lost'])! });
      case 'fail':
        return failRun(kernel, worker, { runId, attempt, code: 'x', reason: 'failed' });
      case 'block':
        return blockRun(kernel, worker, { runId, attempt, blockClass: 'question', reason: 'blocked' });
      case 'cancel':
        return cancelRun(kernel, ceo, { runId: choose(runs)?.id ?? v7() });
      case 'call': {
        const running = of('RUNNING');
        const caller: Caller = { ...ceo, kind: 'RUN', person: null, run: running };
        return invoke(kernel, caller, {
          toolCallId: `c${++this.#calls}`,
          tool: choose(['os.set_context', 'os.nothing'])!,
          arguments: { key: 'a', value: 1 },
        });
      }
      case 'decide': {
        const gate = choose(await db.prisma.gate.findMany({ where: { enterpriseId, status: 'WAITING' }, orderBy: { id: 'asc' } }));
        const decision = choose(['APPROVE', 'REJECT', 'REQUEST_CHANGES'])!;
        return gate && decideGate(kernel, ceo, { gateId: gate.id, payloadHash: gate.payloadHash, decision });
      }
      case 'retry':
        return retryAsPerson(kernel, ceo, { runId: stopped, note: 'n' });
      case 'route':
        return routeAsPerson(kernel, ceo, { runId: stopped, task: choose(['first', 'second'])!, note: 'n' });
      case 'clear':
        return clearAsPerson(kernel, ceo, { runId: stopped, note: 'n' });
      case 'escalate':
        return escalateAsPerson(kernel, ceo, { runId: stopped, to: choose(['LEAD', 'CEO'])!, note: 'n' });
      case 'spend off':
      case 'spend on':
        return setSpend(kernel, enterpriseId, kind === 'spend on');
      case 'drain':
      case 'undrain':
        return setDraining(kernel, enterpriseId, kind === 'drain');
      case 'raise limit':
        return saveTask(kernel, ceo, taskOf('first', 150 + (pick % 200)));
      case 'archive':
        return pick % 5 === 0 && archiveTask(kernel, ceo, { id: 'second' });
      case 'rewire':
        return saveTask(kernel, ceo, rewired(pick));
      case 'minute':
      case 'hour':
        clock.advance(kind === 'hour' ? 3_600_000 : 61_000);
        await expireGates(kernel);
        return tellStalled(kernel);
    }
  }
}

const taskOf = (slug: string, spendLimitCents: number | null) => ({
  ...{
    slug,
    name: slug,
    goal: 'Kites.',
    role: 'maker',
    tools: ['os.set_context', 'os.set_gate_summary'],
    spendLimitCents,
    maxConcurrency: 2,
  },
  gates: [{ tool: 'os.set_context', timeoutMinutes: 30 }],
  successors: slug === 'first' ? [{ outcome: 'done', task: 'second' }] : [],
});

/** The first task with other successors, or the second with another field that it needs. */
const rewired = (pick: number) =>
  pick % 2 === 0
    ? { ...taskOf('first', 150), ...(pick % 4 === 0 && { successors: [] }) }
    : { ...taskOf('second', null), inputFields: [{ name: needed(pick), type: 'JSON' as const, required: true }] };

const needed = (pick: number) => (pick % 4 === 1 ? 'repo' : 'colour');

async function newHistory(): Promise<History> {
  const { enterpriseId, ceo, ceoSessionId } = await makeCompany(kernel);
  const base = { tokenId: ceoSessionId, tokenName: 'portal', scopes: [], run: null, expiresAt: null };
  const caller = { ...base, kind: 'SESSION', enterpriseId, person: { ...ceo, isCeo: true } } as unknown as Caller;
  await saveTask(kernel, caller, taskOf('second', null));
  await saveTask(kernel, caller, taskOf('first', 150));
  return new History(enterpriseId, caller);
}

const steps = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat(1_000) }), { minLength: 25, maxLength: 45, size: 'max' });

const then = (...kinds: [Step['kind'], number][]): Step[] => kinds.map(([kind, pick]) => ({ kind, pick }));

/** A history with each way onto Blockers in it. */
const ALL_SECTIONS = [
  ...then(['start', 0], ['claim', 0], ['block', 0], ['start', 0], ['claim', 0], ['fail', 0], ['start', 0], ['claim', 0], ['finish', 1]),
  ...then(['start', 0], ['claim', 0], ['overspend', 199], ['start', 0], ['claim', 0], ['minute', 0], ['escalate', 1], ['overspend', 199]),
  ...then(['rewire', 4], ['rewire', 2], ['rewire', 3], ['rewire', 1], ['archive', 0]),
  ...then(['retry', 0], ['route', 1], ['clear', 0], ['raise limit', 199]),
];

/** Paused with the spending of its company, and its task is archived. */
const ARCHIVED_WHILE_PAUSED = then(['spend off', 0], ['start', 1], ['archive', 0], ['spend on', 0], ['retry', 0]);

test('after any history, who followed the events shows what the query answers', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(steps, async (made) => {
      const history = await newHistory();
      const client = new Client(history.enterpriseId);
      for (const step of made) {
        await history.step(step);
        await client.follow();
        const queried = await viewed(history.enterpriseId, await stoppedRuns(db, history.enterpriseId, 1, 1_000));
        expect([...client.shown.values()].sort((a, b) => +a.since - +b.since || (a.id < b.id ? -1 : 1))).toEqual(queried);
        for (const { sections } of queried) for (const section of sections) seen.add(section);
      }
    }),
    { numRuns: 8, examples: [[ALL_SECTIONS], [ARCHIVED_WHILE_PAUSED]], interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
  );
  expect([...seen].sort()).toEqual(['BLOCKED', 'FAILED', 'PAUSED', 'STALLED', 'STOPPED']);
}, 120_000);
