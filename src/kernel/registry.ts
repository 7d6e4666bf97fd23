import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { Catalog, Family, Tool } from './define.ts';

/** A tool with what is computed of it once. */
export interface RegisteredTool extends Tool {
  family: string;
  page: string;
  /** JSON Schema (draft 2020-12) of what callers send and get; roots are objects. */
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
}

export type JsonSchema = Record<string, unknown> & { properties?: Record<string, JsonSchema>; required?: string[] };

/** Namespaces of built-in tools: no server may be bound under one of them. */
export const NAMESPACES = ['kpi', 'memory', 'os', 'role', 'web', 'workspace'];

/** All tools of the service: the built-in ones in reference order, and those of bound catalogs. */
export class Registry {
  readonly builtIn: RegisteredTool[];
  readonly #byName = new Map<string, RegisteredTool>();
  readonly #catalogs = new Map<string, RegisteredTool[]>();

  constructor(families: Family[], catalogs: Catalog[] = []) {
    this.builtIn = families.flatMap(({ title, page, tools }) => tools.map((tool) => register(tool, title, page)));
    for (const { type, tools } of catalogs) {
      this.#catalogs.set(
        type,
        tools.map((tool) => register(tool, type, type)),
      );
    }
    for (const tool of [...this.builtIn, ...[...this.#catalogs.values()].flat()]) {
      if (this.#byName.has(tool.name)) throw new Error(`Two tools are named ${tool.name}`);
      this.#byName.set(tool.name, tool);
    }
  }

  /** The tool of this dotted name, built in or of a bound catalog. */
  find(name: string): RegisteredTool | undefined {
    return this.#byName.get(name);
  }

  /** The tools of a bound type, or undefined when nothing binds it. */
  catalog(type: string): RegisteredTool[] | undefined {
    return this.#catalogs.get(type);
  }
}

function register(tool: Tool, family: string, page: string): RegisteredTool {
  return { ...tool, family, page, inputSchema: schemaOf(tool.input, 'input'), outputSchema: schemaOf(tool.output, 'output') };
}

/** A registry of its own keeps global ids, which would become references, out; only what a field says of itself comes along. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, metadata: z.registry(), override: describe });
  return rest as JsonSchema;
}

function describe({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: { description?: string } }) {
  const { description } = zodSchema as z.ZodType;
  if (description) jsonSchema.description = description;
}

/** Comparing names takes as long as the one times the other: what is longer than any name is compared by its beginning. */
const LONGEST_NAME = 100;

/** Up to three of `names` that look most like `name`, closest first. */
export function closest(sent: string, names: Iterable<string>): string[] {
  const name = sent.slice(0, LONGEST_NAME);
  const likeness = (other: string) => 1 - distance(name, other) / Math.max(name.length, other.length, 1);
  return [...names]
    .map((other) => ({ other, score: likeness(other) }))
    .sort((a, b) => b.score - a.score || (a.other < b.other ? -1 : 1))
    .slice(0, 3)
    .map(({ other }) => other);
}
