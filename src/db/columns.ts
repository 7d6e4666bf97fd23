import { Prisma } from './generated/client.ts';

/**
 * The columns of a table that this version of the service knows, by name, each behind `alias` if one is given, `without` some. Never `*`: a
 * process of this version must go on beside a newer schema, and Postgres refuses a prepared `*` whose table has changed.
 */
export function columns(model: Prisma.ModelName, alias?: string, without: string[] = []): string {
  const fields = Prisma[`${model}ScalarFieldEnum`];
  return Object.values(fields)
    .filter((name) => !without.includes(name))
    .map((name) => (alias ? `${alias}."${name}"` : `"${name}"`))
    .join(', ');
}
