import { offeredName } from '../../kernel/offered.ts';
import { closest, NAMESPACES, type RegisteredTool, type Registry } from '../../kernel/registry.ts';
import { quoted } from '../../kernel/shown.ts';
import { type Pin, parseDeclaration } from '../../kernel/task-tools.ts';
import { pinFault } from './check-pins.ts';
import type { TaskDraft } from './save-task-input.ts';
import type { TaskErrorCode, TaskProblem } from './task-problem.ts';

/** One entry of the draft's `tools`. */
export interface DraftTool {
  field: string;
  name: string;
  pin: Pin | undefined;
  /** The pin as text, by which two are compared. */
  pinned: string | undefined;
  /** The name as models would be offered it. */
  offered: string;
  /** Whether the draft gates it. */
  gated: boolean;
  /** Undefined when nobody offers a tool of this name. */
  tool: RegisteredTool | undefined;
}

const OS_OWNED_ONLY = 'os.read_enterprise';

/** The entries of the draft's `tools`, in order. */
export function draftTools(registry: Registry, draft: TaskDraft): DraftTool[] {
  const gates = new Set(draft.gates.map(({ tool }) => tool));
  return draft.tools.map((entry, index) => {
    const { name, pin } = parseDeclaration(entry);
    // Computed once an entry: each is compared with all before it.
    const compared = { pinned: pin && JSON.stringify(pin), offered: offeredName(name), gated: gates.has(name) };
    return { field: `tools[${index}]`, name, pin, ...compared, tool: registry.find(name) };
  });
}

/** What is wrong with the declared tools, each taken for itself and beside the others. */
export function toolErrors(registry: Registry, draft: TaskDraft, tools: DraftTool[]): TaskProblem[] {
  let values = 0;
  return tools.flatMap((entry, index) => {
    const before = tools.slice(0, index);
    values += entry.pin?.values.length ?? 0;
    const found = [nameError(registry, entry), duplicate(entry, before), collision(entry, before), misplaced(draft, entry)];
    const others = [...needs(draft, entry), pinError(entry, values), summaryError(tools, entry)];
    return [...found, ...others].filter((problem) => problem !== undefined);
  });
}

/** The most values that the pins of one task name, all together: each is checked against its field, and offered to models. */
const MOST_PINNED = 2_000;

/** `values`: how many the pins up to this one name. */
function pinError(entry: DraftTool, values: number): TaskProblem | undefined {
  const { tool, pin } = entry;
  if (pin && values > MOST_PINNED) {
    const message = `The pins up to this one name ${values} values; at most ${MOST_PINNED} are allowed in one task: drop some.`;
    return problem(entry, 'pin_invalid', message);
  }
  const fault = tool && pin && pinFault(tool, pin);
  return fault ? problem(entry, 'pin_invalid', fault) : undefined;
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
  const twin = before.find(({ name, pin, pinned }) => name === entry.name && (!pin || !entry.pin || pinned === entry.pinned));
  return twin && problem(entry, 'tool_duplicate', `${quoted(entry.name)} is declared already, in ${twin.field}.`);
}

function collision(entry: DraftTool, before: DraftTool[]): TaskProblem | undefined {
  const { offered } = entry;
  const twin = before.find((other) => other.offered === offered && other.name !== entry.name);
  const message = `Models would be offered both ${quoted(entry.name)} and ${quoted(twin?.name ?? '')} as ${offered}: declare one of them.`;
  return twin && problem(entry, 'tool_name_collision', message);
}

function misplaced(draft: TaskDraft, entry: DraftTool): TaskProblem | undefined {
  if (entry.name !== OS_OWNED_ONLY || !entry.tool || draft.osOwned) return undefined;
  return problem(entry, 'tool_os_owned_only', `Only a task with osOwned may declare ${entry.name}.`);
}

function needs(draft: TaskDraft, entry: DraftTool): TaskProblem[] {
  const { name, tool } = entry;
  const gated = tool?.requiresGateOn;
  if (!gated || draft.gates.some((gate) => gate.tool === gated)) return [];
  return [problem(entry, 'gate_required_for_tool', `${name} is held only together with a gate on ${gated}: add that gate.`)];
}

const SUMMARY_TOOL = 'os.set_gate_summary';

function summaryError(tools: DraftTool[], entry: DraftTool): TaskProblem | undefined {
  if (entry.tool?.needsSummary && !tools.some(({ name }) => name === SUMMARY_TOOL)) {
    return problem(entry, 'summary_tool_required', `${entry.name} needs a gate summary first: declare ${SUMMARY_TOOL} too.`);
  }
  if (entry.name !== SUMMARY_TOOL || tools.some(waits)) return undefined;
  const message = `${SUMMARY_TOOL} writes for a gate, and no call of this task ever waits at one: gate a tool, or drop it.`;
  return problem(entry, 'summary_tool_required', message);
}

/** Whether calls of this entry wait for a decision. */
const waits = ({ tool, gated }: DraftTool) => tool?.gate !== undefined || (!tool?.gateInert && gated);
