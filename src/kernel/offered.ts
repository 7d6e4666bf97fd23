import { sha256 } from './hash.ts';
import type { JsonSchema } from './json-schema.ts';

/** A tool as models are offered it. */
export interface OfferedTool {
  name: string;
  description: string;
  inputSchema: JsonSchema;
}

const NAME_LIMIT = 64;

/** The name as models are offered it: dots become two underscores; a longer name ends in 8 hex of its SHA-256. */
export function offeredName(name: string): string {
  const spelled = name.replaceAll('.', '__');
  if (spelled.length <= NAME_LIMIT) return spelled;
  return `${spelled.slice(0, 55)}_${sha256(name).slice(0, 8)}`;
}

/** Knows the dotted names of tools. */
interface Names {
  find(name: string): object | undefined;
}

/** A text with each tool named as models are offered it. What stands in quotes is a value, and stays as it was sent. */
export const asOffered = (names: Names, text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|[\w-]+(?:\.[\w-]+)+/g, (part) => (names.find(part) ? offeredName(part) : part));

/** The tool in model form. Of its schema is left out what tells a model nothing that the format or JSON itself does not say. */
export function offer(names: Names, tool: { name: string; description: string; inputSchema: JsonSchema }): OfferedTool {
  const { name, description, inputSchema } = tool;
  return { name: offeredName(name), description: asOffered(names, description), inputSchema: brief(names, inputSchema) as JsonSchema };
}

const NO_BOUNDS = new Set([-(2 ** 31), 2 ** 31 - 1, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

function brief(names: Names, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((inner) => brief(names, inner));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'pattern' && typeof value === 'string' && 'format' in schema) return [];
    if ((key === 'minimum' || key === 'maximum') && NO_BOUNDS.has(value)) return [];
    return [[key, key === 'description' && typeof value === 'string' ? asOffered(names, value) : brief(names, value)]];
  });
  return Object.fromEntries(entries);
}
