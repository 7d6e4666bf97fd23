import type { JsonSchema } from '../kernel/json-schema.ts';
import { nullable, shapeOf } from './tool-shape.ts';

/**
 * What GraphQL was sent, as the tool reads it. Null for an optional field is the same as leaving it out, and leaving out a
 * required one that may be null is null; only a value of free form keeps the difference.
 */
export function withoutNulls(given: JsonSchema, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const shape = shapeOf(nullable(given).schema);
  if (shape.kind === 'list' && Array.isArray(value)) return value.map((item) => withoutNulls(shape.of, item));
  if (shape.kind !== 'object') return value;
  const sent = value as Record<string, unknown>;
  const entries = Object.entries(shape.properties).flatMap(([key, property]) => {
    const inner = sent[key];
    const isRequired = shape.required.includes(key);
    if (shapeOf(nullable(property).schema).kind === 'json') return key in sent ? [[key, inner]] : [];
    if (inner === null || inner === undefined) return isRequired && nullable(property).nullable ? [[key, null]] : [];
    return [[key, withoutNulls(property, inner)]];
  });
  return Object.fromEntries(entries);
}
