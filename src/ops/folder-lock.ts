import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import path from 'node:path';
import { StartError } from './start-error.ts';

export interface FolderLock {
  /** Gives the folder free. Again: no effect. */
  release(): void;
}

/** Loaded where it is needed: it is machine code, which the other home does without. */
const native = () => createRequire(import.meta.url)('fs-native-extensions') as { tryLock(fd: number): boolean };

/**
 * Makes this process the only one that may open `folder`, until it releases it or ends, however it ends. The lock is the
 * kernel's, on the file `owner`: it holds between containers that share the folder, and a copy of the folder is free. The
 * file is never removed, and what stands in it is only for people.
 *
 * @throws {StartError} while anybody owns it, this process included, and where the file system knows no locks
 */
export function lockFolder(folder: string): FolderLock {
  const file = path.join(folder, 'owner');
  for (;;) {
    const descriptor = taken(folder, file);
    if (isSame(descriptor, file)) return held(descriptor);
    closeSync(descriptor); // the file was replaced meanwhile, as by somebody who restores the folder
  }
}

function taken(folder: string, file: string): number {
  let descriptor: number | undefined;
  let free: boolean;
  try {
    descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
    free = native().tryLock(descriptor);
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    throw new StartError(`The folder of DATA_DIR (${folder}) cannot be locked: ${(error as Error).message}`);
  }
  if (free) return descriptor;
  closeSync(descriptor);
  const owner = readFileSync(file, 'utf8').split('\n')[0] || 'another process';
  throw new StartError(`The data folder ${folder} is in use by ${owner}: stop that one, or set DATA_DIR to another folder.`);
}

function isSame(descriptor: number, file: string): boolean {
  const there = statSync(file, { throwIfNoEntry: false });
  const mine = fstatSync(descriptor);
  return there?.ino === mine.ino && there.dev === mine.dev;
}

function held(descriptor: number): FolderLock {
  tellOwner(descriptor);
  let released = false;
  return {
    release() {
      if (released) return;
      released = true;
      closeSync(descriptor);
    },
  };
}

/** A full disk is told by whoever needs room on it. */
function tellOwner(descriptor: number) {
  try {
    ftruncateSync(descriptor, writeSync(descriptor, `process ${process.pid} on ${hostname()}\n`, 0));
  } catch {}
}
