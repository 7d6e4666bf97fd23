import { accessSync, constants, mkdirSync } from 'node:fs';
import type { Config } from '../config.ts';
import { checkDatabase } from './check-database.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { StartError } from './start-error.ts';

/**
 * Makes sure that this process may use the records that the config names: its folder exists and is writable, and the
 * database answers, or is embedded and no other process has it open. Answers the lock of the embedded one.
 * @throws {StartError | FolderLocked} on one line
 */
export async function openHome({ dataDir, databaseUrl }: Config): Promise<FolderLock | undefined> {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`The folder of DATA_DIR (${dataDir}) cannot be used: ${(error as Error).message}`);
  }
  if (!databaseUrl) return lockFolder(dataDir);
  await checkDatabase(databaseUrl);
  return undefined;
}
