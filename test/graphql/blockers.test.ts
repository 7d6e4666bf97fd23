import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { setDraining, setSpend } from '../../src/domain/company/switches.ts';
import { testApp } from '../support/app.ts';
import { makeClock } from '../support/clock.ts';
import { makeCompany, makeToken } from '../support/company.ts';
import { Harness } from '../support/harness.ts';
import { subscribe } from '../support/subscriber.ts';

const clock = makeClock();
const { kernel, url } = await testApp({ additions: { now: clock.now } });
const { prisma } = kernel.db;

const ROW = `run { id status task { slug } } sections reason blockClass since taskRetries lead { name } escalation { to note member { name } person { name } at }
  moves { kind possible reason targets } outcomeUnknown { toolCallId status }`;
const BLOCKERS = `query ($page: Int) { blockers(failedPage: $page) { runs { ${ROW} } failedTotal failedPage pageSize
  stoppedPipelines { runId executionId task outcome since } missingModelTiers { tier tasks } exhaustedLlmCapacity { tier until }
  taskDefinitionProblems { task code field } missingLead { slug } missingMetric { task name }
  overdueRetro { team { slug } everyDays lastAt dueAt } kpiHealth { condition } spendEnabled draining } }`;

const fresh = async () => new Harness(url, await makeCompany(kernel));
const read = async (harness: Harness, page?: number) => (await harness.data(harness.company.ceoSession, BLOCKERS, { page })).blockers;

async function failed(harness: Harness, told = {}) {
  const run = await harness.run(told);
  await harness.drive('failRun', run.token, { runId: run.runId, code: 'no_wind', reason: 'There was no wind.' });
  return run.runId;
}

describe('blockers', () => {
  it('an enterprise in which nothing stopped', async () => {
    expect(await read(await fresh())).toEqual({
      ...{ runs: [], failedTotal: 0, failedPage: 1, pageSize: 50, stoppedPipelines: [], missingModelTiers: [], exhaustedLlmCapacity: [] },
      ...{
        taskDefinitionProblems: [],
        missingLead: [],
        missingMetric: [],
        overdueRetro: [],
        kpiHealth: [],
        spendEnabled: true,
        draining: false,
      },
    });
  });

  it('fields in the order in which they are asked for', async () => {
    const harness = await fresh();
    await failed(harness);
    const query =
      'query { blockers { runs { outcomeUnknown { id } run { id } moves { kind } reason } failedTotal runs { sections } draining } }';
    const { blockers } = await harness.data(harness.company.ceoSession, query);
    expect(Object.keys(blockers)).toEqual(['runs', 'failedTotal', 'draining']);
    expect(Object.keys(blockers.runs[0])).toEqual(['outcomeUnknown', 'run', 'moves', 'reason', 'sections']);
  });

  it('every section of runs, longest stopped first, with reasons and moves', async () => {
    const harness = await fresh();
    const successor = await harness.task({ metric: 'One.' });
    const told = { metric: 'One.', successors: [{ outcome: 'done', task: successor }] };
    const [block, stop, spend] = [
      await harness.run(told),
      await harness.run(told),
      await harness.run({ metric: 'One.', spendLimitCents: 5 }),
    ];
    const stall = await harness.run({ metric: 'One.' });
    await harness.drive('blockRun', block.token, { runId: block.runId, blockClass: 'question', reason: 'Which colour?' });
    clock.advance(1_000);
    await harness.drive('finishRun', stop.token, { runId: stop.runId, outcome: 'lost' });
    clock.advance(1_000);
    await harness.drive('heartbeatRun', spend.token, { runId: spend.runId, spentCents: 6 });
    const stream = await subscribe(
      url,
      harness.company.ceoSession,
      'subscription { blockerEvents { kind runId blocker { sections run { id stalled } } } }',
    );
    clock.advance(61_000);
    expect((await stream.next()).data.blockerEvents).toEqual({
      ...{ kind: 'APPEARED', runId: stall.runId, blocker: { sections: ['STALLED'], run: { id: stall.runId, stalled: true } } },
    });
    const failedId = await failed(harness, told);
    await stream.close();
    const { runs, failedTotal } = await read(harness);
    expect(failedTotal).toBe(1);
    const facts = runs.map(({ run, sections, reason, blockClass }: any) => [run.id, run.status, sections, reason, blockClass]);
    expect(facts).toEqual([
      [block.runId, 'BLOCKED', ['BLOCKED'], 'Which colour?', 'question'],
      [stop.runId, 'FINISHED', ['STOPPED'], 'No task follows the outcome "lost".', null],
      [spend.runId, 'PAUSED', ['PAUSED'], 'The run has spent 6 cents; its task allows 5.', 'spend_limit'],
      [stall.runId, 'RUNNING', ['STALLED'], 'Its worker let the lease run out.', null],
      [failedId, 'FAILED', ['FAILED'], 'There was no wind.', null],
    ]);
    const routable = [
      { kind: 'RETRY', possible: true, reason: null, targets: [] },
      { kind: 'ROUTE', possible: true, reason: null, targets: [successor] },
      { kind: 'CLEAR', possible: true, reason: null, targets: [] },
      { kind: 'ESCALATE', possible: true, reason: null, targets: [] },
    ];
    expect(runs[0].moves).toEqual(routable);
    expect(runs[1].moves).toEqual(routable);
    const stalled = expect.stringContaining('The run is stalled');
    expect(runs[3].moves).toEqual([
      ...['RETRY', 'ROUTE', 'CLEAR'].map((kind) => ({ kind, possible: false, reason: stalled, targets: [] })),
      { kind: 'ESCALATE', possible: true, reason: null, targets: [] },
    ]);
    expect(runs[4]).toMatchObject({ since: clock.now().toISOString(), taskRetries: 0, lead: null, escalation: null, outcomeUnknown: [] });
  });

  it('lead, escalation, calls that may have happened, and where the work can go', async () => {
    const harness = await fresh();
    const { enterpriseId, ceo } = harness.company;
    const teamId = v7();
    const leadId = v7();
    await prisma.member.create({ data: { id: leadId, enterpriseId, name: 'Lena Lead', email: 'lena@kites.example' } });
    await prisma.team.create({ data: { id: teamId, enterpriseId, slug: 'studio', name: 'Studio', leadId } });
    const run = await harness.run({ team: 'studio' });
    await prisma.toolCall.create({
      data: {
        ...{
          id: v7(),
          enterpriseId,
          runId: run.runId,
          toolCallId: 'u-1',
          boundId: 'u-1',
          tool: 'web.request',
          arguments: {},
          contentHash: '',
        },
        ...{ status: 'OUTCOME_UNKNOWN' as const, createdAt: clock.now() },
      },
    });
    await harness.drive('failRun', run.token, { runId: run.runId, code: 'x', reason: 'x' });
    await harness.drive('escalateRun', harness.company.ceoSession, { runId: run.runId, to: 'CEO', note: 'Which?' });
    const { runs } = await read(harness);
    expect(runs[0]).toMatchObject({
      lead: { name: 'Lena Lead' },
      escalation: { to: 'CEO', note: 'Which?', member: null, person: { name: ceo.name }, at: clock.now().toISOString() },
      outcomeUnknown: [{ toolCallId: 'u-1', status: 'OUTCOME_UNKNOWN' }],
    });
    expect(runs[0].moves[1]).toEqual({
      ...{ kind: 'ROUTE', possible: false, targets: [], reason: expect.stringContaining('No earlier stage of this work') },
    });
  });

  it('the sections beside runs, from the records', async () => {
    const harness = await fresh();
    const { enterpriseId } = harness.company;
    const archived = await harness.task({ metric: 'One.' });
    const stage = { metric: 'One.', modelTier: 'large', tools: ['os.set_context'], successors: [{ outcome: 'done', task: archived }] };
    const tiered = await harness.task(stage);
    const bare = await harness.task({ name: 'Bare' });
    await prisma.task.updateMany({ where: { enterpriseId, slug: archived }, data: { archivedAt: clock.now() } });
    await prisma.taskVersion.updateMany({ where: { enterpriseId, task: { slug: bare } }, data: { tools: ['os.gone'] } });
    const day = 86_400_000;
    const createdAt = new Date(clock.now().getTime() - 10 * day);
    const soon = new Date(clock.now().getTime() + 60_000);
    const team = (slug: string, told: object) =>
      prisma.team.create({ data: { id: v7(), enterpriseId, slug, name: slug, createdAt, ...told } });
    await team('overdue', { retroEveryDays: 7 });
    await team('in-time', { retroEveryDays: 7, lastRetroAt: clock.now(), leadId: harness.company.member.id });
    await prisma.modelTier.createMany({
      data: [
        { enterpriseId, tier: 'small', hasKey: true, exhaustedUntil: soon },
        { enterpriseId, tier: 'tiny', hasKey: true, exhaustedUntil: createdAt },
      ],
    });
    const stop = await harness.run({ ...stage, modelTier: 'small' });
    await harness.drive('finishRun', stop.token, { runId: stop.runId, outcome: 'lost' });
    await setSpend(kernel, enterpriseId, false);
    await setDraining(kernel, enterpriseId, true);
    const { runs, ...rest } = await read(harness);
    const row = await prisma.run.findUniqueOrThrow({ where: { id: stop.runId }, include: { task: true } });
    const problem = { code: 'task_archived', field: 'successors[0].task' };
    expect(rest).toEqual({
      ...{ failedTotal: 0, failedPage: 1, pageSize: 50, kpiHealth: [], spendEnabled: false, draining: true },
      stoppedPipelines: [
        { runId: stop.runId, executionId: row.executionId, task: row.task.slug, outcome: 'lost', since: clock.now().toISOString() },
      ],
      missingModelTiers: [{ tier: 'large', tasks: [tiered] }],
      exhaustedLlmCapacity: [{ tier: 'small', until: soon.toISOString() }],
      taskDefinitionProblems: [
        { task: tiered, ...problem },
        { task: bare, code: 'tool_unknown', field: 'tools[0]' },
        { task: row.task.slug, ...problem },
      ].sort((a, b) => (a.task < b.task ? -1 : 1)),
      missingLead: [{ slug: 'overdue' }],
      missingMetric: [{ task: bare, name: 'Bare' }],
      overdueRetro: [
        { team: { slug: 'overdue' }, everyDays: 7, lastAt: null, dueAt: new Date(createdAt.getTime() + 7 * day).toISOString() },
      ],
    });
    expect(runs).toHaveLength(1);
  });

  it('needs the scope, and shows nothing of another enterprise', async () => {
    const [harness, other] = [await fresh(), await fresh()];
    await failed(other);
    expect((await read(harness)).runs).toEqual([]);
    const token = await makeToken(kernel, harness.company, ['runs:read']);
    const refused = { code: 'scope_missing', details: { scope: 'blockers:read' } };
    expect(await harness.refused(token, BLOCKERS)).toMatchObject(refused);
    const run = await harness.run();
    expect(await harness.refused(run.token, BLOCKERS)).toMatchObject({ code: 'not_allowed' });
  });
});

describe('blockerEvents', () => {
  it('come on every change, resume by cursor, and cross to nobody else', async () => {
    const [harness, other] = [await fresh(), await fresh()];
    const EVENTS =
      'subscription ($after: String) { blockerEvents(after: $after) { cursor kind runId blocker { sections escalation { to } } } }';
    const { eventCursor } = await harness.data(harness.company.ceoSession, '{ eventCursor }');
    await failed(other);
    const runId = await failed(harness);
    await harness.drive('escalateRun', harness.company.ceoSession, { runId, to: 'CEO', note: 'x' });
    await harness.drive('clearRun', harness.company.ceoSession, { runId, note: 'x' });
    const stream = await subscribe(url, harness.company.ceoSession, EVENTS, { after: eventCursor });
    const events = [await stream.next(), await stream.next(), await stream.next()].map(({ data }) => data.blockerEvents);
    expect(events.map(({ kind, runId, blocker }) => ({ kind, runId, blocker }))).toEqual([
      { kind: 'APPEARED', runId, blocker: null },
      { kind: 'CHANGED', runId, blocker: null },
      { kind: 'LEFT', runId, blocker: null },
    ]);
    await stream.close();
    const again = await subscribe(url, harness.company.ceoSession, EVENTS, { after: events[1].cursor });
    expect((await again.next()).data.blockerEvents).toMatchObject({ kind: 'LEFT', runId });
    const live = await failed(harness);
    expect((await again.next()).data.blockerEvents).toMatchObject({
      kind: 'APPEARED',
      runId: live,
      blocker: { sections: ['FAILED'], escalation: null },
    });
    await again.close();
  });
});
