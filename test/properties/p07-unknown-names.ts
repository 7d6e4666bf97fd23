import { type Call, invoke } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { sharedStage } from './harness/stage.ts';
import { inFlight, range } from './harness/wait.ts';

export const name = 'P7';
export const claim = 'of ten unknown tool names at once three are handed back, then the run fails once';
export const sizes = { small: 10, full: 200 };

const AT_ONCE = 10;

const fate = ({ status, error }: Call) => `${status} ${error?.code}`;

/** Ten at once in each of `size` runs, over two processes. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const company = await Company.found(stage);
  const findings = new Findings();
  const runs = await company.runs(asked.size);
  await inFlight(4, runs, async ({ id, token }) => {
    const sent = range(AT_ONCE).map((index) => ({ toolCallId: `u${index}`, tool: `os.no_such_tool_${index}`, arguments: {} }));
    const calls = await Promise.all(sent.map((input, index) => invoke(stage.urls[index % 2]!, token, input)));
    const expected = [
      ...Array(3).fill('HANDED_BACK unknown_tool_name'),
      'RUN_FAILED unknown_tool_repeated',
      ...Array(AT_ONCE - 4).fill('HANDED_BACK run_not_active'),
    ];
    findings.same(calls.map(fate).sort(), expected.sort(), 'the answers');
    const row = await stage.db.prisma.run.findFirst({ where: { id } });
    findings.same([row?.status, row?.failureCode], ['FAILED', 'unknown_tool_repeated'], 'the run');
    const told = await stage.db.prisma.event.count({ where: { enterpriseId: company.enterpriseId, runId: id, kind: 'FAILED' } });
    findings.same(told, 1, 'how often the failure is told');
  });
  const found = `${asked.size} runs: 3 handed back, 1 failure each`;
  return findings.result(name, asked, '3 handed back, then the run fails once', found);
}
