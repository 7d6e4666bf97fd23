import { type JsonSchema, kindsOf } from './json-schema.ts';
import { listed } from './shown.ts';

const SUCH: Record<string, string> = {
  uuid: 'a UUID such as "0197a000-0000-7000-8000-0000000000c1"',
  uri: 'a URL such as "https://kites.example/plan"',
  'date-time': 'a time such as "2031-05-04T09:30:00Z"',
  email: 'an e-mail address',
};

/** What a schema allows, in words: "a text of 1 to 200 characters". */
export const allowedBy = (schema: JsonSchema): string => [...new Set(kindsOf(schema).map(kind))].join(' or ');

function kind(schema: JsonSchema): string {
  if (schema.anyOf) return allowedBy(schema);
  const values = 'const' in schema ? [schema.const] : (schema.enum as unknown[] | undefined);
  if (values) return `${values.length > 1 ? 'one of ' : ''}${listed(values.map((value) => JSON.stringify(value)))}`;
  switch (schema.type) {
    case 'string':
      return SUCH[String(schema.format)] ?? `a text${size(schema.minLength, schema.maxLength, 'character')}`;
    case 'integer':
      return `a whole number${range(schema)}`;
    case 'number':
      return `a number${range(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list${size(schema.minItems, schema.maxItems, 'entry', 'entries')}${schema.items ? `, each ${allowedBy(schema.items as JsonSchema)}` : ''}`;
    case 'object':
      return `an object${fieldsOf(schema).replace(/^the fields are/, ' with the fields') || ' without fields: send {}'}`;
    default:
      return schema.type === 'null' ? 'null' : 'any JSON value';
  }
}

/** "the fields are runId, note (optional)"; empty where a schema names none. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema): string {
  const names = Object.keys(properties);
  if (names.length === 0) return '';
  return `the fields are ${listed(names.map((name) => (required.includes(name) ? name : `${name} (optional)`)))}`;
}

const said = (number: unknown) => Number(number).toLocaleString('en');

function size(least: unknown, most: unknown, one: string, many = `${one}s`): string {
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return ` of at least ${said(least)} ${least === 1 ? one : many}`;
  return least === undefined ? ` of at most ${said(most)} ${many}` : ` of ${said(least)} to ${said(most)} ${many}`;
}

/** Bounds that every number of JSON keeps are no bounds. */
function range({ minimum, maximum }: JsonSchema): string {
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (least !== undefined && most !== undefined) return ` from ${said(least)} to ${said(most)}`;
  if (least !== undefined) return ` of at least ${said(least)}`;
  return most === undefined ? '' : ` of at most ${said(most)}`;
}
