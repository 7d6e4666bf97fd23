import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { OpenError } from './open-error.ts';

/** What a new database takes (its files, and the segments of its log), with room to work. */
const NEEDED = 64 * 1024 * 1024;

/**
 * Opens the embedded database in this folder, or in memory. A new one is made beside its place and moved there when it is
 * whole: a start that is cut off leaves nothing that the next one would take for a database.
 * @throws {OpenError} when it cannot be made or opened
 */
export async function openEmbedded(folder: string | undefined): Promise<PGlite> {
  if (!folder) return PGlite.create();
  try {
    if (!existsSync(folder)) await make(folder);
    chmodSync(folder, 0o700); // it makes its files readable for everybody: its folder keeps others out
    return await PGlite.create({ dataDir: folder });
  } catch (error) {
    if (error instanceof OpenError) throw error;
    throw new OpenError(`The embedded database in ${folder} cannot be opened: ${reason(error, folder)}`);
  }
}

async function make(folder: string) {
  const beside = `${folder}.new`;
  rmSync(beside, { recursive: true, force: true });
  mkdirSync(beside, { recursive: true, mode: 0o700 });
  const free = freeBytes(beside);
  if (free < NEEDED) {
    throw new OpenError(`The disk of ${path.dirname(folder)} has ${mebibytes(free)} free, and a new database needs ${mebibytes(NEEDED)}.`);
  }
  const database = await PGlite.create({ dataDir: beside });
  await database.close();
  renameSync(beside, folder);
}

const freeBytes = (folder: string) => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

const mebibytes = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MiB`;

/** What fails within WebAssembly has a number of its own, or says no more than that it was aborted. */
function reason(error: unknown, folder: string): string {
  const { message, name, errno } = error as Error & { errno?: number };
  const free = existsSync(folder) ? freeBytes(folder) : Number.POSITIVE_INFINITY;
  if (free < 1024 * 1024) return 'its disk is full';
  return message || `${name} ${errno ?? ''}`.trim();
}
