/** One thing wrong with a value: where (`questions[0].number`, the root is ""), and what. */
export interface Issue {
  path: string;
  message: string;
}

const MOST_NESTED = 64;
const MOST_ISSUES = 20;

/**
 * What makes a JSON value unfit to be stored or looked at: nested more than 64 deep, NUL characters or lone surrogates
 * in a string or key, numbers that are not finite, `__proto__` as a key. Answers at most 20 issues; none: the value is fit.
 */
export function guardJson(value: unknown, path = ''): Issue[] {
  const issues: Issue[] = [];
  look(value, path, 1, issues);
  return issues;
}

function look(value: unknown, path: string, depth: number, issues: Issue[]): void {
  if (issues.length >= MOST_ISSUES) return;
  const problem = problemOf(value);
  if (problem) return void issues.push({ path, message: problem });
  if (typeof value !== 'object' || value === null) return;
  if (depth > MOST_NESTED) return void issues.push({ path, message: `is nested more than ${MOST_NESTED} deep` });
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) look(item, `${path}[${index}]`, depth + 1, issues);
    return;
  }
  for (const key of Object.keys(value)) lookAtEntry(value as Record<string, unknown>, key, path, depth, issues);
}

function lookAtEntry(object: Record<string, unknown>, key: string, path: string, depth: number, issues: Issue[]): void {
  const inner = path === '' ? key : `${path}.${key}`;
  if (key === '__proto__') return void issues.push({ path: inner, message: 'the key __proto__ is not allowed' });
  const problem = problemOf(key);
  if (problem) return void issues.push({ path, message: `has a key that ${problem}` });
  look(object[key], inner, depth + 1, issues);
}

function problemOf(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'is not a finite number';
  if (typeof value !== 'string') return undefined;
  if (value.includes('\0')) return 'contains a NUL character, which cannot be stored';
  if (!value.isWellFormed()) return 'contains half of a surrogate pair, which is no character';
  return undefined;
}
