import { z } from 'zod';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Record<string, unknown> & { properties?: Record<string, JsonSchema>; required?: string[] };

const known = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() };

/**
 * What a schema takes (`input`) or gives (`output`). A registry of its own keeps global ids, which would become references, out;
 * only what a field says of itself comes along.
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const found = known[io].get(schema);
  if (found) return found;
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, metadata: z.registry(), override: describe, unrepresentable: 'any' });
  known[io].set(schema, made as JsonSchema);
  return made as JsonSchema;
}

function describe({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: { description?: string } }) {
  const { description } = zodSchema as z.ZodType;
  if (description) jsonSchema.description = description;
}

/** The kinds that a schema takes: its own alone, unless it is a choice of several. */
export const kindsOf = (schema: JsonSchema): JsonSchema[] => (schema.anyOf ?? schema.oneOf ?? [schema]) as JsonSchema[];

/** The schema of what stands at a path; undefined where it says nothing of it. */
export function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  for (const kind of kindsOf(schema)) {
    const inner = typeof key === 'number' ? kind.items : propertyOf(kind, String(key));
    if (typeof inner === 'object' && inner !== null) return schemaAt(inner as JsonSchema, rest);
  }
  return undefined;
}

const propertyOf = ({ properties = {}, additionalProperties }: JsonSchema, key: string) =>
  Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
