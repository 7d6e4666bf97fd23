import type { z } from 'zod';
import { allowedBy, fieldsOf } from './allowed.ts';
import { type Issue, shownPath } from './json-guard.ts';
import { type JsonSchema, jsonSchemaOf, kindsOf, schemaAt } from './json-schema.ts';
import { shown } from './shown.ts';

/** The most issues that are told at once. */
const MOST_ISSUES = 20;

type Path = readonly PropertyKey[];
type ZodIssue = z.core.$ZodIssue;

/** `questions[0].number` of zod's path; the root is "". */
const pathText = (path: Path) =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`),
    '',
  );

/**
 * What is wrong with `sent`, one issue a place: the fault, what was sent, what is allowed. Each unknown key is one of its own.
 * Past 20 the last one says how many more there are.
 */
export function issuesOf(error: z.ZodError, schema: z.ZodType, sent: unknown): Issue[] {
  const whole = jsonSchemaOf(schema, 'input');
  const issues: Issue[] = [];
  let more = 0;
  const add = (path: Path, message: () => string) => {
    if (issues.length < MOST_ISSUES) issues.push({ path: shownPath(pathText(path)), message: message() });
    else more++;
  };
  for (const issue of onePlaceEach(error.issues)) {
    const { path } = issue;
    const at = schemaAt(whole, path) ?? {};
    const value = valueAt(sent, path);
    if (issue.code !== 'unrecognized_keys') add(path, () => `${faultOf(issue, at, value)}; ${sentWas(value)}${meant(at)}`);
    else for (const key of issue.keys) add([...path, key], () => unknownField(valueAt(value, [key]), at));
  }
  return more > 0 ? [...issues, { path: '', message: `and ${more} more` }] : issues;
}

/** What is wrong with one value, and what is allowed in its place. */
export function faultOf(issue: ZodIssue, at: JsonSchema, value: unknown): string {
  if (issue.code === 'custom') return issue.message;
  const allowed = Object.keys(at).length > 0 ? `must be ${allowedBy(at)}` : issue.message;
  if (value === undefined) return `is required, and ${allowed}`;
  return isJsonText(at, value) ? `is JSON sent as text: send the value itself, without quotes; it ${allowed}` : allowed;
}

const sentWas = (value: unknown) => (value === undefined ? 'it was left out' : `sent was ${shown(value)}`);

/** What the field is for, as its schema says. */
const meant = ({ description }: JsonSchema) => (typeof description === 'string' ? ` (${description.replace(/\.$/, '')})` : '');

const unknownField = (value: unknown, at: JsonSchema) =>
  `is not a field of this input; ${sentWas(value)}; ${fieldsOf(at) || 'it takes no fields: send {}'}`;

/** zod goes on with a value of the wrong type, and what it finds then is false: only the first issue of a place is told. */
function onePlaceEach(issues: ZodIssue[]): ZodIssue[] {
  const seen = new Set<string>();
  return issues.filter(({ path, code }) => {
    const place = `${code === 'unrecognized_keys'} ${JSON.stringify(path)}`;
    return !seen.has(place) && seen.add(place);
  });
}

/** The value at a path; undefined where there is none. */
function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((holder, key) => (Object.hasOwn(Object(holder), key) ? (holder as never)[key] : undefined), value);
}

/** Whether a text was sent that is the JSON of a value of the kind that is wanted. */
function isJsonText(at: JsonSchema, value: unknown): boolean {
  const wanted = kindsOf(at).map(({ type }) => type);
  if (typeof value !== 'string' || wanted.includes('string')) return false;
  try {
    const read: unknown = JSON.parse(value);
    return wanted.includes(typeOf(read)) || (typeof read === 'number' && wanted.includes('integer'));
  } catch {
    return false;
  }
}

const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);
