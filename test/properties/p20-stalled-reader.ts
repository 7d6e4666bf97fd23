import { Company } from './harness/company.ts';
import { Flood } from './harness/flood.ts';
import { lastEvent, runEventsAfter } from './harness/mutations.ts';
import { type Asked, Findings, percentile, type Result } from './harness/property.ts';
import { Reader } from './harness/reader.ts';
import { onStage, type Stage } from './harness/stage.ts';
import { inTime, range } from './harness/wait.ts';

export const name = 'P20';
export const claim = 'a reader that stops reading is closed with its cursor, and nobody else feels it';
/** Events, each told in a frame of 20 KB. */
export const sizes = { small: 1_500, full: 10_500 };
export const needsRedis = true;

const FRAME = 20_000;
const SELECTION = 'run { id input }';
/** Events for which one reader stalls: more than is kept for it, and over before its silence alone would have it dropped. */
const STALL = 1_500;
/** Events written at once; the next ones follow when the readers that read have these. */
const BATCH = 20;

interface Trial {
  stage: Stage;
  company: Company;
  flood: Flood;
  runId: string;
  readers: Reader[];
  /** The most memory that the process held, in bytes. */
  most: number;
}

/** Writes events at the pace of the good readers, and looks at the memory of the process meanwhile. */
async function write(trial: Trial, count: number) {
  const { stage, company, flood, runId, readers } = trial;
  const first = await lastEvent(company);
  for (let written = 0; written < count; written += BATCH) {
    const some = Math.min(BATCH, count - written);
    await flood.write(company, runId, some);
    await Promise.all(readers.map((reader) => reader.reaches(first + written + some)));
    if (written % (BATCH * 10) === 0) trial.most = Math.max(trial.most, (await stage.nodes[0]!.control.glance()).rss);
  }
}

/** `size` events with a reader that does not read; before that some without one, to know what the process needs anyway. */
export async function run(asked: Asked): Promise<Result> {
  return onStage({ processes: 1 }, async (stage) => {
    const company = await Company.found(stage);
    const findings = new Findings();
    const { id: runId } = await company.run('free', { text: 'x'.repeat(FRAME) });
    const [url, flood] = [stage.urls[0]!, await Flood.open(stage)];
    const start = await lastEvent(company);
    const readers = await Promise.all(range(asked.timed ? 3 : 1).map(() => Reader.open(url, company.ceo.secret, start, SELECTION)));
    const trial: Trial = { stage, company, flood, runId, readers, most: 0 };
    await write(trial, asked.size / 4);
    const before = trial.most;
    const told = readers.map((reader) => reader.told.length);
    const stalls = range(Math.ceil(asked.size / STALL));
    for (const _ of stalls) await stall(trial, findings);
    const all = await runEventsAfter(company, start);
    for (const reader of readers) findings.same(reader.numbers, all, 'what a good reader was told');
    const lags = readers.flatMap((reader, index) => reader.told.slice(told[index]).map(({ lag }) => lag));
    const [slow, grown] = [Math.round(percentile(lags, 0.99)), Math.round((trial.most - before) / 2 ** 20)];
    if (asked.timed) findings.check(grown < 64, 'memory grew', grown);
    if (asked.timed) findings.check(slow < 500, 'the others were held up', slow);
    await Promise.all([flood.close(), ...readers.map((reader) => reader.close())]);
    const seen = `${stalls.length} readers stalled for ${STALL} events of ${FRAME / 1_000} KB each: closed with 4413 and their cursor`;
    const found = `${seen}; alive, RSS +${grown} MB, others' p99 ${slow} ms`;
    return findings.result(name, asked, 'alive, RSS growth < 64 MB, 4413 with a cursor, others p99 < 500 ms', found);
  });
}

/** One reader that stops reading, and what it learns once it reads again. */
async function stall(trial: Trial, findings: Findings) {
  const { stage, company } = trial;
  const from = await lastEvent(company);
  const stalled = await Reader.open(stage.urls[0]!, company.ceo.secret, from, SELECTION);
  stalled.raw.socket.pause();
  await write(trial, STALL);
  stalled.raw.socket.resume();
  const closed = await inTime('close of the stalled reader', stalled.raw.closed);
  const all = await runEventsAfter(company, from);
  findings.same([closed.code, closed.reason], [4413, String(stalled.last)], 'how the stalled reader is closed');
  findings.same(
    stalled.numbers,
    all.filter((number) => number <= stalled.last),
    'what the stalled reader was told before',
  );
  await resume(company, stalled, findings, all);
}

/** From the cursor that it was closed with, the reader gets all that it missed. */
async function resume(company: Company, stalled: Reader, findings: Findings, all: number[]) {
  const again = await Reader.open(company.stage.urls[0]!, company.ceo.secret, stalled.last);
  await again.reaches(all.at(-1)!);
  findings.same(
    [...stalled.numbers, ...again.numbers],
    all.slice(-(stalled.told.length + again.told.length)),
    'what is told after resuming',
  );
  findings.check(again.told.length > 0, 'nothing was left to resume');
  await again.close();
}
