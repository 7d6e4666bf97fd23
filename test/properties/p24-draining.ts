import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runService, startService } from '../support/service.ts';
import { type Asking, insist, isNetwork, tryInvoke } from './harness/calls.ts';
import { type Claimed, Company } from './harness/company.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { onStage, type Stage } from './harness/stage.ts';
import { eventually, inTime, range } from './harness/wait.ts';

export const name = 'P24';
export const claim = 'a process that is told to stop loses no accepted call; one folder has one process';
export const sizes = { small: 1, full: 20 };

const LANES = 6;

/** `size` times: a process is stopped under load, and a folder is opened twice and after a crash. */
export async function run(asked: Asked): Promise<Result> {
  const findings = new Findings();
  const [drained] = await Promise.all([drainTrials(asked, findings), folderTrials(asked, findings)]);
  if (asked.timed) findings.check(drained.slowest <= 10_000, 'stopped late', drained.slowest);
  const found = `${asked.size} stops under load, ${drained.calls} calls: 0 lost, the slowest ${drained.slowest} ms; second process refused, lock of a dead one taken over`;
  return findings.result(name, asked, 'no new work, in-flight calls end within 10 s, 0 lost; folder locked, stale lock recovered', found);
}

const drainTrials = (asked: Asked, findings: Findings) =>
  onStage({ timing: { callLease: 2_000, callRenew: 500, drain: 10_000 } }, async (stage) => {
    const company = await Company.found(stage);
    let [calls, slowest] = [0, 0];
    for (let round = 0; round < asked.size; round++) {
      const one = await drain(stage, company, findings, `p24-${asked.seed}-${round}`);
      if (round < asked.size - 1) stage.nodes[0] = await stage.startNode();
      [calls, slowest] = [calls + one.calls, Math.max(slowest, one.took)];
    }
    return { calls, slowest };
  });

async function folderTrials({ size }: Asked, findings: Findings) {
  for (let round = 0; round < Math.ceil(size / 4); round++) await oneFolder(findings);
}

/** Sends calls to the first process until it refuses them, and tells it to stop in the middle. */
async function drain(stage: Stage, company: Company, findings: Findings, mark: string) {
  const victim = stage.nodes[0]!;
  const other = stage.nodes[1]!;
  const runs = await company.runs(LANES);
  const sent: { run: Claimed; asking: Asking; answered: boolean }[] = [];
  const held = { run: await company.run(), asking: { toolCallId: `${mark}-held`, tool: 'probe.hold', arguments: { entry: mark } } };
  const slow = tryInvoke(victim.url, held.run.token, held.asking);
  await eventually('call under way', async () => (await stage.probe.acts(mark)).length === 1);
  const lanes = runs.map((run, lane) => load(victim.url, run, `${mark}-${lane}`, sent));
  await eventually('load', () => sent.filter(({ answered }) => answered).length >= LANES * 2);
  const begun = performance.now();
  victim.kill('SIGTERM');
  await Promise.all(lanes);
  await stage.probe.release(mark);
  const answer = await slow;
  findings.same(answer.data?.invokeTool.status, 'SUCCEEDED', 'the call that was under way');
  const { code, signal } = await inTime('end of the process', victim.ended);
  const took = Math.round(performance.now() - begun);
  findings.same([code, signal], [0, null], 'how it ended');
  for (const { run, asking, answered } of sent) {
    const before = await stage.db.query({ text: 'SELECT FROM probe_add WHERE entry = $1', values: [asking.toolCallId] });
    if (answered) findings.same(before.length, 1, 'effects of an answered call');
    else findings.check(before.length <= 1, 'effects of a refused call', before.length);
    if (!answered) findings.same((await insist(() => [other.url], run.token, asking)).status, 'SUCCEEDED', 'a refused call sent elsewhere');
  }
  const rows = await stage.db.query({ text: 'SELECT entry FROM probe_add WHERE starts_with(entry, $1)', values: [mark] });
  findings.same(rows.length, sent.length, 'effects of all calls');
  findings.same((await stage.probe.acts(mark)).length, 1, 'acts of the call that was under way');
  return { calls: sent.length + 1, took };
}

/** One call after another, until one is not answered. */
async function load(url: string, run: Claimed, mark: string, sent: { run: Claimed; asking: Asking; answered: boolean }[]) {
  for (const index of range(100_000)) {
    const toolCallId = `${mark}-${index}`;
    const one = { run, asking: { toolCallId, tool: 'probe.add', arguments: { entry: toolCallId } }, answered: false };
    sent.push(one);
    try {
      const answer = await tryInvoke(url, run.token, one.asking);
      one.answered = answer.data?.invokeTool.status === 'SUCCEEDED';
    } catch (error) {
      if (!isNetwork(error)) throw error;
    }
    if (!one.answered) return;
  }
}

/** The embedded default: a second process on the folder says why it ends; after a crash the folder opens again. */
async function oneFolder(findings: Findings) {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-folder-'));
  const settings = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error' };
  const first = await startService(settings);
  try {
    const second = await runService(settings);
    findings.same(second.code, 1, 'the exit code of a second process');
    const lines = second.stderr.trim().split('\n');
    findings.check(
      lines.length === 1 && lines[0]!.includes(folder) && lines[0]!.includes(String(first.pid)),
      'what the second process says',
      second.stderr,
    );
    findings.same((await fetch(`${first.url}/health`)).status, 200, 'the first process afterwards');
    first.kill('SIGKILL');
    await first.ended;
    const third = await startService(settings);
    findings.same((await fetch(`${third.url}/ready`)).status, 200, 'a process after the crash');
    findings.same((await third.stop()).code, 0, 'its end');
  } finally {
    first.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}
