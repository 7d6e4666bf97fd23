import { type ParseArgsConfig, parseArgs } from 'node:util';
import { validate } from 'uuid';
import type { Prisma } from '../db/database.ts';
import { storedEmail } from '../domain/company/company-text.ts';
import { notFound, ToolError } from '../kernel/errors.ts';
import type { Credentials } from './credentials.ts';

/** What a command answers: its exit code, what to print, and credentials to be written to a file by whoever asked. */
export interface Answer {
  code: number;
  out: string;
  credentials?: Credentials;
  /** The file that the caller named for them. */
  write?: string;
}

/** The arguments do not fit the command; the usage is told. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The options and the words of a command. @throws {UsageError} for an option that it does not have */
export function parsed<Options extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options: { ...options, enterprise: { type: 'string' } } as const, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A value that the command cannot do without. @throws {UsageError} */
export function needed(value: string | undefined, name: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${name} is missing.`);
  return value;
}

/** Rows as aligned columns under their headings. */
export function columns(headings: string[], rows: string[][]): string {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]!.length)));
  const line = (row: string[]) =>
    `${row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()}\n`;
  return [headings, ...rows].map(line).join('');
}

/**
 * The enterprise that a command is about: the one with this id, or the only one.
 * @throws {ToolError} not_found
 * @throws {UsageError} when there are several, or none
 */
export async function chosenEnterprise(prisma: Prisma, id: string | undefined): Promise<string> {
  if (id !== undefined) {
    const found = validate(id) && (await prisma.enterprise.findFirst({ where: { id }, select: { id: true } }));
    if (!found) throw new ToolError('not_found', `There is no enterprise ${JSON.stringify(id)}: see enterprise list.`);
    return id;
  }
  const [first, second] = await prisma.enterprise.findMany({ take: 2, select: { id: true } });
  if (!first) throw new UsageError('There is no enterprise yet: create one first.');
  if (second) throw new UsageError('There are several enterprises: say which one with --enterprise <id>.');
  return first.id;
}

/** The person with this address. @throws {ToolError} not_found */
export async function personWith(prisma: Prisma, enterpriseId: string, email: string) {
  const person = await prisma.person.findFirst({ where: { enterpriseId, email: storedEmail(email), removedAt: null } });
  if (!person) throw notFound('person', email);
  return person;
}

/** The CEO, on whose behalf the operator issues credentials. @throws {ToolError} not_found */
export async function ceoOf(prisma: Prisma, enterpriseId: string) {
  const ceo = await prisma.person.findFirst({ where: { enterpriseId, isCeo: true, removedAt: null } });
  if (!ceo) throw new ToolError('not_found', 'The enterprise has no CEO: hand the office over with person ceo <address>.');
  return ceo;
}
