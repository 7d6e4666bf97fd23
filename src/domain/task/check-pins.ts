import { z } from 'zod';
import { faultOf } from '../../kernel/faults.ts';
import { guardJson } from '../../kernel/json-guard.ts';
import type { RegisteredTool } from '../../kernel/registry.ts';
import { quoted } from '../../kernel/shown.ts';
import { elementOf, type Pin, pinnedValue } from '../../kernel/task-tools.ts';

/** What is wrong with a pin on this tool, or undefined: no such field, no value, or a value that the field refuses. */
export function pinFault(tool: RegisteredTool, pin: Pin): string | undefined {
  const fields = Object.keys(tool.inputSchema.properties ?? {});
  if (!fields.includes(pin.field)) return noSuchField(tool.name, pin.field, fields);
  if (pin.values.length === 0) return `The pin on ${tool.name}#${pin.field} has no value: write ${tool.name}#${pin.field}=<value>,<value>.`;
  const faults = pin.values.map((text) => valueFault(tool, pin.field, text)).filter((fault) => fault !== undefined);
  return faults.length > 0 ? `The pin on ${tool.name}#${pin.field} cannot be met: ${faults.join('; ')}.` : undefined;
}

function noSuchField(name: string, field: string, fields: string[]): string {
  const known = fields.length > 0 ? `Its fields are ${fields.join(', ')}.` : 'It has no fields.';
  return `${name} has no field ${quoted(field)} to pin. ${known}`;
}

/** A pin is written as its value is told and executed: `1.0` for 1, or a label with two blanks, would only mislead. */
function valueFault(tool: RegisteredTool, field: string, text: string): string | undefined {
  const schema = elementOf(tool.inputSchema.properties![field]!);
  const value = pinnedValue(schema, text);
  const [unfit] = guardJson(value);
  if (unfit) return `${quoted(text)} ${unfit.message}`;
  const parsed = elementType(tool.input, field).safeParse(value);
  if (!parsed.success) return `${quoted(text)} is refused (${faultOf(parsed.error.issues[0]!, schema, value)})`;
  const written = typeof parsed.data === 'string' && value === text ? parsed.data : JSON.stringify(parsed.data);
  return written === text ? undefined : `${quoted(text)} must be written ${written}`;
}

function elementType(input: z.ZodType, field: string): z.ZodType {
  const shape: Record<string, z.ZodType> = input instanceof z.ZodObject ? input.shape : {};
  const type = shape[field] ?? z.unknown();
  const held = unwrapped(type);
  return held instanceof z.ZodArray ? unwrapped(held.element as z.ZodType) : type;
}

/** Without `optional`, `nullable`, `default` around it. */
function unwrapped(type: z.ZodType): z.ZodType {
  if (type instanceof z.ZodArray || !('unwrap' in type)) return type;
  return unwrapped((type as z.ZodOptional<z.ZodType>).unwrap());
}
