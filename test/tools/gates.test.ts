import { describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeClock } from '../support/clock.ts';
import { makeCompany, makeToken } from '../support/company.ts';
import { copyGate } from '../support/copies.ts';
import { Harness } from '../support/harness.ts';

const clock = makeClock();
const { kernel, url } = await testApp({ additions: { now: clock.now } });
const company = await makeCompany(kernel);
const harness = new Harness(url, company);
const question = (number: number) => ({ number, question: `Question ${number}?`, context: 'c', ctoRecommendation: 'r' });

describe('os.set_gate_summary', () => {
  it('is for the run’s next gate: the last one counts, and it shows on the run', async () => {
    const run = await harness.run({ tools: ['os.set_gate_summary', 'os.set_context'], gates: [{ tool: 'os.set_context' }] });
    expect((await harness.call(run.token, 's1', 'os.set_gate_summary', { summary: '- one' })).result).toEqual({ summary: '- one' });
    expect((await harness.call(run.token, 's2', 'os.set_gate_summary', { summary: ' **two**\n' })).result).toEqual({
      summary: ' **two**\n',
    });
    expect((await harness.call(run.token, 's1', 'os.set_gate_summary', { summary: '- one' })).result).toEqual({ summary: '- one' });
    expect((await harness.runOf(run.runId)).gateSummary).toBe(' **two**\n');
    const { gate } = await harness.call(run.token, 'g', 'os.set_context', { key: 'k', value: 1 });
    expect((await harness.gate(gate!.id)).summary).toBe(' **two**\n');
    await harness.decide(gate!, { decision: 'REJECT' });
    await harness.call(run.token, 's3', 'os.set_gate_summary', { summary: 'three' });
    const second = await harness.call(run.token, 'g2', 'os.set_context', { key: 'k', value: 1 });
    expect([(await harness.gate(gate!.id)).summary, (await harness.gate(second.gate!.id)).summary]).toEqual([' **two**\n', 'three']);
  });

  it('refuses a summary that no answer could hold, rather than to store it and not to answer', async () => {
    const run = await harness.run({ tools: ['os.set_gate_summary', 'os.ask_ceo'] });
    const { status, error } = await harness.call(run.token, 's', 'os.set_gate_summary', { summary: '"\n'.repeat(9_000) });
    const message = 'must have at most 24900 characters as JSON, where a quote or a line break takes two: shorten it';
    expect([status, error!.details]).toEqual(['HANDED_BACK', { issues: [{ path: 'summary', message: expect.stringContaining(message) }] }]);
    expect((await harness.runOf(run.runId)).gateSummary).toBeNull();
    const longest = '"'.repeat(12_449);
    expect((await harness.call(run.token, 's', 'os.set_gate_summary', { summary: longest })).result).toEqual({ summary: longest });
  });

  it.each([[{ summary: '' }], [{ summary: 'x'.repeat(20_001) }], [{}], [{ summary: 'x', for: 'os.ask_ceo' }]])(
    'refuses %j',
    async (args) => {
      const run = await harness.run({ tools: ['os.set_gate_summary', 'os.ask_ceo'] });
      expect((await harness.call(run.token, 's', 'os.set_gate_summary', args)).error!.code).toBe('invalid_arguments');
      expect((await harness.runOf(run.runId)).gateSummary).toBeNull();
    },
  );
});

describe('os.ask_ceo', () => {
  it('asks, and the answers end the run and are what the next task starts with', async () => {
    const next = await harness.task();
    const run = await harness.run({ tools: ['os.ask_ceo'], successors: [{ outcome: 'ceo_approved', task: next }] }, { repo: 'kites' });
    const args = { questions: [question(1), question(2), question(3)], context: 'All of it.' };
    const { gate } = await harness.call(run.token, 'g', 'os.ask_ceo', args);
    const answers = [
      { number: 3, kind: 'EXPLAIN', text: 'Why now?' },
      { number: 1, kind: 'ACCEPT' },
      { number: 2, kind: 'ANSWER', text: 'The blue one.' },
    ];
    expect(await harness.decide(gate!, { decision: 'APPROVE', answers, note: 'Good.' })).toMatchObject({
      status: 'APPROVED',
      answers: [answers[0], { ...answers[1], text: null }, answers[2]],
    });
    const output = {
      ceoAnswers: [
        { number: 1, kind: 'accept', text: null },
        { number: 2, kind: 'answer', text: 'The blue one.' },
        { number: 3, kind: 'explain', text: 'Why now?' },
      ],
      ceoNote: 'Good.',
    };
    expect((await harness.call(run.token, 'g', 'os.ask_ceo', args)).result).toEqual(output);
    expect((await harness.claim(next))!.input).toEqual({ repo: 'kites', ...output });
  });

  it('sent again finds its gate: nothing is asked twice', async () => {
    const run = await harness.run({ tools: ['os.ask_ceo'] });
    const args = { questions: [question(1)] };
    const first = await harness.call(run.token, 'g', 'os.ask_ceo', args);
    expect(await harness.call(run.token, 'g', 'os.ask_ceo', args)).toEqual(first);
    expect(await kernel.db.prisma.gate.count({ where: { runId: run.runId } })).toBe(1);
  });

  it.each<[string, unknown, string]>([
    ['no question', { questions: [] }, 'questions'],
    ['a first number that is not 1', { questions: [question(2)] }, 'questions'],
    ['numbers out of order', { questions: [question(2), question(1)] }, 'questions'],
    ['a number twice', { questions: [question(1), question(1)] }, 'questions'],
    ['an empty field', { questions: [{ ...question(1), context: '' }] }, 'questions[0].context'],
    ['a blank field', { questions: [{ ...question(1), ctoRecommendation: ' \n' }] }, 'questions[0].ctoRecommendation'],
    ['a missing field', { questions: [{ number: 1, question: 'q', context: 'c' }] }, 'questions[0].ctoRecommendation'],
    ['nothing', {}, 'questions'],
  ])('refuses %s', async (_, args, path) => {
    const run = await harness.run({ tools: ['os.ask_ceo'] });
    const { status, error, gate } = await harness.call(run.token, 'g', 'os.ask_ceo', args);
    expect([status, error!.code, gate]).toEqual(['HANDED_BACK', 'invalid_arguments', null]);
    expect(error!.details.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it('as a typed field raises what it waits for, then answers', async () => {
    const run = await harness.run({ tools: ['os.ask_ceo'], gates: [{ tool: 'os.ask_ceo', timeoutMinutes: 5 }] });
    const query =
      'mutation ($input: OsAskCeoInput!) { osAskCeo(input: $input, toolCallId: "g") { ceoAnswers { number kind text } ceoNote } }';
    const input = { questions: [question(1)] };
    const refused = await harness.refused(run.token, query, { input });
    const gate = await kernel.db.prisma.gate.findFirstOrThrow({ where: { runId: run.runId } });
    expect(refused).toEqual({
      code: 'gate_waiting',
      message: 'The call waits for a decision. Send it again under the same toolCallId once the gate has ended.',
      details: { gateId: gate.id, timesOutAt: new Date(clock.now().getTime() + 300_000).toISOString() },
    });
    await harness.decide(gate, { decision: 'APPROVE', answers: [{ number: 1, kind: 'ACCEPT' }] });
    expect(await harness.data(run.token, query, { input })).toEqual({
      osAskCeo: { ceoAnswers: [{ number: 1, kind: 'ACCEPT', text: null }], ceoNote: null },
    });
  });
});

describe('os.list_open_gates', () => {
  const FIELD = '{ osListOpenGates { runId taskSlug toolName owner payload summary createdAt age timesOutAt canRequestChanges } }';

  it('lists every waiting gate of the enterprise, oldest first', async () => {
    const own = new Harness(url, await makeCompany(kernel, 'Test Soup'));
    const reader = await own.run({ tools: ['os.list_open_gates'] });
    expect((await own.call(reader.token, 'l0', 'os.list_open_gates')).result).toEqual([]);
    const slugs = [
      await own.task({ tools: ['os.ask_ceo'] }),
      await own.task({ tools: ['os.set_context', 'os.set_gate_summary'], gates: [{ tool: 'os.set_context', timeoutMinutes: 60 }] }),
    ];
    for (const slug of slugs) await own.start(slug);
    const [one, two] = [(await own.claim(slugs[0]))!, (await own.claim(slugs[1]))!];
    const asked = { questions: [question(1)] };
    await own.call(one.token, 'g', 'os.ask_ceo', asked);
    const first = clock.now();
    clock.advance(61_999);
    await own.call(two.token, 's', 'os.set_gate_summary', { summary: 'Please.' });
    const { gate } = await own.call(two.token, 'g', 'os.set_context', { key: 'k', value: 1 });
    const second = clock.now();
    clock.advance(1_000);
    const expected = [
      {
        ...{ runId: one.runId, taskSlug: slugs[0], toolName: 'os.ask_ceo', owner: 'Cleo Kite', payload: asked },
        ...{ createdAt: first.toISOString(), age: 62, timesOutAt: null, canRequestChanges: false },
      },
      {
        ...{
          runId: two.runId,
          taskSlug: slugs[1],
          toolName: 'os.set_context',
          owner: 'Cleo Kite',
          payload: { key: 'k', value: 1 },
          summary: 'Please.',
        },
        ...{
          createdAt: second.toISOString(),
          age: 1,
          timesOutAt: new Date(second.getTime() + 3_600_000).toISOString(),
          canRequestChanges: true,
        },
      },
    ];
    expect((await own.call(reader.token, 'l1', 'os.list_open_gates')).result).toEqual(expected);
    expect((await own.data(own.company.personSession, FIELD)).osListOpenGates).toEqual([{ ...expected[0], summary: null }, expected[1]]);
    expect((await own.data(await makeToken(kernel, own.company, ['gates:read']), FIELD)).osListOpenGates).toHaveLength(2);
    expect(await own.refused(own.company.workerToken, FIELD)).toMatchObject({ code: 'scope_missing', details: { scope: 'gates:read' } });
    await own.decide(gate!, { decision: 'REJECT' });
    expect((await own.call(reader.token, 'l1', 'os.list_open_gates')).result).toEqual([{ ...expected[0], age: 62 }]);
  });

  it('shortens the texts of payloads where it would outgrow an answer', async () => {
    const own = new Harness(url, await makeCompany(kernel, 'Test Tea'));
    const reader = await own.run({ tools: ['os.list_open_gates'] });
    const list = async (id: string) =>
      (await own.call(reader.token, id, 'os.list_open_gates')).result.map(({ payload }: any) => payload.value.text);
    const hold = async (text: string) => {
      const run = await own.run({ tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] });
      await own.call(run.token, 'g', 'os.set_context', { key: 'k', value: { text } });
    };
    await hold('x'.repeat(12_000));
    await hold('ok');
    expect(await list('a')).toEqual(['x'.repeat(12_000), 'ok']);
    await hold('😀'.repeat(4_000));
    await hold('y'.repeat(10_000));
    expect(await list('b')).toEqual([`${'x'.repeat(999)}…`, 'ok', `${'😀'.repeat(999)}…`, `${'y'.repeat(999)}…`]);
  });

  it('shortens summaries too, and tells a payload without long texts by its beginning', async () => {
    const own = new Harness(url, await makeCompany(kernel, 'Test Salt'));
    const reader = await own.run({ tools: ['os.list_open_gates'] });
    const hold = async (summary: string, value: unknown) => {
      const run = await own.run({ tools: ['os.set_context', 'os.set_gate_summary'], gates: [{ tool: 'os.set_context' }] });
      await own.call(run.token, 's', 'os.set_gate_summary', { summary });
      await own.call(run.token, 'g', 'os.set_context', { key: 'k', value });
    };
    await hold('s'.repeat(13_000), 1);
    await hold(
      't'.repeat(13_000),
      Array.from({ length: 8_000 }, () => 7),
    );
    const { result } = await own.call(reader.token, 'l', 'os.list_open_gates');
    expect(result.map(({ summary }: any) => summary)).toEqual([`${'s'.repeat(999)}…`, `${'t'.repeat(999)}…`]);
    expect(result[0].payload).toEqual({ key: 'k', value: 1 });
    expect(result[1].payload).toBe(`{"key":"k","value":[${'7,'.repeat(489)}7…`);
    const [whole] = (await own.data(own.company.ceoSession, '{ osListOpenGates { summary } }')).osListOpenGates;
    expect(whole.summary).toBe('s'.repeat(13_000));
  });

  it('leaves out the newest where they do not fit, and counts them on the last row', async () => {
    const own = new Harness(url, await makeCompany(kernel, 'Test Sugar'));
    const reader = await own.run({ tools: ['os.list_open_gates'] });
    const first = await own.run({ slug: 'held', tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] });
    const { gate } = await own.call(first.token, 'g', 'os.set_context', { key: 'k', value: 'v'.repeat(300) });
    await copyGate(kernel.db, gate!.id, 499);
    const { result } = await own.call(reader.token, 'l', 'os.list_open_gates');
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(25_000);
    expect(result.length).toBeGreaterThan(60);
    expect(result[0]).toMatchObject({ runId: first.runId, payload: { key: 'k', value: `${'v'.repeat(59)}…` } });
    expect(result.map(({ more }: any) => more).filter(Boolean)).toEqual([500 - result.length]);
    expect(result.at(-1).more).toBe(500 - result.length);
    expect((await own.data(own.company.ceoSession, '{ osListOpenGates { more payload } }')).osListOpenGates).toHaveLength(500);
  });
});
