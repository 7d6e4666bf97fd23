import type { z } from 'zod';
import { ToolError } from './errors.ts';
import { issuesOf } from './faults.ts';
import { guardJson, type Issue } from './json-guard.ts';

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
  if (!parsed.success) throw invalidArguments(issuesOf(parsed.error, schema, raw));
  return parsed.data;
}
