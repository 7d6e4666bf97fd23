import { closest, NAMESPACES, type RegisteredTool, type Registry } from '../../kernel/registry.ts';
import { offeredName, type Pin, parseDeclaration } from '../../kernel/task-tools.ts';
import { pinFault } from './check-pins.ts';
import type { TaskDraft } from './save-task-input.ts';
import { quoted, type TaskErrorCode, type TaskProblem } from './task-problem.ts';

/** One entry of the draft's `tools`. */
export interface DraftTool {
  field: string;
  name: string;
  pin: Pin | undefined;
  /** Undefined when nobody offers a tool of this name. */
  tool: RegisteredTool | undefined;
}

const OS_OWNED_ONLY = 'os.read_enterprise';

/** The entries of the draft's `tools`, in order. */
export const draftTools = (registry: Registry, draft: TaskDraft): DraftTool[] =>
  draft.tools.map((entry, index) => {
    const { name, pin } = parseDeclaration(entry);
    return { field: `tools[${index}]`, name, pin, tool: registry.find(name) };
  });

/** What is wrong with the declared tools, each taken for itself and beside the others. */
export function toolErrors(registry: Registry, draft: TaskDraft, tools: DraftTool[]): TaskProblem[] {
  return tools.flatMap((entry, index) => {
    const before = tools.slice(0, index);
    const found = [nameError(registry, entry), duplicate(entry, before), collision(entry, before), misplaced(draft, entry)];
    return [...found, ...needs(draft, tools, entry)].filter((problem) => problem !== undefined);
  });
}

const problem = ({ field, name }: DraftTool, code: TaskErrorCode, message: string): TaskProblem => ({
  code,
  field,
  message,
  details: { name },
});

function nameError(registry: Registry, entry: DraftTool): TaskProblem | undefined {
  const { name, tool } = entry;
  if (tool) return tool.calledBy.includes('run') ? undefined : problem(entry, 'tool_not_run_callable', `No run may call ${name}: drop it.`);
  const dot = name.indexOf('.');
  const type = dot < 0 ? name : name.slice(0, dot);
  if (dot < 0 || dot === name.length - 1) return problem(entry, 'tool_name_bare', bareMessage(registry, type));
  if (NAMESPACES.includes(type)) return problem(entry, 'tool_unknown', `There is no tool ${quoted(name)}.${alike(name, registry.builtIn)}`);
  const catalog = registry.catalog(type);
  if (!catalog)
    return problem(entry, 'tool_type_not_bound', `Nothing binds the type ${quoted(type)}, so ${quoted(name)} cannot be called.`);
  return problem(entry, 'tool_not_in_catalog', `The bound server ${quoted(type)} lists no tool ${quoted(name)}.${alike(name, catalog)}`);
}

function bareMessage(registry: Registry, type: string): string {
  const inside = registry.catalog(type) ?? registry.builtIn.filter(({ name }) => name.startsWith(`${type}.`));
  const example = inside[0]?.name ?? 'os.set_context';
  return `${quoted(type)} names no single tool: declare each by its whole name, such as ${example}.`;
}

function alike(name: string, tools: RegisteredTool[]): string {
  const callable = tools.filter(({ calledBy }) => calledBy.includes('run')).map((tool) => tool.name);
  return callable.length > 0 ? ` The closest are ${closest(name, callable).join(', ')}.` : '';
}

/** Several pins on one tool are several entries; without a pin, or with the same one, an entry stands once. */
function duplicate(entry: DraftTool, before: DraftTool[]): TaskProblem | undefined {
  const twin = before.find(({ name, pin }) => name === entry.name && (!pin || !entry.pin || samePin(pin, entry.pin)));
  return twin && problem(entry, 'tool_duplicate', `${quoted(entry.name)} is declared already, in ${twin.field}.`);
}

const samePin = (one: Pin, other: Pin) => JSON.stringify(one) === JSON.stringify(other);

function collision(entry: DraftTool, before: DraftTool[]): TaskProblem | undefined {
  const offered = offeredName(entry.name);
  const twin = before.find(({ name }) => name !== entry.name && offeredName(name) === offered);
  const message = `Models would be offered both ${quoted(entry.name)} and ${quoted(twin?.name ?? '')} as ${offered}: declare one of them.`;
  return twin && problem(entry, 'tool_name_collision', message);
}

function misplaced(draft: TaskDraft, entry: DraftTool): TaskProblem | undefined {
  if (entry.name !== OS_OWNED_ONLY || !entry.tool || draft.osOwned) return undefined;
  return problem(entry, 'tool_os_owned_only', `Only a task with osOwned may declare ${entry.name}.`);
}

function needs(draft: TaskDraft, tools: DraftTool[], entry: DraftTool): TaskProblem[] {
  const { name, tool, pin } = entry;
  const problems: TaskProblem[] = [];
  const gated = tool?.requiresGateOn;
  if (gated && !draft.gates.some((gate) => gate.tool === gated)) {
    problems.push(problem(entry, 'gate_required_for_tool', `${name} is held only together with a gate on ${gated}: add that gate.`));
  }
  const fault = tool && pin && pinFault(tool, pin);
  if (fault) problems.push(problem(entry, 'pin_invalid', fault));
  return [...problems, ...summaryError(draft, tools, entry)];
}

const SUMMARY_TOOL = 'os.set_gate_summary';

function summaryError(draft: TaskDraft, tools: DraftTool[], entry: DraftTool): TaskProblem[] {
  if (entry.tool?.needsSummary && !tools.some(({ name }) => name === SUMMARY_TOOL)) {
    return [problem(entry, 'summary_tool_required', `${entry.name} needs a gate summary first: declare ${SUMMARY_TOOL} too.`)];
  }
  if (entry.name !== SUMMARY_TOOL || tools.some((other) => waits(draft, other))) return [];
  const message = `${SUMMARY_TOOL} writes for a gate, and no call of this task ever waits at one: gate a tool, or drop it.`;
  return [problem(entry, 'summary_tool_required', message)];
}

/** Whether calls of this entry wait for a decision. */
const waits = (draft: TaskDraft, { name, tool }: DraftTool) =>
  tool?.gate !== undefined || (!tool?.gateInert && draft.gates.some((gate) => gate.tool === name));
