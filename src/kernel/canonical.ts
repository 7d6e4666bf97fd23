/**
 * The canonical JSON of a value (RFC 8785): keys sorted by their UTF-16 code units, no blanks. What needs no sorting the engine
 * writes by itself, so that a large document takes about as long as `JSON.stringify`.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value))
    return value.every(isScalar) ? JSON.stringify(value) : `[${joined(value, (item) => canonicalJson(item ?? null))}]`;
  if ('toJSON' in value && typeof value.toJSON === 'function') return canonicalJson(value.toJSON());
  const object = value as Record<string, unknown>;
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  return `{${joined(keys.sort(), (key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`)}}`;
}

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;

function joined<T>(parts: T[], textOf: (part: T) => string): string {
  let text = '';
  for (const part of parts) text += text === '' ? textOf(part) : `,${textOf(part)}`;
  return text;
}
