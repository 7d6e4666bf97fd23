import { ToolError } from '../../kernel/errors.ts';
import { listed } from '../../kernel/shown.ts';
import { checkInput, type TaskInputField } from './input-fields.ts';

/** Why a task cannot start with this input: it is archived, or the input does not fit its fields. Null: it can. */
export function startProblem(
  { slug, archivedAt, inputFields }: { slug: string; archivedAt: Date | null; inputFields: unknown },
  input: unknown,
): ToolError | null {
  if (archivedAt) return new ToolError('task_archived', `The task ${slug} is archived and starts no run: name another task.`);
  const { missing, invalid } = checkInput(inputFields as TaskInputField[], input as Record<string, unknown>);
  if (missing.length + invalid.length === 0) return null;
  const told = listed([...missing.map((name) => `${name} is missing`), ...invalid.map((name) => `${name} has the wrong type`)]);
  return new ToolError('task_input_invalid', `The input does not fit the task ${slug}: ${told}.`, { missing, invalid });
}
