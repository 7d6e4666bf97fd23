import { type JsonSchema, kindsOf } from './json-schema.ts';

const takesNull = (schema: JsonSchema) =>
  kindsOf(schema).some(({ type, anyOf, ...rest }) => type === 'null' || (!type && !anyOf && !('enum' in rest) && !('const' in rest)));

/** The value without the nulls of optional fields that take none: models send them for what they leave out. */
export function withoutLeftOut(schema: JsonSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kind = kindsOf(schema).find(({ type }) => type === (Array.isArray(value) ? 'array' : 'object'));
  if (Array.isArray(value)) return kind?.items ? value.map((item) => withoutLeftOut(kind.items as JsonSchema, item)) : value;
  const { properties = {}, required = [] } = kind ?? {};
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const property = Object.hasOwn(properties, key) ? properties[key]! : undefined;
    if (!property) return [[key, inner]];
    const leftOut = inner === null && !required.includes(key) && !takesNull(property);
    return leftOut ? [] : [[key, withoutLeftOut(property, inner)]];
  });
  return Object.fromEntries(entries);
}
