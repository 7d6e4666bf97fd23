import { shown } from './shown.ts';

/** One thing wrong with a value: where (`questions[0].number`, the root is ""), and what. */
export interface Issue {
  path: string;
  message: string;
}

const MOST_NESTED = 64;
const MOST_ISSUES = 20;

/** From here on JavaScript writes integers with an exponent: nobody takes them for exact. */
const EXPONENT = 1e21;

const LONGEST_PATH = 200;

/** A path as an issue tells it: keys may be as long as a request. */
export const shownPath = (path: string) => (path.length <= LONGEST_PATH ? path : `${path.slice(0, LONGEST_PATH).toWellFormed()}…`);

/**
 * What makes a JSON value unfit to be stored or looked at: nested more than 64 deep, NUL characters or lone surrogates
 * in a string or key, numbers that are not finite, integers beyond ±(2^53−1) and below 1e21, `__proto__` as a key. Answers at most 20 issues; none: the value is fit.
 */
export function guardJson(value: unknown, path = ''): Issue[] {
  const issues: Issue[] = [];
  look(value, path, 1, issues);
  return issues;
}

function look(value: unknown, path: string, depth: number, issues: Issue[]): void {
  if (issues.length >= MOST_ISSUES) return;
  const problem = problemOf(value);
  if (problem) return void issues.push({ path: shownPath(path), message: problem });
  if (typeof value !== 'object' || value === null) return;
  if (depth > MOST_NESTED)
    return void issues.push({ path: shownPath(path), message: `is nested more than ${MOST_NESTED} deep: send it flatter` });
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) look(item, `${path}[${index}]`, depth + 1, issues);
    return;
  }
  for (const key of Object.keys(value)) lookAtEntry(value as Record<string, unknown>, key, path, depth, issues);
}

function lookAtEntry(object: Record<string, unknown>, key: string, path: string, depth: number, issues: Issue[]): void {
  const inner = path === '' ? key : `${path}.${key}`;
  if (key === '__proto__')
    return void issues.push({ path: shownPath(inner), message: 'the key __proto__ is not allowed: choose another name' });
  const problem = problemOf(key);
  if (problem) return void issues.push({ path: shownPath(path), message: `has a key that ${problem}` });
  look(object[key], inner, depth + 1, issues);
}

function problemOf(value: unknown): string | undefined {
  if (typeof value === 'number') return problemOfNumber(value);
  if (typeof value !== 'string') return undefined;
  if (value.includes('\0')) return `contains a NUL character, which cannot be stored: leave it out; sent was ${shown(value)}`;
  if (!value.isWellFormed()) return `contains half of a surrogate pair, which is no character: leave it out; sent was ${shown(value)}`;
  return undefined;
}

// Whatever integer was sent, it was rounded to one that is beyond as well: the number tells it without its text.
function problemOfNumber(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'is not a finite number';
  if (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= EXPONENT) return undefined;
  return 'is an integer beyond ±(2^53−1), which cannot be carried exactly: send it as text';
}
