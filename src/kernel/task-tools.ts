import { LRUCache } from 'lru-cache';
import type { TaskVersion } from '../db/generated/client.ts';
import { canonicalJson } from './canonical.ts';
import type { JsonSchema } from './json-schema.ts';
import type { OfferedTool } from './offered.ts';
import type { RegisteredTool, Registry } from './registry.ts';

/** `<tool>#<field>=<value>,<value>`: only those values may be sent; `#!` makes another value fail the run. */
export interface Pin {
  field: string;
  /** As written, percent-decoded. What each stands for is `pinnedValue`. */
  values: string[];
  fatal: boolean;
}

/** Reads one entry of a task's `tools`: the name, and the pin behind `#` if there is one. */
export function parseDeclaration(entry: string): { name: string; pin: Pin | undefined } {
  const hash = entry.indexOf('#');
  if (hash < 0) return { name: entry, pin: undefined };
  const rest = entry.slice(hash + 1);
  const fatal = rest.startsWith('!');
  const pinned = fatal ? rest.slice(1) : rest;
  const equals = pinned.indexOf('=');
  const field = equals < 0 ? pinned : pinned.slice(0, equals);
  const text = equals < 0 ? '' : pinned.slice(equals + 1);
  const values = text === '' ? [] : text.split(',');
  return { name: entry.slice(0, hash), pin: { field, values: text.includes('%') ? values.map(unescaped) : values, fatal } };
}

const unescaped = (value: string) => value.replaceAll(/%2C/gi, ',').replaceAll('%25', '%');

/** A pin on a field of a tool. */
export interface DeclaredPin extends Pin {
  /** The canonical JSON of what may be sent; of a list, of each item. */
  allowed: Set<string>;
  ofItems: boolean;
}

/** A tool as one task version holds it. */
export interface DeclaredTool {
  tool: RegisteredTool;
  pins: DeclaredPin[];
  /** Whether a call waits for a decision, and for how long it may. */
  gate: { timeoutMinutes: number | null } | null;
}

/** What the runs of one task version may call. */
export interface TaskTools {
  /** By dotted name. */
  declared: Map<string, DeclaredTool>;
  /** From the offered spelling to the dotted name. */
  offered: Map<string, string>;
  /** Whether a run may write at all: the task holds a writing os tool. */
  mayWrite: boolean;
  /** Whether a call of such a run can be executing while the next one arrives: a tool acts outside the database. */
  actsOutside: boolean;
}

interface TaskGate {
  tool: string;
  timeoutMinutes?: number | null;
}

const cache = new WeakMap<Registry, LRUCache<string, TaskTools>>();

/** The tools of a version. Versions are immutable, so each is read once a process. */
export function taskTools(registry: Registry, version: Pick<TaskVersion, 'taskId' | 'version' | 'tools' | 'gates'>): TaskTools {
  const known = cache.get(registry) ?? new LRUCache<string, TaskTools>({ max: 2_000 });
  const key = `${version.taskId}/${version.version}`;
  const found = known.get(key);
  if (found) return found;
  const tools = read(registry, version.tools, version.gates as unknown as TaskGate[]);
  cache.set(registry, known.set(key, tools));
  return tools;
}

function read(registry: Registry, entries: string[], gates: TaskGate[]): TaskTools {
  const declared = new Map<string, DeclaredTool>();
  for (const { name, pin } of entries.map(parseDeclaration)) {
    const tool = registry.find(name);
    if (!tool) continue; // a bound server that is gone: its tools cannot be called
    const known = declared.get(name) ?? { tool, pins: [], gate: gateOf(tool, gates) };
    declared.set(name, pin ? { ...known, pins: joined(known.pins, declaredPin(tool, pin)) } : known);
  }
  const tools = [...declared.values()];
  return {
    declared,
    offered: new Map(tools.map(({ tool }) => [tool.offered.name, tool.name])),
    actsOutside: tools.some(({ tool }) => tool.where === 'outside'),
    mayWrite: tools.some(({ tool }) => tool.name.startsWith('os.') && tool.effect === 'write'),
  };
}

function gateOf(tool: RegisteredTool, gates: TaskGate[]): DeclaredTool['gate'] {
  const gate = gates.find((candidate) => candidate.tool === tool.name);
  if (!tool.gate && (!gate || tool.gateInert)) return null;
  return { timeoutMinutes: gate?.timeoutMinutes ?? null };
}

function declaredPin(tool: RegisteredTool, pin: Pin): DeclaredPin {
  const property = tool.inputSchema.properties?.[pin.field] ?? {};
  const allowed = pin.values.map((text) => canonicalJson(pinnedValue(elementOf(property), text)));
  return { ...pin, allowed: new Set(allowed), ofItems: elementOf(property) !== property };
}

/** Several pins on one field allow the union; one fatal among them makes the field fatal. */
function joined(pins: DeclaredPin[], pin: DeclaredPin): DeclaredPin[] {
  const same = pins.find(({ field }) => field === pin.field);
  if (!same) return [...pins, pin];
  const values = [...new Set([...same.values, ...pin.values])];
  const union = { ...pin, values, allowed: new Set([...same.allowed, ...pin.allowed]), fatal: same.fatal || pin.fatal };
  return pins.map((other) => (other === same ? union : other));
}

/** The tools in model form: offered name, description, and the input schema with every pinned field narrowed to its values. */
export function modelTools(tools: TaskTools): OfferedTool[] {
  return [...tools.declared.values()].map(({ tool: { offered }, pins }) => ({
    ...offered,
    inputSchema: pins.reduce(narrowed, offered.inputSchema),
  }));
}

function narrowed(schema: JsonSchema, { field, values }: Pin): JsonSchema {
  const property = schema.properties?.[field];
  if (!property) return schema;
  const required = [...new Set([...(schema.required ?? []), field])];
  return { ...schema, required, properties: { ...schema.properties, [field]: narrowedField(property, values) } };
}

function narrowedField(property: JsonSchema, values: string[]): JsonSchema {
  const element = elementOf(property);
  if (element !== property) return { ...property, items: narrowedField(element, values) };
  const { const: _, default: __, ...rest } = property;
  return { ...rest, enum: values.map((value) => pinnedValue(property, value)) };
}

/** What a pin on this field is about: of a list each item, of anything else the whole value. */
export const elementOf = (property: JsonSchema): JsonSchema =>
  property.type === 'array' ? ((property.items ?? NO_SCHEMA) as JsonSchema) : property;

const NO_SCHEMA: JsonSchema = {};

/** The JSON value that a pin's text stands for: in a field of text the text itself, else what it is as JSON, if it is any. */
export function pinnedValue(property: JsonSchema, text: string): unknown {
  if (isText(property)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isText(property: JsonSchema): boolean {
  const kinds = ((property.anyOf ?? [property]) as JsonSchema[]).filter(({ type }) => type !== 'null');
  return kinds.every((kind) => kind.type === 'string' || typeof kind.const === 'string');
}
