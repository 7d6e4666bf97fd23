import type { z } from 'zod';
import type { TaskVersion } from '../db/generated/client.ts';
import { allowedBy } from './allowed.ts';
import { canonicalJson } from './canonical.ts';
import { ToolError } from './errors.ts';
import { issuesOf } from './faults.ts';
import { hashOf } from './hash.ts';
import { guardJson } from './json-guard.ts';
import { withoutLeftOut } from './left-out.ts';
import { asOffered } from './offered.ts';
import { invalidArguments } from './parse-input.ts';
import { closest, type RegisteredTool, type Registry } from './registry.ts';
import { listed, quoted, shown } from './shown.ts';
import { type DeclaredPin, type DeclaredTool, parseDeclaration, taskTools } from './task-tools.ts';

/** A call as a run sends it. */
export interface CallRequest {
  toolCallId: string;
  /** The dotted name or the offered spelling. */
  tool: string;
  arguments?: unknown;
}

/** A call after everything that can be known of it without looking at the run. */
export interface Examined {
  /** The dotted name where the tool is known, else what was sent. */
  name: string;
  /** As sent; null when it cannot be stored. */
  arguments: unknown;
  /** What tells this call from another one under the same toolCallId. */
  contentHash: string;
  /** What may be called, and with what; or why it may not. */
  verdict: { declared: DeclaredTool; input: unknown; mayWrite: boolean; actsOutside: boolean } | { refusal: ToolError };
}

/** Which tool is asked for, whether its arguments fit, and whether they keep the task's pins. */
export function examine(registry: Registry, version: TaskVersion, request: CallRequest): Examined {
  const tools = taskTools(registry, version);
  const name = tools.offered.get(request.tool) ?? dotted(registry, request.tool);
  const unfit = guardJson(request.arguments);
  const args = unfit.length > 0 ? null : (request.arguments ?? {});
  const asked = { name, arguments: args, contentHash: unfit.length > 0 ? '' : hashOf({ tool: name, arguments: args }) };
  const declared = tools.declared.get(name);
  try {
    if (!declared) throw notCallable(registry, version, request.tool, name, [...tools.declared.keys()]);
    if (unfit.length > 0) throw invalidArguments(unfit);
    const input = parseArguments(declared.tool, args);
    for (const pin of declared.pins) checkPin(pin, args as Fields, input as Fields);
    return { ...asked, verdict: { declared, input, mayWrite: tools.mayWrite, actsOutside: tools.actsOutside } };
  } catch (error) {
    if (error instanceof ToolError) return { ...asked, verdict: { refusal: error } };
    throw error;
  }
}

/** An error in the spelling of the caller: whoever names a tool without dots is told of tools without dots. Details stay as they are. */
export function inSpellingOf(tool: string, registry: Registry, error: ToolError): ToolError {
  return tool.includes('.') ? error : new ToolError(error.code, asOffered(registry, error.message), error.details);
}

/** A name that is none of ours as it stands may be spelled with underscores; that is tried for the look-up only. */
function dotted(registry: Registry, sent: string): string {
  if (registry.find(sent)) return sent;
  const spelled = sent.replaceAll('__', '.');
  return registry.find(spelled) ? spelled : sent;
}

function notCallable(registry: Registry, version: TaskVersion, sent: string, name: string, own: string[]): ToolError {
  const may = own.length > 0 ? `Its tools are ${listed(own)}.` : 'It has no tools: end the run with what you have.';
  if (registry.find(name)) {
    const message = `The task of this run does not declare ${quoted(sent)}. The run fails. ${may}`;
    return new ToolError('tool_not_on_task', message, { tool: name });
  }
  if (registry.catalog(name)) {
    const held = version.tools.map((entry) => parseDeclaration(entry).name).filter((tool) => tool.startsWith(`${name}.`));
    const tools = held.length > 0 ? held : registry.catalog(name)!.map((tool) => tool.name);
    const message = `${quoted(sent)} names a whole catalog. Call one of its tools by name: ${listed(tools)}.`;
    return new ToolError('bare_tool_name', message, { tools });
  }
  const near = closest(name.replaceAll('__', '.'), own);
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'This task has no tools: end the run with what you have.';
  return new ToolError('unknown_tool_name', `There is no tool ${quoted(sent)}. ${hint}`, { closest: near });
}

/** The arguments as the tool's schema reads them. @throws {ToolError} invalid_arguments */
export function parseArguments(tool: RegisteredTool, args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw invalidArguments([{ path: '', message: `must be ${allowedBy(tool.inputSchema)}; sent was ${shown(args)}` }]);
  }
  const named = tool.arguments === 'any' ? pick(args as Record<string, unknown>, Object.keys(tool.inputSchema.properties ?? {})) : args;
  const parsed = (tool.input as z.ZodType).safeParse(withoutLeftOut(tool.inputSchema, named));
  if (!parsed.success) throw invalidArguments(issuesOf(parsed.error, tool.input, named));
  return parsed.data;
}

const pick = (object: Record<string, unknown>, keys: string[]) =>
  Object.fromEntries(keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]]));

type Fields = Record<string, unknown>;

/** A pinned field must be sent, default or not; what counts is the value that the schema reads, for that is executed. */
function checkPin({ field, values, allowed, ofItems, fatal }: DeclaredPin, args: Fields, input: Fields) {
  if (!Object.hasOwn(args, field) || (args[field] === null && input[field] !== null)) {
    throw invalidArguments([{ path: field, message: `is required here, and was left out; allowed: ${listed(values)}` }]);
  }
  const parts = ofItems && Array.isArray(input[field]) ? input[field] : [input[field]];
  if (parts.every((part) => allowed.has(canonicalJson(part)))) return;
  const said = `${field} may only be ${listed(values)} here; sent was ${shown(args[field])}.`;
  throw new ToolError(fatal ? 'tool_value_refused' : 'tool_value_not_declared', fatal ? `${said} The run fails.` : said, {
    field,
    allowed: values,
  });
}
