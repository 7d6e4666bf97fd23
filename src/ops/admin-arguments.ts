import { type ParseArgsConfig, parseArgs } from 'node:util';
import { validate } from 'uuid';
import { z } from 'zod';
import type { Prisma } from '../db/database.ts';
import { storedEmail } from '../domain/company/company-text.ts';
import { notFound, ToolError } from '../kernel/errors.ts';
import { FIRST_YEAR, isTakenTime, LAST_YEAR } from '../kernel/times.ts';
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

/** How switches are written. */
export const onOff = (on: boolean) => (on ? 'on' : 'off');

/** A switch, if it was given. @throws {UsageError} */
export function toggle(value: string | undefined, name: string): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== 'on' && value !== 'off') throw new UsageError(`${name} is on or off, not ${JSON.stringify(value)}.`);
  return value === 'on';
}

/** A number of days; `or` says what else the option takes. @throws {UsageError} */
export function daysIn(text: string, name: string, or = ''): number {
  const days = Number(text);
  if (/^\d{1,5}$/.test(text) && days > 0) return days;
  throw new UsageError(`${name} is a whole number from 1 to 99999${or}, not ${JSON.stringify(text)}.`);
}

/** A date, its midnight in UTC, or a time with its offset; `or` says what else the option takes. @throws {UsageError} */
export function timeIn(text: string, name: string, or = ''): Date {
  const time = new Date(text);
  if (z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text).success && isTakenTime(time)) return time;
  throw new UsageError(
    `${name} is a date or a time such as 2031-05-04T09:30:00Z, of the years ${FIRST_YEAR}–${LAST_YEAR}${or}, not ${JSON.stringify(text)}.`,
  );
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
