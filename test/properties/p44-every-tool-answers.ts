import { type Call, decided, invoke } from './harness/calls.ts';
import { CATALOGUE } from './harness/catalogue.ts';
import { type Claimed, Company } from './harness/company.ts';
import { enlarge } from './harness/large-company.ts';
import { LARGEST } from './harness/largest.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { sharedStage } from './harness/stage.ts';

export const name = 'P44';
export const claim = 'every tool answers: its largest input, in the largest company';
/** In hundredths of 5,000 stopped runs, 500 gates and 300 tasks. */
export const sizes = { small: 8, full: 100 };

const MOST_CHARACTERS = 25_000;

/** Each tool of the catalogue with each of its largest inputs, as a run of a company that has as much as it may. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const findings = new Findings();
  findings.same(Object.keys(LARGEST).sort(), CATALOGUE.map(({ name }) => name).sort(), 'the tools that are tried');
  const company = await Company.found(stage);
  await enlarge(company, { stopped: 50 * asked.size, gates: 5 * asked.size, tasks: Math.max(100, 3 * asked.size) });
  for (const [tool, largest] of Object.entries(LARGEST)) {
    const run = await company.run();
    const inputs = await largest(company, run);
    for (const [index, input] of inputs.entries()) {
      const call = await invoke(stage.urls[0]!, run.token, { toolCallId: `largest ${index}`, tool, arguments: input });
      check(findings, tool, index, call);
      if (tool === 'os.ask_ceo') await answered(findings, company, run, call);
    }
  }
  return findings.result(
    name,
    asked,
    'an answer of at most 25,000 characters',
    `${findings.checked} checks of ${CATALOGUE.length} tools: all answered`,
  );
}

function check(findings: Findings, tool: string, index: number, { status, result, error }: Call) {
  findings.same([status, error?.code], [tool === 'os.ask_ceo' ? 'WAITING' : 'SUCCEEDED', undefined], `${tool}, input ${index}`);
  findings.check(JSON.stringify(result).length <= MOST_CHARACTERS, `${tool}, input ${index}: how long its answer is`);
}

/** The CEO writes as much as may be written: the run's output has all of it, and the call a result that can be handed over. */
async function answered(
  findings: Findings,
  company: Company,
  { id, token }: Claimed,
  { gate, toolCallId, tool, arguments: args }: Call & { arguments?: unknown },
) {
  const [url] = company.stage.urls as [string];
  const answers = Array.from({ length: 50 }, (_, index) => ({ number: index + 1, kind: 'ANSWER' as const, text: '"'.repeat(9_000) }));
  const note = '"'.repeat(20_000);
  await decided(url, company.ceo.secret, { gateId: gate!.id, decision: 'APPROVE', payloadHash: gate!.payloadHash, answers, note });
  const call = await invoke(url, token, { toolCallId, tool, arguments: args });
  check(findings, 'the answers to os.ask_ceo', 0, call);
  findings.same(call.result.ceoAnswers.length, 50, 'how many answers the call has');
  const [run] = await company.stage.db.query<{ output: any }>({ text: 'SELECT "output" FROM "Run" WHERE "id" = $1', values: [id] });
  findings.same(run!.output.ceoNote, note, 'the note in the output');
  findings.same(
    run!.output.ceoAnswers.map(({ text }: { text: string }) => text),
    answers.map(({ text }) => text),
    'the answers in the output',
  );
}
