import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from '../../src/ops/folder-lock.ts';
import { startOf } from '../../src/ops/process-start.ts';

const HOLDER = path.join(import.meta.dirname, 'lock-holder.ts');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-lock-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that tries to lock the folder at each line it is sent, and says how that went. */
function holder() {
  const child = spawn(process.execPath, ['--import', 'tsx', HOLDER, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid!,
    said: async () => (await lines.next()).value as string,
    tell: (order: 'lock' | 'release') => child.stdin.write(`${order}\n`),
    async die() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

const inUse = (pid: number) => `The data folder ${folder} is in use by process ${pid}: stop that one, or set DATA_DIR to another folder.`;

test('a second process is refused, with the id of the first; a released folder is free', async () => {
  const other = holder();
  expect(await other.said()).toBe('ready');
  other.tell('lock');
  expect(await other.said()).toBe('locked');
  expect(() => lockFolder(folder)).toThrow(inUse(other.pid));
  other.tell('release');
  expect(await other.said()).toBe('released');
  const mine = lockFolder(folder);
  other.tell('lock');
  expect(await other.said()).toBe(inUse(process.pid));
  mine.release();
  await other.die();
});

test('the same process does not own a folder twice', () => {
  const first = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(`The data folder ${folder} is already open in this process (${process.pid}).`);
  first.release();
  first.release();
  lockFolder(folder).release();
});

test('a late second release leaves the next owner alone', () => {
  const first = lockFolder(folder);
  first.release();
  const second = lockFolder(folder);
  first.release();
  expect(() => lockFolder(folder)).toThrow('already open');
  second.release();
});

test('a killed owner is followed, and one file stays', async () => {
  const other = holder();
  await other.said();
  other.tell('lock');
  await other.said();
  await other.die();
  lockFolder(folder).release();
  expect(readdirSync(path.join(folder, 'lock'))).toEqual(['2']);
});

test('a process that got the id of a dead owner is not taken for it', () => {
  mkdirSync(path.join(folder, 'lock'));
  writeFileSync(path.join(folder, 'lock/1'), JSON.stringify({ pid: process.pid, start: 'another machine start/1', released: false }));
  lockFolder(folder).release();
});

test('an owner whose start is not known counts while its id does', () => {
  mkdirSync(path.join(folder, 'lock'));
  writeFileSync(path.join(folder, 'lock/1'), JSON.stringify({ pid: process.ppid, start: null, released: false }));
  expect(() => lockFolder(folder)).toThrow(inUse(process.ppid));
  writeFileSync(path.join(folder, 'lock/1'), JSON.stringify({ pid: 2 ** 22 + 1, start: null, released: false }));
  lockFolder(folder).release();
});

test('of several that see a dead owner at once one follows it, round after round', async () => {
  const holders = [holder(), holder(), holder()];
  for (const each of holders) expect(await each.said()).toBe('ready');
  for (let round = 1; round <= 30; round++) {
    const dead = JSON.stringify({ pid: 2 ** 22 + round, start: 'gone', released: false });
    rmSync(path.join(folder, 'lock'), { recursive: true, force: true });
    mkdirSync(path.join(folder, 'lock'));
    writeFileSync(path.join(folder, 'lock/7'), dead);
    for (const each of holders) each.tell('lock');
    const answers = await Promise.all(holders.map((each) => each.said()));
    const winners = holders.filter((_, index) => answers[index] === 'locked');
    expect(winners.length).toBe(1);
    expect(answers.filter((answer) => answer === inUse(winners[0]!.pid)).length).toBe(2);
    winners[0]!.tell('release');
    expect(await winners[0]!.said()).toBe('released');
  }
  for (const each of holders) await each.die();
});

test('a dead process has no start, a living one always the same', async () => {
  expect(startOf(2 ** 22 + 1)).toBe(null);
  expect(startOf(process.pid)).toBe(startOf(process.pid));
  expect(startOf(process.pid)).not.toBe(startOf(process.ppid));
});
