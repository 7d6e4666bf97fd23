/** The canonical JSON of a value (RFC 8785): keys sorted by their UTF-16 code units, no blanks. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return listText(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return canonicalJson(value.toJSON());
  const object = value as Record<string, unknown>;
  let text = '';
  for (const key of Object.keys(object).sort()) {
    const held = object[key];
    if (held === undefined) continue;
    text += `${text === '' ? '' : ','}${keyText(key)}:${canonicalJson(held)}`;
  }
  return `{${text}}`;
}

/** A list that needs no sorting the engine writes by itself, many times faster. */
function listText(list: unknown[]): string {
  if (list.every(isScalar)) return JSON.stringify(list);
  let text = '';
  for (const [index, item] of list.entries()) text += `${index === 0 ? '' : ','}${canonicalJson(item ?? null)}`;
  return `[${text}]`;
}

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;

const keyText = (key: string) => (/^[\w.-]*$/.test(key) ? `"${key}"` : JSON.stringify(key));
