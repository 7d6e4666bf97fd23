import { type Asking, decided, invoke } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { approval, effects, type Held, openGate, settledCall } from './harness/gates.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { sharedStage } from './harness/stage.ts';
import { inFlight, range } from './harness/wait.ts';

export const name = 'P15';
export const claim = 'an approval is spent once, and of two identical calls at once one asks for it';
export const sizes = { small: 15, full: 500 };

const TOOLS: Held[] = ['os.set_context', 'probe.add', 'ledger.put', 'ledger.post'];
const COPIES = 6;

/** `size` approvals, each seen by several copies of its harness; and pairs of identical calls under two ids. */
export async function run(asked: Asked): Promise<Result> {
  const company = await Company.found(await sharedStage());
  const findings = new Findings();
  await inFlight(3, range(asked.size), async (index) => {
    const mark = `p15-${asked.seed}-${company.enterpriseId}-${index}`;
    await spend(company, findings, TOOLS[index % TOOLS.length]!, mark);
    await race(company, findings, `${mark}-pair`);
  });
  const found = `${asked.size} approvals seen by ${COPIES} copies: 1 execution each; ${asked.size} pairs: 1 gate each`;
  return findings.result(name, asked, '1 execution an approval; 1 gate a pair, the other call run_waiting', found);
}

/** Copies of the harness send the call again while it is approved, and another run sends the same. */
async function spend(company: Company, findings: Findings, tool: Held, mark: string) {
  const { urls } = company.stage;
  const opened = await openGate(company, tool, mark);
  const copies = range(COPIES).map((index) => () => invoke(urls[index % 2]!, opened.run.token, opened.asking));
  await Promise.all([decided(urls[1]!, company.ceo.secret, approval(opened.card)), ...copies.map((copy) => copy())]);
  const call = await settledCall(opened, () => urls);
  const again = await Promise.all(copies.map((copy) => copy()));
  findings.same(call.status, 'SUCCEEDED', `${tool}: the approved call`);
  findings.check(
    again.every(({ id, status }) => id === call.id && status === 'SUCCEEDED'),
    `${tool}: what the copies see`,
    again,
  );
  findings.same(await effects(company, tool, mark), 1, `${tool}: effects`);
  const other = await company.run('gated');
  findings.same((await invoke(urls[0]!, other.token, opened.asking)).status, 'WAITING', `${tool}: the same call of another run`);
  findings.same(await effects(company, tool, mark), 1, `${tool}: effects for another run`);
  await company.cancel(other); // what waits counts towards the runs of a task that may be at once
}

async function race(company: Company, findings: Findings, mark: string) {
  const { urls, db } = company.stage;
  const run = await company.run('gated');
  const call = (toolCallId: string): Asking => ({ toolCallId, tool: 'ledger.post', arguments: { entry: mark, amount: 1 } });
  const [one, two] = await Promise.all([invoke(urls[0]!, run.token, call('one')), invoke(urls[1]!, run.token, call('two'))]);
  const fates = [one, two].map(({ status, error }) => error?.code ?? status).sort();
  findings.same(fates, ['WAITING', 'run_waiting'], 'two identical calls at once');
  findings.same(await db.prisma.gate.count({ where: { runId: run.id } }), 1, 'gates of two identical calls');
  await company.cancel(run);
}
