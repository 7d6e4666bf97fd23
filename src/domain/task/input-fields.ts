import { z } from 'zod';
import { isTakenTime } from '../../kernel/times.ts';

/** What a field of a run's input may hold. */
export const INPUT_FIELD_TYPES = ['STRING', 'TEXT', 'INTEGER', 'NUMBER', 'BOOLEAN', 'URL', 'DATE_TIME', 'JSON'] as const;

export type TaskInputFieldType = (typeof INPUT_FIELD_TYPES)[number];

/** A field that a task's runs are started with, as its version stores it. */
export interface TaskInputField {
  name: string;
  type: TaskInputFieldType;
  required: boolean;
  description: string | null;
}

const isDateTime = (value: unknown) => z.iso.datetime({ offset: true }).safeParse(value).success && isTakenTime(new Date(value as string));

const FITS: Record<TaskInputFieldType, (value: unknown) => boolean> = {
  STRING: (value) => typeof value === 'string',
  TEXT: (value) => typeof value === 'string',
  INTEGER: (value) => Number.isSafeInteger(value),
  NUMBER: (value) => Number.isFinite(value),
  BOOLEAN: (value) => typeof value === 'boolean',
  URL: (value) => typeof value === 'string' && URL.canParse(value),
  DATE_TIME: isDateTime,
  JSON: () => true,
};

/**
 * Compares a run's input with its task's fields and answers their names: required ones that are missing, and those whose
 * value is of another type. Null stands for a field that was left out, except where the type is JSON. Other keys are free.
 */
export function checkInput(fields: TaskInputField[], input: Record<string, unknown>): { missing: string[]; invalid: string[] } {
  const isThere = ({ name, type }: TaskInputField) => Object.hasOwn(input, name) && (type === 'JSON' || input[name] != null);
  const missing = fields.filter((field) => field.required && !isThere(field));
  const invalid = fields.filter((field) => isThere(field) && !FITS[field.type](input[field.name]));
  return { missing: missing.map(({ name }) => name), invalid: invalid.map(({ name }) => name) };
}
