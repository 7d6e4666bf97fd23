import { z } from 'zod';
import { ToolError } from '../../kernel/errors.ts';
import { guardJson } from '../../kernel/json-guard.ts';
import { SLUG } from '../task/slug.ts';

const refused = (message: string) => new ToolError('invalid_arguments', message);

/** A text of people, trimmed: 1 to `most` characters. `what` names it in the error. @throws {ToolError} invalid_arguments */
export function storedText(what: string, text: string, most = 200): string {
  const trimmed = text.trim();
  const [unfit] = guardJson(text);
  if (unfit) throw refused(`The ${what} ${unfit.message}.`);
  if (trimmed === '' || trimmed.length > most) throw refused(`The ${what} has ${trimmed.length} characters, and may have 1 to ${most}.`);
  return trimmed;
}

/** An e-mail address in lower case, so that one address is one person. @throws {ToolError} invalid_arguments */
export function storedEmail(email: string): string {
  const parsed = z.email().max(254).safeParse(email.trim().toLowerCase());
  if (!parsed.success) throw refused(`${JSON.stringify(email)} is no e-mail address.`);
  return parsed.data;
}

/** An IANA time zone as given. @throws {ToolError} invalid_arguments */
export function storedZone(zone: string): string {
  if (isZone(zone)) return zone;
  throw refused(`There is no time zone ${JSON.stringify(zone)}: give an IANA name, such as Europe/Lisbon.`);
}

/** @throws {ToolError} invalid_arguments */
export function storedSlug(slug: string): string {
  if (SLUG.test(slug)) return slug;
  throw refused(`${JSON.stringify(slug)} is no slug: 1 to 64 of a-z, 0-9 and "-", beginning with a letter or a digit.`);
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
