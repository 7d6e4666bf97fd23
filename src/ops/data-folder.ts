import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config.ts';
import { isServed } from './admin-socket.ts';
import { checkDatabase } from './check-database.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { StartError } from './start-error.ts';

/**
 * Makes sure that this process may use the records that the config names: its folder exists and is writable, and the
 * database answers, or is embedded and no other process has it open. Answers the lock of the embedded one.
 * @throws {StartError} on one line
 */
export async function openHome({ dataDir, databaseUrl }: Config): Promise<FolderLock | undefined> {
  try {
    makeFolder(path.resolve(dataDir));
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`The folder of DATA_DIR (${dataDir}) cannot be used: ${(error as Error).message}`);
  }
  if (!databaseUrl) return lockAlone(dataDir);
  await checkDatabase(databaseUrl);
  return undefined;
}

/** Versions before 0005 had another lock, which this one knows nothing of; but they answer in the folder. */
async function lockAlone(dataDir: string): Promise<FolderLock> {
  const lock = lockFolder(dataDir);
  if (!(await isServed(dataDir))) return lock;
  lock.release();
  throw new StartError(`The data folder ${dataDir} is in use by an older version: stop that one, or set DATA_DIR to another folder.`);
}

/** Not mkdir's `recursive`: below a folder in which the system makes none, such as /proc, that never returns. */
function makeFolder(folder: string) {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}
