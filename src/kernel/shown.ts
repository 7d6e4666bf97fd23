import { redacted } from './redacted.ts';

/** As much of a value as a message repeats, in characters. */
const MOST = 100;

const count = (number: number) => number.toLocaleString('en');

/** Names in a row, at most so many: what comes after is counted. */
export function listed(names: readonly string[], most = 20): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${count(rest)} more` : names.join(', ');
}

/** A text in quotes, without secrets, at most 100 characters of it. */
export function quoted(text: string): string {
  const safe = redacted(text);
  return JSON.stringify(safe.length > MOST ? `${safe.slice(0, MOST - 1).toWellFormed()}…` : safe);
}

/** What a value is: its type, its beginning, and how long it is where that cannot be seen. No longer than two lines, whatever it is. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === '') return 'an empty text';
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'string') return `the text ${quoted(value)}${value.length > MOST ? ` of ${count(value.length)} characters` : ''}`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${count(value.length)}: ${beginning(value)}`;
  return typeof value === 'object' && value !== null ? `an object: ${beginning(value)}` : String(value);
}

function beginning(value: object): string {
  const text = preview(value, MOST);
  return text.length > MOST ? `${text.slice(0, MOST - 1).toWellFormed()}…` : text;
}

/** The JSON of a value up to about so many characters: what comes behind them is not looked at. */
function preview(value: unknown, room: number): string {
  if (typeof value === 'string')
    return JSON.stringify(
      redacted(value)
        .slice(0, room + 1)
        .toWellFormed(),
    );
  if (typeof value !== 'object' || value === null) return String(value);
  const parts: string[] = [];
  let left = room;
  const isList = Array.isArray(value);
  for (const key in value) {
    if (left <= 0) break;
    const name = isList ? '' : `${JSON.stringify(key.slice(0, left + 1).toWellFormed())}:`;
    const part = `${name}${preview((value as Record<string, unknown>)[key], left - name.length)}`;
    parts.push(part);
    left -= part.length + 1;
  }
  return isList ? `[${parts}]` : `{${parts}}`;
}
