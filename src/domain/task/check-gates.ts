import { quoted } from '../../kernel/shown.ts';
import type { DraftTool } from './check-tools.ts';
import type { TaskDraft } from './save-task-input.ts';
import type { TaskProblem } from './task-problem.ts';

const TRAIN = 'memory.train';

/** What is wrong with the draft's gates. */
export function gateErrors({ gates }: TaskDraft, tools: DraftTool[]): TaskProblem[] {
  return gates.flatMap(({ tool: name }, index): TaskProblem[] => {
    const field = `gates[${index}].tool`;
    const details = { name };
    const first = gates.findIndex((gate) => gate.tool === name);
    if (first < index)
      return [{ code: 'tool_duplicate', field, message: `${quoted(name)} is gated already, in gates[${first}].`, details }];
    if (tools.some((entry) => entry.name === name)) return [];
    const message = `The task does not declare ${quoted(name)}, so there is nothing to gate: add it to tools, by the name alone.`;
    return [{ code: 'gate_tool_not_declared', field, message, details }];
  });
}

/** What is wrong with the draft's memory grants. */
export function grantErrors({ memoryGrants }: TaskDraft, tools: DraftTool[]): TaskProblem[] {
  const trains = tools.some(({ name }) => name === TRAIN);
  return memoryGrants.flatMap(({ prefix }, index) => {
    const refused = (at: string, message: string): TaskProblem => ({
      code: 'memory_grant_invalid',
      field: `memoryGrants[${index}]${at}`,
      message,
    });
    const problems: TaskProblem[] = [];
    if (prefix.trim() === '')
      problems.push(refused('.prefix', 'The prefix is empty: name the events that the grant opens, such as "issue:".'));
    const kept = ['team:', 'gate:'].find((start) => prefix.startsWith(start));
    if (kept) problems.push(refused('.prefix', `The prefix ${quoted(prefix)} begins with ${kept}, which only the OS writes.`));
    if (!trains) problems.push(refused('', `A grant is of no use without ${TRAIN}: declare it too.`));
    return problems;
  });
}
