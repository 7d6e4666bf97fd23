import { distance } from 'fastest-levenshtein';
import type { Catalog, Family, Tool } from './define.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { type OfferedTool, offer } from './offered.ts';

/** A tool with what is computed of it once. */
export interface RegisteredTool extends Tool {
  family: string;
  page: string;
  /** JSON Schema (draft 2020-12) of what callers send and get; roots are objects. */
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  /** As models are offered it. */
  offered: OfferedTool;
}

/** Namespaces of built-in tools: no server may be bound under one of them. */
export const NAMESPACES = ['kpi', 'memory', 'os', 'role', 'web', 'workspace'];

/** All tools of the service: the built-in ones in reference order, and those of bound catalogs. */
export class Registry {
  readonly builtIn: RegisteredTool[];
  readonly #byName = new Map<string, RegisteredTool>();
  readonly #catalogs = new Map<string, RegisteredTool[]>();

  constructor(families: Family[], catalogs: Catalog[] = []) {
    const named = new Map([...families, ...catalogs].flatMap(({ tools }) => tools.map((tool) => [tool.name, tool])));
    const register = (tool: Tool, family: string, page: string) => registered({ find: (name) => named.get(name) }, tool, family, page);
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

function registered(names: Parameters<typeof offer>[0], tool: Tool, family: string, page: string): RegisteredTool {
  const inputSchema = jsonSchemaOf(tool.input, 'input');
  const outputSchema = jsonSchemaOf(tool.output, 'output');
  return { ...tool, family, page, inputSchema, outputSchema, offered: offer(names, { ...tool, inputSchema }) };
}

/** Comparing names takes as long as the one times the other: what is longer than any name is compared by its beginning. */
const LONGEST_NAME = 100;
const MOST_NAMES = 1_000;

/** Up to three of `names` that look most like `name`, closest first. Of very many names the first thousand are looked at. */
export function closest(sent: string, names: Iterable<string>): string[] {
  const name = sent.slice(0, LONGEST_NAME);
  const likeness = (other: string) => 1 - distance(name, other.slice(0, LONGEST_NAME)) / Math.max(name.length, other.length, 1);
  return [...names]
    .slice(0, MOST_NAMES)
    .map((other) => ({ other, score: likeness(other) }))
    .sort((a, b) => b.score - a.score || (a.other < b.other ? -1 : 1))
    .slice(0, 3)
    .map(({ other }) => other);
}
