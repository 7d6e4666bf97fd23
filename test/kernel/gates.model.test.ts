import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Caller } from '../../src/auth/caller.ts';
import type { GateDecision } from '../../src/db/generated/enums.ts';
import { cancelRun } from '../../src/domain/run/cancel-run.ts';
import { claimRun } from '../../src/domain/run/claim-run.ts';
import { blockRun, failRun, finishRun, heartbeatRun } from '../../src/domain/run/drive-run.ts';
import { startRun } from '../../src/domain/run/start-run.ts';
import { saveTask } from '../../src/domain/task/save-task.ts';
import { decideGate } from '../../src/kernel/decide-gate.ts';
import { ToolError } from '../../src/kernel/errors.ts';
import { invoke } from '../../src/kernel/invoke.ts';
import { expireGates } from '../../src/kernel/sweep.ts';
import { testKernel } from '../support/app.ts';
import { makeClock } from '../support/clock.ts';
import { makeCompany } from '../support/company.ts';
import { ceoCaller, runCaller } from '../support/run.ts';
import { type Content, Model, TIMEOUT } from './gates.model.ts';

const clock = makeClock();
const kernel = await testKernel({ additions: { now: clock.now } });
const company = await makeCompany(kernel);
const ceo = ceoCaller(company);

const CALLS: Record<Content, { tool: string; arguments: unknown }> = {
  write: { tool: 'os.set_execution_name', arguments: { name: 'Kites' } },
  read: { tool: 'os__get_context', arguments: { key: 'k' } },
  held: { tool: 'os.set_context', arguments: { key: 'k', value: 1 } },
  question: { tool: 'os.ask_ceo', arguments: { questions: [{ number: 1, question: 'q', context: 'c', ctoRecommendation: 'r' }] } },
};

/** The real thing: one run of a task of its own. */
class Real {
  constructor(
    readonly slug: string,
    readonly runId: string,
  ) {}

  caller = (attempt: number) => runCaller(company, this.runId, attempt);

  call = (attempt: number, toolCallId: string, content: Content) =>
    told(async () => {
      const row = await invoke(kernel, this.caller(attempt), { toolCallId, ...CALLS[content] });
      return ['tool_call_id_reused', 'run_waiting', 'run_not_active'].includes(row.errorCode!) ? row.errorCode! : row.status;
    });

  gates = () => kernel.db.prisma.gate.findMany({ where: { runId: this.runId }, orderBy: { id: 'asc' }, include: { toolCall: true } });
}

/** The status that something answers, or the code that it throws. */
async function told(what: () => Promise<string>): Promise<string> {
  try {
    return await what();
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
}

let made = 0;

async function setUp() {
  const slug = `model-${++made}`;
  const tools = ['os.set_execution_name', 'os.get_context', 'os.set_context', 'os.ask_ceo'];
  const gates = ['os.set_context', 'os.ask_ceo'].map((tool) => ({ tool, timeoutMinutes: TIMEOUT / 60_000 }));
  await saveTask(kernel, ceo, { slug, name: 'Model', goal: 'g', tools, gates });
  const { id } = await startRun(kernel, ceo, { task: slug });
  await claimRun(kernel, ceo, { worker: 'w', tasks: [slug] });
  return { model: new Model(), real: new Real(slug, id) };
}

async function compare(model: Model, real: Real) {
  const { prisma } = kernel.db;
  const [run, calls, gates, decided] = await Promise.all([
    prisma.run.findFirstOrThrow({ where: { id: real.runId } }),
    prisma.toolCall.findMany({ where: { runId: real.runId, boundId: { not: null } }, orderBy: { id: 'asc' } }),
    real.gates(),
    prisma.event.count({ where: { runId: real.runId, topic: 'RUN', kind: 'DECIDED' } }),
  ]);
  expect({
    ...{ status: run.status, attempt: run.attempt, outcome: run.outcome, stalls: run.leaseExpiresAt !== null },
    calls: Object.fromEntries(calls.map(({ boundId, status }) => [boundId, status])),
    gates: gates.map(({ status, toolCall }) => [toolCall.boundId, status]),
  }).toEqual({
    ...{ status: model.status, attempt: model.attempt, outcome: model.outcome, stalls: model.lease !== null },
    calls: Object.fromEntries([...model.calls].map(([id, { status }]) => [id, status])),
    gates: model.gates.map(({ callId, status }) => [callId, status]),
  });
  const waiting = gates.filter(({ status }) => status === 'WAITING').length;
  expect(waiting).toBe(run.status === 'WAITING' ? 1 : 0);
  expect(decided).toBe(gates.length - waiting);
}

type Act = (model: Model, real: Real) => Promise<void>;

class Step implements fc.AsyncCommand<Model, Real> {
  constructor(
    readonly name: string,
    readonly act: Act,
    readonly check: (model: Readonly<Model>) => boolean = () => true,
  ) {}

  async run(model: Model, real: Real) {
    await this.act(model, real);
    await compare(model, real);
  }

  toString = () => this.name;
}

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const call = (...contents: Content[]) =>
  fc.record({ id: ids, content: fc.constantFrom(...contents) }).map(
    ({ id, content }) =>
      new Step(`call ${id} ${content}`, async (model, real) => {
        expect(await real.call(model.attempt, id, content)).toBe(model.call(id, content));
      }),
  );

const staleCall = fc.constant(
  new Step(
    'call with a dead token',
    async (model, real) => expect(await real.call(model.attempt - 1, 'z', 'write')).toBe('unauthenticated'),
    ({ attempt }) => attempt > 1,
  ),
);

const answers = [{ number: 1, kind: 'ACCEPT' }];
const decide = fc
  .record({ decision: fc.constantFrom<GateDecision>('APPROVE', 'APPROVE', 'REJECT', 'REQUEST_CHANGES'), back: fc.nat(9) })
  .map(
    ({ decision, back }) =>
      new Step(
        `${decision} ${back}`,
        async (model, real) => {
          const which = Math.max(0, model.gates.length - 1 - (back > 7 ? 1 : 0));
          const { id: gateId, payloadHash, tool } = (await real.gates())[which]!;
          const input = { gateId, payloadHash, decision, ...(tool === 'os.ask_ceo' && { answers }) };
          expect(await told(async () => (await decideGate(kernel, ceo, input)).status)).toBe(model.decide(model.gates[which]!, decision));
        },
        ({ gates }) => gates.length > 0,
      ),
  );

const pass = (milliseconds: fc.Arbitrary<number>) =>
  milliseconds.map(
    (time) =>
      new Step(`${time} ms pass`, async (model) => {
        clock.advance(time);
        model.now += time;
      }),
  );

const sweep = fc.constant(
  new Step('sweep', async (model) => {
    await expireGates(kernel);
    model.expireDue();
  }),
);

const drive = (name: string, real: (run: Real, caller: Caller) => Promise<{ status: string } | null>, model: (model: Model) => string) =>
  new Step(name, async (state, run) => {
    expect(await told(async () => (await real(run, run.caller(state.attempt)))?.status ?? 'nothing')).toBe(model(state));
  });

const heartbeat = fc.constant(
  drive(
    'heartbeat',
    ({ runId }, by) => heartbeatRun(kernel, by, { runId }),
    (model) => model.heartbeat(),
  ),
);
const reclaim = fc.constant(
  drive(
    'claim',
    async ({ slug }) => (await claimRun(kernel, ceo, { worker: 'w', tasks: [slug] }))?.run ?? null,
    (model) => model.claim(),
  ),
);
const end = fc.constantFrom(
  drive(
    'finish',
    ({ runId }, by) => finishRun(kernel, by, { runId, outcome: 'done' }),
    (model) => model.end('FINISHED'),
  ),
  drive(
    'fail',
    ({ runId }, by) => failRun(kernel, by, { runId, code: 'x', reason: 'y' }),
    (model) => model.end('FAILED'),
  ),
  drive(
    'block',
    ({ runId }, by) => blockRun(kernel, by, { runId, blockClass: 'x', reason: 'y' }),
    (model) => model.end('BLOCKED'),
  ),
  drive(
    'cancel',
    ({ runId }) => cancelRun(kernel, ceo, { runId }),
    (model) => model.cancel(),
  ),
);

const steps = [
  ...[call('write', 'read'), call('write', 'read'), call('held'), call('held'), call('held', 'question'), staleCall],
  ...[decide, decide, decide, decide, pass(fc.constantFrom(30_000, 90_001, TIMEOUT - 1)), pass(fc.constantFrom(60_001, TIMEOUT))],
  ...[sweep, heartbeat, heartbeat, reclaim, reclaim, reclaim, end],
];

it('runs, calls and gates move as the rules say, in any order of events', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 50, size: 'max' }), async (commands) => {
      const made = await setUp();
      await fc.asyncModelRun(() => made, commands);
    }),
    { numRuns: 30 },
  );
});
