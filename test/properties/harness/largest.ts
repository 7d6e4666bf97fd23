import { invoke } from './calls.ts';
import type { Claimed, Company } from './company.ts';

/** Makes what a call is about, and answers the largest inputs that the tool takes: by length, by bytes, by escapes in JSON. */
type Largest = (company: Company, run: Claimed) => Promise<unknown[]>;

const of =
  (...inputs: unknown[]): Largest =>
  async () =>
    inputs;

const NOTE = ['😀'.repeat(5_000), '"'.repeat(10_000), '\n'.repeat(9_999).concat('x')];

const onFailedRuns =
  (more: object = {}): Largest =>
  (company) =>
    Promise.all(NOTE.map(async (note) => ({ runId: await company.failedRun(), note, ...more })));

const KEY = '😀'.repeat(512);
const ESCAPED_KEY = '\u0001'.repeat(512);
const VALUE = '"'.repeat(8_191);

/** JSON of 250,000 characters: what a gate's payload may hold. */
const QUESTIONS = Array.from({ length: 50 }, (_, index) => ({
  ...{ number: index + 1, question: 'q'.repeat(1_500), context: 'c'.repeat(1_500), ctoRecommendation: 'r'.repeat(1_500) },
}));

/** For each tool that a run may call. */
export const LARGEST: Record<string, Largest> = {
  'os.set_execution_name': of({ name: '😀'.repeat(100) }, { name: '"'.repeat(200) }, { name: '\u0001'.repeat(200) }),
  'os.add_execution_link': of(
    { name: '"'.repeat(200), url: `https://kites.example/${'a'.repeat(2_026)}` },
    { name: '\u0001'.repeat(200), url: `https://kites.example/${'界'.repeat(225)}` },
  ),
  'os.set_gate_summary': of(
    { summary: 's'.repeat(20_000) },
    { summary: '"'.repeat(12_449) },
    { summary: '\n'.repeat(12_449) },
    { summary: '\u0001'.repeat(4_149) },
    { summary: '😀'.repeat(10_000) },
  ),
  'os.ask_ceo': of({ questions: QUESTIONS, context: '"'.repeat(10_000) }),
  'os.set_context': of(
    { key: KEY, value: VALUE },
    { key: ESCAPED_KEY, value: VALUE },
    { key: ESCAPED_KEY, value: Array.from({ length: 2_340 }, () => 1e300) },
    { key: ESCAPED_KEY, value: '\u0001'.repeat(2_730) },
  ),
  async 'os.get_context'(company, { token }) {
    const [url] = company.stage.urls as [string];
    for (const key of [KEY, ESCAPED_KEY]) {
      await invoke(url, token, { toolCallId: key.slice(0, 4), tool: 'os.set_context', arguments: { key, value: VALUE } });
    }
    return [{ key: KEY }, { key: ESCAPED_KEY }];
  },
  'os.delete_context': of({ key: KEY }, { key: ESCAPED_KEY }),
  'os.inspect_enterprise': of({}, { team: 'team-1' }),
  'os.directory': of({}, { team: 'team-1' }),
  'os.list_blockers': of({}, { failedPage: 2 }, { failedPage: 1_000_000 }),
  'os.list_open_gates': of({}),
  'os.retry_run': onFailedRuns(),
  'os.route_run': onFailedRuns({ task: 'free' }),
  'os.clear_run': onFailedRuns(),
  'os.escalate_run': onFailedRuns({ to: 'ceo' }),
  'os.list_built_in_tools': of({}),
};
