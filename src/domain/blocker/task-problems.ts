import type { TaskVersion } from '../../db/generated/client.ts';
import type { Registry } from '../../kernel/registry.ts';
import { gateErrors, grantErrors } from '../task/check-gates.ts';
import { draftTools, toolErrors } from '../task/check-tools.ts';
import type { TaskDraft } from '../task/save-task-input.ts';

/** A task that is not archived, as it says now. */
export interface CurrentTask extends TaskVersion {
  slug: string;
}

/** Something in a saved task that could not be saved like that today. */
export interface TaskDefinitionProblem {
  taskId: string;
  task: string;
  code: string;
  /** Where the definition says it: `tools[2]`. */
  field: string;
  message: string;
}

/** What is wrong with saved tasks: tools that went, pins and gates that no longer fit, successors that are archived. */
export function taskDefinitionProblems(registry: Registry, tasks: CurrentTask[]): TaskDefinitionProblem[] {
  const slugs = new Set(tasks.map(({ slug }) => slug));
  return tasks.flatMap((task) => {
    const draft = draftOf(task);
    const tools = draftTools(registry, draft);
    const found = [...toolErrors(registry, draft, tools), ...gateErrors(draft, tools), ...grantErrors(draft, tools)];
    const problems = [...found, ...archivedSuccessors(draft, slugs)];
    return problems.map(({ code, field, message }) => ({ taskId: task.taskId, task: task.slug, code, field, message }));
  });
}

/** A task is never deleted: a successor that is not there is archived. */
const archivedSuccessors = ({ successors }: TaskDraft, slugs: Set<string>) =>
  successors.flatMap(({ outcome, task }, index) => {
    if (slugs.has(task)) return [];
    const message = `The task ${JSON.stringify(task)} is archived, so the outcome ${JSON.stringify(outcome)} starts nothing.`;
    return [{ code: 'task_archived', field: `successors[${index}].task`, message }];
  });

/** A saved version in the form that the checks of a save look at. */
function draftOf(version: CurrentTask): TaskDraft {
  const { slug, name, goal, metric, guardrails, osOwned, tools, contextPrefixes, spendLimitCents, modelTier, maxConcurrency } = version;
  return {
    ...{ slug, name, goal, metric, guardrails, osOwned, tools, contextPrefixes, spendLimitCents, modelTier, maxConcurrency },
    gates: version.gates as never,
    successors: version.successors as never,
    inputFields: version.inputFields as never,
    memoryGrants: version.memoryGrants as never,
    ...{ problems: [], team: null, role: null, clonedFrom: null, expectedVersion: null, validateOnly: false },
  };
}
