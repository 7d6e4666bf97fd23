import { type Asking, invoke } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { sharedStage } from './harness/stage.ts';
import { inFlight, range } from './harness/wait.ts';

export const name = 'P2';
export const claim = 'an id that a run used is refused for another call, and free in another run';
export const sizes = { small: 60, full: 1_000 };

const counted = { text: 'SELECT entry FROM probe_add WHERE starts_with(entry, $1)' };

/** Pairs of calls under one id that differ in payload or in tool, and the same id in a second run. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const random = new Random(asked.seed);
  const company = await Company.found(stage);
  const findings = new Findings();
  const [a, b] = [await company.run(), await company.run()];
  const { urls } = stage;
  const mark = `p2-${company.enterpriseId}-`;
  const pairs = range(asked.size).map((index) => {
    const toolCallId = `id-${index}`;
    const other = (suffix: string) => mark + index + suffix;
    const others: Omit<Asking, 'toolCallId'>[] = [
      { tool: 'probe.add', arguments: { entry: other('/other') } },
      { tool: 'probe.act', arguments: { entry: other('') } },
      { tool: 'ledger.put', arguments: { entry: other('/other'), amount: 1 } },
      { tool: 'os.set_context', arguments: { key: other('/other'), value: 1 } },
    ];
    const first = { toolCallId, tool: 'probe.add', arguments: { entry: other('') } };
    return {
      first,
      second: { toolCallId, ...random.pick(others) },
      inB: { toolCallId, tool: 'probe.add', arguments: { entry: other('/b') } },
    };
  });
  await inFlight(8, pairs, async ({ first, second, inB }, index) => {
    const [one, two] = [urls[index % 2]!, urls[(index + 1) % 2]!];
    findings.same((await invoke(one, a.token, first)).status, 'SUCCEEDED', 'the first call');
    const refused = await invoke(two, a.token, second);
    findings.same(
      [refused.status, refused.error?.code, refused.error?.details],
      ['HANDED_BACK', 'tool_call_id_reused', { tool: 'probe.add' }],
      'the refusal',
    );
    findings.same((await invoke(two, b.token, inB)).status, 'SUCCEEDED', 'the same id in another run');
    findings.same((await invoke(one, a.token, first)).status, 'SUCCEEDED', 'the first call again');
  });
  const added = (await stage.db.query<{ entry: string }>({ ...counted, values: [mark] })).map(({ entry }) => entry).sort();
  const expected = pairs.flatMap(({ first, inB }) => [first.arguments.entry, inB.arguments.entry]).sort();
  findings.same(added, expected, 'effects in our database');
  findings.same(
    (await stage.probe.acts()).filter(({ entry }) => entry.startsWith(mark)),
    [],
    'effects of refused calls',
  );
  findings.same(
    (await stage.ledger.kept()).filter(({ entry }) => entry.startsWith(mark)),
    [],
    'entries of refused calls',
  );
  const context = await stage.db.prisma.contextEntry.count({ where: { enterpriseId: company.enterpriseId } });
  findings.same(context, 0, 'values of refused calls');
  const found = `${asked.size} pairs: ${asked.size} refused, 0 effects; ${asked.size} in another run done`;
  return findings.result(name, asked, 'refused with tool_call_id_reused, 0 effects; independent in another run', found);
}
