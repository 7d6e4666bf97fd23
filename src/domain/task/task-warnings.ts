import type { DraftTool } from './check-tools.ts';
import type { TaskDraft } from './save-task-input.ts';
import type { TaskProblem } from './task-problem.ts';

/** What a saved task may surprise with. `isClone`: the task is, or becomes, a copy of another. */
export function taskWarnings(draft: TaskDraft, tools: DraftTool[], isClone: boolean): TaskProblem[] {
  const found = [...gateWarnings(draft, tools), readOnly(tools), assigneeNeeded(draft, tools), ...grantWarnings(draft, isClone)];
  return found.filter((warning) => warning !== undefined);
}

function gateWarnings({ gates }: TaskDraft, tools: DraftTool[]): TaskProblem[] {
  return gates.flatMap(({ tool: name, timeoutMinutes }, index): TaskProblem[] => {
    const tool = tools.find((entry) => entry.name === name)?.tool;
    const warning = { field: `gates[${index}].tool`, details: { name } };
    if (tool?.gate) {
      const kept = timeoutMinutes === null ? '' : ' Only its time-out adds something.';
      return [
        { ...warning, code: 'gate_redundant', message: `${name} waits for a decision on every task, so this gate is not needed.${kept}` },
      ];
    }
    if (!tool?.gateInert) return [];
    return [{ ...warning, code: 'gate_never_waits', message: `The gate on ${name} is saved, and no call of it ever waits.` }];
  });
}

/** The pipeline's own rule: without a writing os tool every write of the run is handed back. */
function readOnly(tools: DraftTool[]): TaskProblem | undefined {
  const writing = tools.filter(({ tool }) => tool?.effect === 'write').map(({ name }) => name);
  if (writing.length === 0 || writing.some((name) => name.startsWith('os.'))) return undefined;
  const names = [...new Set(writing)];
  const message = `Runs of this task only read, so ${names.join(', ')} will be handed back: declare an os tool that writes, such as os.set_context.`;
  return { code: 'run_read_only', field: 'tools', message, details: { names } };
}

function assigneeNeeded(draft: TaskDraft, tools: DraftTool[]): TaskProblem | undefined {
  const names = [...new Set(tools.filter(({ tool }) => tool?.needsMember).map(({ name }) => name))];
  if (names.length === 0 || (draft.role && !draft.osOwned)) return undefined;
  const message = `Runs of this task have no assigned member, and ${names.join(', ')} will be handed back without one: give the task a role.`;
  return { code: 'assignee_needed', field: 'role', message, details: { names } };
}

function grantWarnings({ memoryGrants }: TaskDraft, isClone: boolean): TaskProblem[] {
  if (!isClone) return [];
  const message = 'The task is a clone, and a clone trains the memory of its task alone: this grant opens nothing.';
  return memoryGrants.map((_, index) => ({ code: 'grant_unusable_on_clone', field: `memoryGrants[${index}]`, message }));
}
