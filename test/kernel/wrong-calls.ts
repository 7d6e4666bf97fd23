/** Arguments of calls that must be refused, by tool. `RUN` stands for a run that is not on Blockers. */
export const RUN = 'a run that is not on Blockers';
const NONE = '0197a000-0000-7000-8000-0000000000c1';
const long = (length: number) => 'x'.repeat(length);
const question = { number: 1, question: 'Red first?', context: 'Two designs.', ctoRecommendation: 'Yes.' };
const asked = (told: Record<string, unknown>) => ({ questions: [{ ...question, ...told }] });
const { context: _, ...withoutContext } = question;
const context = (told: Record<string, unknown>[]) => [
  {},
  'plan/12',
  null,
  ['plan/12'],
  { key: 12 },
  { key: '' },
  { key: long(513) },
  { key: '__proto__' },
  { Key: 'plan/12' },
  ...told,
];
const moves = (told: Record<string, unknown>) => [
  {},
  { runId: 'latest', note: 'Why.', ...told },
  { runId: 7, note: 'Why.', ...told },
  { runId: NONE, note: ' ', ...told },
  { runId: NONE, ...told },
  { runId: NONE, note: long(10_001), ...told },
  { runId: NONE, note: 'Why.', ...told },
  { runId: RUN, note: 'Why.', ...told },
  { run: NONE, note: 'Why.', ...told },
];
const directory = [[], 'studio', { team: 7 }, { team: '' }, { team: 'stduio' }, { team: NONE }, { team: long(201) }];
const noArguments = [[], 'all', { page: 1 }, { limit: '10', page: { number: 1 } }];

export const WRONG_CALLS: Record<string, unknown[]> = {
  'os.set_execution_name': [
    {},
    'Plan',
    { name: 7 },
    { name: null },
    { name: '' },
    { name: ' \n ' },
    { name: long(201) },
    { name: ['Plan'] },
    { title: 'Plan' },
  ],
  'os.add_execution_link': [
    {},
    { name: 'Plan' },
    { name: 'Plan', url: 'docs/plan' },
    { name: 'Plan', url: 'javascript:alert(1)' },
    { name: 'Plan', url: `https://kites.example/${long(2_048)}` },
    { name: 'Plan', url: { href: 'https://kites.example' } },
    { name: 'Plan', url: 'https://kites.example', label: 'Plan' },
    { name: '', url: 'ftp://kites.example' },
  ],
  'os.set_gate_summary': [
    {},
    'Publishes.',
    { summary: '' },
    { summary: long(20_001) },
    { summary: '"'.repeat(13_000) },
    { summary: ['Publishes.'] },
    { text: 'Publishes.' },
  ],
  'os.ask_ceo': [
    {},
    'Red first?',
    { questions: [] },
    { questions: 'Red first?' },
    { questions: JSON.stringify([question]) },
    { questions: ['Red first?'] },
    { questions: question },
    { question: 'Red first?' },
    { questions: [withoutContext] },
    asked({ number: '1' }),
    asked({ number: 0 }),
    asked({ number: 2 }),
    asked({ question: ' ' }),
    asked({ context: '' }),
    asked({ ctoRecommendation: long(10_001) }),
    asked({ recommendation: 'Yes.' }),
    { ...asked({}), context: 7 },
    { questions: Array.from({ length: 51 }, (_, index) => ({ ...question, number: index + 1 })) },
  ],
  'os.set_context': context([{ key: 'plan/12' }, { key: 'plan/12', value: long(16_384) }, { key: 'plan/12', value: 1, ttl: 60 }]),
  'os.get_context': context([{ keys: ['plan/12'] }]),
  'os.delete_context': context([{ prefix: 'plan/' }]),
  'os.inspect_enterprise': directory,
  'os.directory': directory,
  'os.list_blockers': [[], { failedPage: 0 }, { failedPage: '2' }, { failedPage: 1.5 }, { failedPage: 1_000_001 }, { page: 2 }],
  'os.list_open_gates': noArguments,
  'os.retry_run': moves({}),
  'os.route_run': [...moves({ task: 'weekly-plan' }), { runId: NONE, note: 'Why.' }, { runId: NONE, task: '', note: 'Why.' }],
  'os.clear_run': moves({}),
  'os.escalate_run': [...moves({ to: 'lead' }), { runId: NONE, to: 'boss', note: 'Why.' }, { runId: NONE, to: 'CEO', note: 'Why.' }],
  'os.list_built_in_tools': noArguments,
};
