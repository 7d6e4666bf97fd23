import { v7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { families } from '../../../src/tools/families.ts';
import { fixture } from '../../fixtures/tools.ts';
import { testApp } from '../../support/app.ts';
import { makeClock } from '../../support/clock.ts';
import { makeCompany } from '../../support/company.ts';
import { copyRun, copyTask } from '../../support/copies.ts';
import { Harness } from '../../support/harness.ts';

const clock = makeClock();
const done = z.strictObject({ done: z.boolean() });
const gated = fixture({
  ...{ name: 'os.test_gated', effect: 'write', requiresGateOn: 'os.set_context', summary: 'Held with a gate.' },
  ...{ input: z.strictObject({}), output: done, handler: async () => ({ done: true }) },
});
const { kernel, url } = await testApp({
  additions: { now: clock.now, families: [{ title: 'Test', page: 'OS', intro: 'Doubles.', tools: [gated] }] },
});
const { prisma } = kernel.db;

const TOOLS = ['os.inspect_enterprise', 'os.directory', 'os.list_blockers', 'os.list_built_in_tools', 'os.set_context'];
const company = await makeCompany(kernel);
const { enterpriseId, member } = company;
const harness = new Harness(url, company);
const [studioId, leadId] = [v7(), v7()];
const helper = await harness.run({ slug: 'helper', tools: TOOLS, role: 'maker' });

let calls = 0;
const call = (tool: string, args?: unknown) => harness.call(helper.token, `c-${++calls}`, tool, args);

beforeAll(async () => {
  await prisma.member.create({ data: { id: leadId, enterpriseId, name: 'Lena Lead', email: 'lena@kites.example', persona: 'Leads.' } });
  await prisma.team.create({ data: { id: studioId, enterpriseId, slug: 'studio', name: 'Studio', leadId } });
  await prisma.memberTeam.create({ data: { enterpriseId, memberId: leadId, teamId: studioId } });
  await harness.task({ slug: 'studio-only', team: 'studio', role: 'maker' });
  await harness.task({ slug: 'os-owned', osOwned: true, role: 'maker' });
  await harness.task({ slug: 'was', role: 'maker' });
  await prisma.task.updateMany({ where: { enterpriseId, slug: 'was' }, data: { archivedAt: clock.now() } });
});

describe.each(['os.inspect_enterprise', 'os.directory'])('%s', (tool) => {
  const studio = { id: studioId, name: 'Studio', slug: 'studio' };
  const lena = { id: leadId, name: 'Lena Lead', email: 'lena@kites.example', persona: 'Leads.', roles: [], tasks: [] };
  const mia = { ...member, email: 'mia@kites.example', persona: 'Careful.', roles: ['maker'], tasks: ['helper'] };

  it('shows teams and members, with the tasks of their roles on their teams', async () => {
    const { result } = await call(tool);
    expect(result).toEqual({ teams: [studio], members: [mia, lena] });
  });

  it('takes any object and reads only its team: a slug or an id', async () => {
    for (const team of ['studio', studioId, studioId.toUpperCase()]) {
      expect((await call(tool, { team, depth: 3 })).result).toEqual({ teams: [studio], members: [lena] });
    }
    expect((await call(tool, { team: null })).result.members).toEqual([mia, lena]);
    expect((await call(tool, { team: 7 })).error).toMatchObject({ code: 'invalid_arguments', details: { issues: [{ path: 'team' }] } });
  });

  it('a team on which a member does a task', async () => {
    await prisma.memberTeam.create({ data: { enterpriseId, memberId: member.id, teamId: studioId } });
    expect((await call(tool, { team: 'studio' })).result.members).toEqual([{ ...mia, tasks: ['helper', 'studio-only'] }, lena]);
    await prisma.memberTeam.deleteMany({ where: { memberId: member.id } });
  });

  it('a team of nobody and one of another enterprise are answered alike', async () => {
    const other = await makeCompany(kernel, 'Other Kites');
    const foreign = v7();
    await prisma.team.create({ data: { id: foreign, enterpriseId: other.enterpriseId, slug: 'foreign', name: 'Foreign' } });
    for (const team of [foreign, 'foreign', v7(), 'none']) {
      expect((await call(tool, { team })).error).toEqual({
        ...{
          code: 'not_found',
          handling: 'TOOL_ERROR',
          details: null,
          message: expect.stringMatching(
            `^There is no team "${team}" in this enterprise\\. .*Without \`team\` the answer lists all teams\\.$`,
          ),
        },
      });
    }
  });

  it('is the run token’s alone over the API', async () => {
    const field = tool === 'os.directory' ? 'osDirectory' : 'osInspectEnterprise';
    const query = `query ($team: String) { ${field}(team: $team) { teams { slug } members { name } } }`;
    expect((await harness.data(helper.token, query, { team: 'studio' }))[field]).toEqual({
      teams: [{ slug: 'studio' }],
      members: [{ name: 'Lena Lead' }],
    });
    expect((await harness.refused(company.ceoSession, query)).code).toBe('not_allowed');
  });
});

describe('os.list_blockers', () => {
  it('a run gets rows that it can act on, without the portal’s', async () => {
    const run = await harness.run({ slug: 'sewing', team: 'studio' }, { repo: 'kites/red', issue: 7, pr: '9', colour: 'red' });
    const { runId } = run;
    await harness.drive('blockRun', run.token, { runId, blockClass: 'question', reason: 'Which colour?' });
    await harness.drive('escalateRun', company.ceoSession, { runId, to: 'LEAD', note: 'Choose.' });
    const { runs, ...rest } = (await call('os.list_blockers')).result;
    const when = clock.now().toISOString();
    expect(runs).toEqual([
      {
        ...{ runId, sections: ['blocked'], status: 'blocked', reason: 'Which colour?', blockClass: 'question', task: 'sewing' },
        team: { id: studioId, name: 'Studio', slug: 'studio' },
        lead: { id: leadId, name: 'Lena Lead' },
        ...{ assignee: null, repo: 'kites/red', issue: 7, pr: '9', since: when, taskRetries: 0 },
        escalation: { to: 'lead', toYou: false, note: 'Choose.', when },
      },
    ]);
    expect(rest).toMatchObject({ failedTotal: 0, failedPage: 1, pageSize: 20, spendEnabled: true, draining: false, kpiHealth: [] });
    expect(rest.missingMetric.map(({ task }: any) => task)).toEqual(['helper', 'os-owned', 'sewing', 'studio-only']);
  });

  it('other callers get the portal’s rows, over the same field', async () => {
    const query = `{ osListBlockers { runs { runId status task sections reason since lead { name } escalation { to toYou member { name } person { name } at }
      run { id status task { slug } input } moves { kind possible targets } outcomeUnknown { id } } pageSize } }`;
    const { osListBlockers } = await harness.data(company.ceoSession, query);
    const [row] = osListBlockers.runs;
    const at = clock.now().toISOString();
    expect(osListBlockers).toEqual({
      runs: [
        {
          ...{
            runId: null,
            status: null,
            task: null,
            sections: ['BLOCKED'],
            reason: 'Which colour?',
            since: at,
            lead: { name: 'Lena Lead' },
          },
          escalation: { to: 'LEAD', toYou: null, member: { name: 'Lena Lead' }, person: null, at },
          run: {
            id: row.run.id,
            status: 'BLOCKED',
            task: { slug: 'sewing' },
            input: { repo: 'kites/red', issue: 7, pr: '9', colour: 'red' },
          },
          moves: [
            { kind: 'RETRY', possible: true, targets: [] },
            { kind: 'ROUTE', possible: false, targets: [] },
            { kind: 'CLEAR', possible: true, targets: [] },
            { kind: 'ESCALATE', possible: true, targets: [] },
          ],
          outcomeUnknown: [],
        },
      ],
      pageSize: 50,
    });
    await harness.drive('clearRun', company.ceoSession, { runId: row.run.id, note: 'x' });
  });

  it('fits in one answer however many failed, and however long their reasons', async () => {
    const run = await harness.run();
    await harness.drive('failRun', run.token, { runId: run.runId, code: 'x', reason: 'é'.repeat(9_000) });
    await copyRun(kernel.db, run.runId, 70);
    const { result, error } = await call('os.list_blockers', { failedPage: 2 });
    expect(error).toBe(null);
    expect([result.runs.length, result.failedTotal, result.failedPage, result.pageSize]).toEqual([20, 71, 2, 20]);
    expect(result.runs[0].reason).toBe(`${'é'.repeat(199)}…`);
    expect((await call('os.list_blockers', { failedPage: 0 })).error?.code).toBe('invalid_arguments');
    expect((await call('os.list_blockers', { page: 1 })).error?.code).toBe('invalid_arguments');
  });
});

describe('in a large company', async () => {
  const large = new Harness(url, await makeCompany(kernel, 'Large Kites'));
  const tools = ['os.list_blockers', 'os.directory'];
  const reader = await large.run({ slug: 'a-reader', tools, role: 'maker' });
  await copyTask(kernel.db, large.company.enterpriseId, 'a-reader', 299);
  const ask = async (tool: string, args?: unknown) => (await large.call(reader.token, v7(), tool, args)).result;

  it('os.list_blockers leaves out the last rows of a long section, and counts them beside it', async () => {
    const answer = await ask('os.list_blockers');
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(25_000);
    expect(JSON.stringify(answer).length).toBeGreaterThan(24_000);
    expect([answer.missingMetric[0].task, answer.missingMetric.length + answer.missingMetricMore]).toEqual(['a-reader', 300]);
    expect(Object.keys(answer).filter((name) => name.endsWith('More'))).toEqual(['missingMetricMore']);
    const all = await large.data(large.company.ceoSession, '{ osListBlockers { missingMetric { task } missingMetricMore } }');
    expect([all.osListBlockers.missingMetric.length, all.osListBlockers.missingMetricMore]).toEqual([300, null]);
  });

  it('os.directory shortens personas and lists, then leaves out the newest members', async () => {
    const { enterpriseId, member } = large.company;
    const people = (count: number, persona: string) =>
      prisma.member.createMany({
        data: Array.from({ length: count }, () => ({ id: v7(), enterpriseId, name: 'M', email: `${v7()}@kites.example`, persona })),
      });
    await people(50, 'p'.repeat(900));
    const [first, second] = (await ask('os.directory')).members;
    expect([first.id, first.tasks.length, first.tasks[19]]).toEqual([member.id, 20, '… 281 more']);
    expect(second.persona).toBe(`${'p'.repeat(199)}…`);
    await people(100, 'q'.repeat(900));
    const { members, membersMore } = await ask('os.directory');
    expect([members.length + membersMore, members[0].tasks.length, members[1].persona]).toEqual([151, 6, `${'p'.repeat(59)}…`]);
  });
});

describe('os.list_built_in_tools', () => {
  it('lists what runs may call in the registry’s order, and the gate that a tool is held with', async () => {
    const { result } = await call('os.list_built_in_tools');
    const expected = families.flatMap(({ tools }) => tools).filter(({ calledBy }) => calledBy.includes('run'));
    expect(result).toEqual([
      ...expected.map(({ name, summary, effect }) => ({ name, summary, effect })),
      { name: 'os.test_gated', summary: 'Held with a gate.', effect: 'write', gate: 'os.set_context' },
    ]);
  });

  it('needs the scope of its route', async () => {
    const query = '{ osListBuiltInTools { name effect gate } }';
    const { osListBuiltInTools } = await harness.data(company.ceoSession, query);
    expect(osListBuiltInTools.at(-1)).toEqual({ name: 'os.test_gated', effect: 'WRITE', gate: 'os.set_context' });
    expect(await harness.refused(company.workerToken, query)).toMatchObject({ code: 'scope_missing', details: { scope: 'tools:read' } });
  });
});
