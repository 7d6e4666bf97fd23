import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockFolder } from '../../src/ops/folder-lock.ts';
import { mortal } from '../support/children.ts';
import { hasNamespaces, ISOLATED } from '../support/namespaces.ts';

const HOLDER = path.join(import.meta.dirname, 'lock-holder.ts');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-lock-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that tries to lock the folder at each line it is sent, and says how that went. */
async function holder(within: string[] = []) {
  const [command, ...args] = [...within, process.execPath, '--import', 'tsx', HOLDER, folder];
  const child = mortal(spawn(command!, args, { stdio: ['pipe', 'pipe', 'inherit'] }));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async () => (await lines.next()).value as string;
  expect(await said()).toBe('ready');
  return {
    pid: child.pid!,
    said,
    ask(order: 'lock' | 'release') {
      child.stdin.write(`${order}\n`);
      return said();
    },
    async die() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

const inUse = (pid: number) =>
  `The data folder ${folder} is in use by process ${pid} on ${hostname()}: stop that one, or set DATA_DIR to another folder.`;

test('a second process is refused, with the id of the first; a released folder is free', async () => {
  const other = await holder();
  expect(await other.ask('lock')).toBe('locked');
  expect(() => lockFolder(folder)).toThrow(inUse(other.pid));
  expect(await other.ask('release')).toBe('released');
  const mine = lockFolder(folder);
  expect(await other.ask('lock')).toBe(inUse(process.pid));
  mine.release();
  await other.die();
});

test('the same process does not own a folder twice, and a late second release leaves the next owner alone', () => {
  const first = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(inUse(process.pid));
  first.release();
  const second = lockFolder(folder);
  first.release();
  expect(() => lockFolder(folder)).toThrow(inUse(process.pid));
  second.release();
});

test('a killed owner is followed, and one file stays', async () => {
  const other = await holder();
  await other.ask('lock');
  await other.die();
  lockFolder(folder).release();
  expect(readdirSync(folder)).toEqual(['owner']);
});

test('a copy of a folder that is in use is free', () => {
  const first = lockFolder(folder);
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true });
  lockFolder(copy).release();
  rmSync(copy, { recursive: true });
  first.release();
});

test('whoever holds a file that was replaced does not hold the folder of those who come later', () => {
  const first = lockFolder(folder);
  writeFileSync(`${folder}/restored`, '');
  renameSync(`${folder}/restored`, `${folder}/owner`);
  const second = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(inUse(process.pid));
  second.release();
  first.release();
});

type Holder = Awaited<ReturnType<typeof holder>>;

/** All of them try, until each owns the folder or is told who does. Answers that one. */
async function race(holders: Holder[]): Promise<Holder> {
  let winner: Holder | undefined;
  // An owner that ends owns it until the kernel is done, and is named until its follower has written its own name.
  const tried = async (each: Holder) => {
    let answer = await each.ask('lock');
    for (let tries = 0; answer !== 'locked' && answer !== inUse(winner?.pid ?? 0) && tries < 1_000; tries++)
      answer = await each.ask('lock');
    if (answer === 'locked') winner = each;
    return answer;
  };
  const answers = await Promise.all(holders.map(tried));
  expect(answers).toEqual(holders.map((each) => (each === winner ? 'locked' : inUse(winner!.pid))));
  return winner!;
}

test('of several that start at once one owns it, round after round, and a killed one is followed by one', async () => {
  let holders: Holder[] = await Promise.all([holder(), holder(), holder()]);
  for (let round = 1; round <= 50; round++) expect(await (await race(holders)).ask('release')).toBe('released');
  for (let round = 1; round <= 3; round++) {
    const owner = await race(holders);
    const next = [...holders.filter((each) => each !== owner), await holder()];
    const dead = owner.die();
    const follower = await race(next);
    await dead;
    expect(await follower.ask('release')).toBe('released');
    holders = next;
  }
  await Promise.all(holders.map((each) => each.die()));
}, 120_000);

describe.skipIf(!hasNamespaces())('between containers', () => {
  test('a process that cannot see the first one is refused', async () => {
    const [one, two] = await Promise.all([holder(ISOLATED), holder(ISOLATED)]);
    expect(await one.ask('lock')).toBe('locked');
    expect(await two.ask('lock')).toMatch(/^The data folder \S+ is in use by process \d+ on /);
    expect(() => lockFolder(folder)).toThrow(' is in use by process ');
    await one.die();
    let answer = await two.ask('lock');
    for (let tries = 0; answer !== 'locked' && tries < 1_000; tries++) answer = await two.ask('lock');
    expect(answer).toBe('locked');
    await two.die();
  });
});
