import { describe, expect, it } from 'vitest';
import { testFamilies } from '../fixtures/tools.ts';
import { testApp } from '../support/app.ts';
import { makeClock } from '../support/clock.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';

const clock = makeClock();
const { kernel, url } = await testApp({ additions: { now: clock.now, families: testFamilies }, timing: { sweep: 50 } });
const harness = new Harness(url, await makeCompany(kernel));
const SET = { key: 'a', value: 1 };
const gated = { tools: ['os.set_context', 'os.get_context'], gates: [{ tool: 'os.set_context' }] };

describe('tools are named as the caller names them, and details stay dotted', () => {
  it.each([
    ['os__set_contxt', 'There is no tool "os__set_contxt". Did you mean os__set_context, os__get_context?'],
    ['set_context', 'There is no tool "set_context". Did you mean os__get_context, os__set_context?'],
    ['os.set_contxt', 'There is no tool "os.set_contxt". Did you mean os.set_context, os.get_context?'],
  ])('%s', async (tool, message) => {
    const { token } = await harness.run({ tools: ['os.set_context', 'os.get_context'] });
    const { error } = await harness.call(token, 'c', tool, SET);
    expect(error).toMatchObject({
      code: 'unknown_tool_name',
      message,
      details: { closest: expect.arrayContaining(['os.set_context', 'os.get_context']) },
    });
  });

  it('a value that names a tool is told as it was sent', async () => {
    const { token } = await harness.run({ tools: ['os.retry_run'] });
    const { error } = await harness.call(token, 'c', 'os__retry_run', { runId: 'os.list_blockers', note: 'Why.' });
    expect(error!.message).toBe(
      'The arguments do not fit:\nrunId: must be a UUID such as "0197a000-0000-7000-8000-0000000000c1"; ' +
        'sent was the text "os.list_blockers" (The stopped run: the `runId` of os__list_blockers)',
    );
  });

  it('so are those that are offered', async () => {
    const { tools } = await harness.run({ tools: ['os.retry_run', 'os.list_blockers'] });
    expect(JSON.stringify(tools)).not.toMatch(/\bos\.[a-z]/);
    expect(tools[0]!.inputSchema.properties.runId.description).toBe('The stopped run: the `runId` of os__list_blockers.');
  });
});

it('a message holds no secret, and is short whatever was sent', async () => {
  const { token } = await harness.run({ tools: ['os.get_context'] });
  const secret = { url: `https://bo${'b'.repeat(5_000)}:pass@kites.example`, token: `x ${token}` };
  const { error } = await harness.call(token, 'c', 'os__get_context', {
    key: secret,
    k: 1,
    ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${'f'.repeat(900)}${index}`, 'v'.repeat(2_000)])),
  });
  expect(error!.message.length).toBeLessThan(12_000);
  expect(error!.message.split('\n').at(-1)).toBe('and 282 more');
  expect(error!.message).toContain(
    'key: must be a text of at least 1 character; sent was an object: {"url":"https://[redacted]@kites.example","token":"x [redacted]"}',
  );
});

describe('a refusal says what to do next', () => {
  it('of a tool that the task does not declare', async () => {
    const { token } = await harness.run({ tools: ['os.get_context'] });
    const { error } = await harness.call(token, 'c', 'os__set_context', SET);
    expect(error!.message).toBe('The task of this run does not declare "os__set_context". The run fails. Its tools are os__get_context.');
  });

  it('of an id that was used', async () => {
    const { token } = await harness.run({ tools: ['os.set_context'] });
    await harness.call(token, 'c', 'os__set_context', SET);
    const { error } = await harness.call(token, 'c', 'os__set_context', { ...SET, value: 2 });
    expect(error!.message).toBe('This run used the toolCallId "c" for another call, of os__set_context. Send this one under a new id.');
  });

  it.each([
    ['finishRun', { outcome: 'done' }, 'The run is finished, not running. It has ended: stop, and make no further call in it.'],
    [
      'blockRun',
      { blockClass: 'x', reason: 'y' },
      'The run is blocked, not running. Stop: whoever claims it next goes on with it, under a token of its own.',
    ],
  ])('of a run that is not running, after %s', async (name, input, message) => {
    const { token, runId } = await harness.run({ tools: ['os.get_context'] });
    await harness.drive(name, token, { runId, ...input });
    expect((await harness.call(token, 'c', 'os__get_context', { key: 'a' })).error).toMatchObject({ code: 'run_not_active', message });
  });

  it('of a person', async () => {
    const { token } = await harness.run(gated);
    const { gate } = await harness.call(token, 'c', 'os__set_context', SET);
    await harness.decide(gate!, { decision: 'REJECT', note: 'Not now.' });
    expect((await harness.call(token, 'c', 'os__set_context', SET)).error!.message).toBe(
      'A person rejected this call; it was not made. Do not send it again: do what the note asks, or go on without it. The note says: Not now.',
    );
  });

  it('of a gate whose run ended', async () => {
    const { token, runId } = await harness.run(gated);
    await harness.call(token, 'c', 'os__set_context', SET);
    await harness.drive('cancelRun', harness.company.ceoSession, { runId });
    expect((await harness.calls(runId))[0]!.error).toMatchObject({
      code: 'gate_cancelled',
      message: 'The run ended while this call waited for a decision; it was not made. Stop, and make no further call in this run.',
    });
  });

  it('of a run that was handed out again', async () => {
    const task = await harness.task({ tools: ['os.get_context'] });
    await harness.start(task);
    const { token } = (await harness.claim(task))!;
    clock.advance(3_600_000);
    await harness.claim(task);
    expect((await harness.refused(token, '{ viewer { kind } }')).message).toBe(
      'The run was handed out again, and this token is dead: stop work on this run, and claim the next one with the worker’s token.',
    );
  });

  it('of a team that is not there', async () => {
    const { company } = harness;
    const at = kernel.now();
    for (const slug of ['studio', 'workshop'])
      await kernel.db.prisma.team.create({
        data: { id: crypto.randomUUID(), enterpriseId: company.enterpriseId, name: slug, slug, createdAt: at },
      });
    const { token } = await harness.run({ tools: ['os.directory'] });
    expect((await harness.call(token, 'c', 'os__directory', { team: 'stduio' })).error).toMatchObject({
      code: 'not_found',
      message: 'There is no team "stduio" in this enterprise. The closest are studio, workshop. Without `team` the answer lists all teams.',
    });
  });
});

describe('null for a field that may be left out is as left out', () => {
  it.each([
    ['os__list_blockers', { failedPage: null }],
    ['web__sitemap', { url: 'https://kites.example', limit: null }],
    ['os__inspect_enterprise', { team: null }],
  ])('%s %j', async (tool, args) => {
    const { token } = await harness.run({ tools: ['os.list_blockers', 'web.sitemap', 'os.inspect_enterprise'] });
    expect(await harness.call(token, 'c', tool, args)).toMatchObject({ status: 'SUCCEEDED', arguments: args });
  });

  it('and is refused for one that is required, or unknown', async () => {
    const { token } = await harness.run({ tools: ['os.get_context'] });
    const { error } = await harness.call(token, 'c', 'os__get_context', { key: null, ttl: null });
    expect(error!.details.issues.map(({ path }: { path: string }) => path)).toEqual(['key', 'ttl']);
  });
});
