import type { JsonSchema } from '../kernel/json-schema.ts';

/** What the bridge makes of a schema; everything that it cannot carry is JSON. */
export type Shape =
  | { kind: 'string' | 'integer' | 'safeInt' | 'number' | 'boolean' | 'json' }
  | { kind: 'enum'; values: string[] }
  | { kind: 'list'; of: JsonSchema }
  | { kind: 'object'; properties: Record<string, JsonSchema>; required: string[] };

const INT = 2 ** 31;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A schema without its null, and whether it had one: `anyOf` with a null, or a list of types. */
export function nullable(schema: JsonSchema): { schema: JsonSchema; nullable: boolean } {
  const { anyOf, type, ...rest } = schema as { anyOf?: JsonSchema[]; type?: string | string[] } & JsonSchema;
  if (Array.isArray(type) && type.includes('null')) {
    const types = type.filter((name) => name !== 'null');
    const values = (rest.enum as unknown[] | undefined)?.filter((value) => value !== null);
    return { schema: { ...rest, type: types.length === 1 ? types[0] : types, ...(values && { enum: values }) }, nullable: true };
  }
  if (!anyOf?.some((member) => member.type === 'null')) return { schema, nullable: false };
  const members = anyOf.filter((member) => member.type !== 'null');
  const inner = members.length === 1 ? nullable(members[0]!).schema : { anyOf: members };
  return { schema: { ...rest, ...inner } as JsonSchema, nullable: true };
}

/** The shape of a schema that is not nullable. */
export function shapeOf(schema: JsonSchema): Shape {
  const { type, properties, items, additionalProperties } = schema as JsonSchema & { items?: JsonSchema; additionalProperties?: unknown };
  const values = 'const' in schema ? [schema.const] : (schema.enum as unknown[] | undefined);
  if (values?.every((value) => typeof value === 'string')) return textShape(values as string[]);
  if (schema.anyOf || schema.oneOf || schema.allOf || schema.$ref) return { kind: 'json' };
  if (type === 'string' || type === 'boolean' || type === 'number') return { kind: type };
  if (type === 'integer') return { kind: within32Bits(schema) ? 'integer' : 'safeInt' };
  if (type === 'array') return items && !('prefixItems' in schema) ? { kind: 'list', of: items } : { kind: 'json' };
  const free = additionalProperties !== undefined && additionalProperties !== false;
  const names = Object.keys(properties ?? {});
  if (type !== 'object' || free || names.length === 0 || !names.every((name) => NAME.test(name) && !name.startsWith('__')))
    return { kind: 'json' };
  return { kind: 'object', properties: properties!, required: schema.required ?? [] };
}

/** A text of few values is an enum, unless its values make no names of their own. */
function textShape(values: string[]): Shape {
  const names = new Set(values.map(enumName));
  const named = names.size === values.length && [...names].every((name) => NAME.test(name) && !name.startsWith('__'));
  return named ? { kind: 'enum', values } : { kind: 'string' };
}

/** `repo-commands` is REPO_COMMANDS. */
export const enumName = (value: string) => value.replaceAll(/[^A-Za-z0-9_]+/g, '_').toUpperCase();

function within32Bits({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema) {
  const least = Math.max(Number(minimum ?? -Infinity), Number(exclusiveMinimum ?? -Infinity));
  const most = Math.min(Number(maximum ?? Infinity), Number(exclusiveMaximum ?? Infinity));
  return least >= -INT && most < INT;
}
