import type { z } from 'zod';
import { ToolError } from './errors.ts';
import { guardJson, type Issue, shownPath } from './json-guard.ts';

/** The most issues that are told at once. */
const MOST_ISSUES = 200;

/** `questions[0].number` of zod's path; the root is "". */
const pathText = (path: PropertyKey[]) =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`),
    '',
  );

/** zod's issues, one a problem: each unknown key is one of its own. Past 200 the last one says how many more there are. */
export function issuesOf(error: z.ZodError): Issue[] {
  let found = 0;
  const issues = error.issues.flatMap((issue) => {
    const room = Math.max(0, MOST_ISSUES - found);
    found += issue.code === 'unrecognized_keys' ? issue.keys.length : 1;
    if (issue.code !== 'unrecognized_keys') return room > 0 ? [{ path: shownPath(pathText(issue.path)), message: issue.message }] : [];
    return issue.keys
      .slice(0, room)
      .map((key) => ({ path: shownPath(pathText([...issue.path, key])), message: 'is not a field of this input' }));
  });
  const more = found - issues.length;
  return more > 0 ? [...issues, { path: '', message: `and ${more} more` }] : issues;
}

/** The error of arguments that do not fit, one line a problem. */
export function invalidArguments(issues: Issue[]): ToolError {
  const lines = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return new ToolError('invalid_arguments', `The arguments do not fit:\n${lines.join('\n')}`, { issues });
}

/** The input as its schema reads it. @throws {ToolError} invalid_arguments {issues} */
export function parseInput<T>(schema: z.ZodType<T>, raw: unknown): T {
  const unfit = guardJson(raw);
  if (unfit.length > 0) throw invalidArguments(unfit);
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw invalidArguments(issuesOf(parsed.error));
  return parsed.data;
}
