import { knownMigrations } from './migrations.ts';

/** A row of `_prisma_migrations`. */
export interface Applied {
  name: string;
  finished: boolean;
  /** What the migration says of older versions: `keeps 0012`, if the versions that know 0012 go on working. */
  logs: string | null;
}

const KNOWN = knownMigrations().map(({ name }) => name);

/**
 * Why a version that knows these migrations cannot work on a database with those rows; undefined if it can. A migration that
 * it does not know is fine when it says so itself.
 */
export function misfit(applied: Applied[], known: string[] = KNOWN): string | undefined {
  const finished = new Set(applied.filter((row) => row.finished).map(({ name }) => name));
  const lacking = known.find((name) => !finished.has(name));
  if (lacking) return `The database lacks the migration ${lacking}: start a process of this version anew, which applies it.`;
  const newest = known.at(-1)?.slice(0, 4) ?? '0000';
  const keeps = ({ logs }: Applied) => (logs?.match(/^keeps (\d{4})$/)?.[1] ?? '9999') <= newest;
  const foreign = applied.find((row) => !known.includes(row.name) && !keeps(row));
  return foreign && `The database has the migration ${foreign.name}, which this version does not know: start one that does.`;
}
