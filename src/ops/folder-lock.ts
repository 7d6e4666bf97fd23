import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isRunning, startOf } from './process-start.ts';

/** The folder has another owner. The message is one line and names its process. */
export class FolderLocked extends Error {
  override readonly name = 'FolderLocked';
}

export interface FolderLock {
  /** Gives the folder free. Again: no effect. */
  release(): void;
}

interface Owner {
  pid: number;
  /** Tells the process from a later one with the same id; null where the system does not say. */
  start: string | null;
  released: boolean;
}

/**
 * Makes this process the only one that may open `folder`, until it releases it or dies.
 *
 * The owner is who the file with the highest number in `<folder>/lock` names. That file is never removed, only followed
 * by the next number once its owner has released it or died; a file appears with its content and only if its number is
 * free. So of several processes that see a dead owner one takes its place, at whatever moment any of them is killed.
 *
 * @throws {FolderLocked} while another process, or this one, owns it
 */
export function lockFolder(folder: string): FolderLock {
  const directory = path.join(folder, 'lock');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (;;) {
    const last = highest(directory);
    const owner = last === 0 ? undefined : read(directory, last);
    if (owner === 'gone') continue; // followed by a newer number meanwhile
    if (owner && !owner.released && isRunning(owner.pid, owner.start)) throw locked(folder, owner.pid);
    const mine = last + 1;
    if (!claim(directory, mine)) continue;
    if (highest(directory) === mine) return held(directory, mine);
    rmSync(file(directory, mine)); // the view was old: somebody is further on
  }
}

const locked = (folder: string, pid: number) =>
  new FolderLocked(
    pid === process.pid
      ? `The data folder ${folder} is already open in this process (${pid}).`
      : `The data folder ${folder} is in use by process ${pid}: stop that one, or set DATA_DIR to another folder.`,
  );

const file = (directory: string, number: number) => path.join(directory, String(number));

const numbers = (directory: string) =>
  readdirSync(directory)
    .filter((name) => /^[1-9]\d*$/.test(name))
    .map(Number);

const highest = (directory: string) => Math.max(0, ...numbers(directory));

function read(directory: string, number: number): Owner | 'gone' {
  try {
    return JSON.parse(readFileSync(file(directory, number), 'utf8')) as Owner;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone';
    throw error;
  }
}

const me = (released: boolean): string => JSON.stringify({ pid: process.pid, start: startOf(process.pid), released } satisfies Owner);

/** Writes beside, then gives it its name at once: nobody reads half a file. */
function placed(directory: string, content: string, place: (written: string) => void) {
  const written = path.join(directory, `.${process.pid}-${crypto.randomUUID()}`);
  writeFileSync(written, content, { mode: 0o600, flush: true });
  try {
    place(written);
  } finally {
    rmSync(written, { force: true });
  }
}

/** A link, unlike a rename, fails when the name is taken. */
function claim(directory: string, number: number): boolean {
  try {
    placed(directory, me(false), (written) => linkSync(written, file(directory, number)));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function held(directory: string, number: number): FolderLock {
  for (const older of numbers(directory).filter((other) => other < number)) rmSync(file(directory, older), { force: true });
  let released = false;
  return {
    release() {
      if (released) return;
      released = true;
      placed(directory, me(true), (written) => renameSync(written, file(directory, number)));
    },
  };
}
