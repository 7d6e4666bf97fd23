import { z } from 'zod';
import { issuesOf } from '../../kernel/faults.ts';
import { guardJson } from '../../kernel/json-guard.ts';
import { invalidArguments } from '../../kernel/parse-input.ts';
import { INPUT_FIELD_TYPES } from './input-fields.ts';
import type { TaskProblem } from './task-problem.ts';

/** Counts and amounts are stored in 32 bits. */
const MOST = 2_147_483_647;

/** The layers that a run can read and train memory in. */
export const MEMORY_LAYERS = ['TASK', 'MEMBER', 'ROLE', 'TEAM', 'ENTERPRISE'] as const;

const upTo = (most: number) => z.string().refine((text) => [...text].length <= most, { error: `must have at most ${most} characters` });

const filled = (most: number) => upTo(most).refine((text) => text.trim() !== '', { error: 'must not be blank' });

/** A list in which no two entries have the same key. */
const distinct = <Entry extends z.ZodType>(entry: Entry, most: number, key: (entry: z.output<Entry>) => string) =>
  z
    .array(entry)
    .max(most)
    .check(({ value, issues }) => {
      const seen = new Map<string, number>();
      for (const [index, item] of value.slice(0, most).entries()) {
        const text = key(item);
        const first = seen.get(text) ?? index;
        seen.set(text, first);
        if (first < index) issues.push({ code: 'custom', input: value, path: [index], message: `repeats entry ${first}: ${text}` });
      }
    });

const gate = z.strictObject({ tool: z.string().min(1).max(300), timeoutMinutes: z.int().min(1).max(5_256_000).nullish() });

const successor = z.strictObject({ outcome: filled(200), task: z.string().min(1).max(64) });

const inputField = z.strictObject({
  name: filled(100).refine((name) => name !== '__proto__', { error: 'the name __proto__ is not allowed' }),
  type: z.enum(INPUT_FIELD_TYPES),
  required: z.boolean(),
  description: upTo(2_000).nullish(),
});

const memoryGrant = z.strictObject({ layer: z.enum(MEMORY_LAYERS), prefix: z.string().max(200) });

const schema = z
  .strictObject({
    slug: z.string(), // what a slug is has a code of its own
    name: filled(200),
    goal: filled(20_000),
    metric: upTo(2_000).nullish(),
    guardrails: z.array(filled(2_000)).max(100).nullish(),
    team: z.string().min(1).max(200).nullish(),
    role: z.string().min(1).max(200).nullish(),
    osOwned: z.boolean().nullish(),
    tools: z.array(z.string().max(4_000)).max(300),
    gates: z.array(gate).max(300).nullish(),
    successors: distinct(successor, 100, ({ outcome, task }) => `${outcome} → ${task}`).nullish(),
    contextPrefixes: z.array(upTo(512).min(1)).max(100).nullish(),
    inputFields: distinct(inputField, 100, ({ name }) => name).nullish(),
    spendLimitCents: z.int().min(0).max(MOST).nullish(),
    modelTier: filled(100).nullish(),
    maxConcurrency: z.int().min(1).max(1_000).nullish(),
    memoryGrants: z.array(memoryGrant).max(100).nullish(),
    clonedFrom: z.string().min(1).max(64).nullish(),
    expectedVersion: z.int().min(0).max(MOST).nullish(),
    validateOnly: z.boolean().nullish(),
  })
  .refine(({ osOwned, team }) => !osOwned || !team, { path: ['team'], error: 'an OS-owned task belongs to no team: leave the team out' });

/** A task as a caller writes it. Left out and null are the same. */
export type SaveTaskInput = z.input<typeof schema>;

/** A task to save: every list is there, what was left out is null; `problems` are the texts and numbers beyond their limits. */
export type TaskDraft = ReturnType<typeof draftOf>;

/** Issues under which a value still has the type of its field, so that whatever else is wrong with it can be told as well. */
const OF_LIMITS = ['custom', 'too_small', 'too_big'];

const isOfLimits = (issue: z.core.$ZodIssue) => OF_LIMITS.includes(issue.code) && !('origin' in issue && issue.origin === 'array');

/**
 * Reads what a caller sent.
 * @throws {ToolError} invalid_arguments with one issue for each thing that cannot be read as a task: a wrong type, an unknown
 * field, a list that is too long, a text that cannot be stored
 */
export function taskDraft(input: unknown): TaskDraft {
  const unfit = guardJson(input);
  if (unfit.length > 0) throw invalidArguments(unfit);
  const { error } = schema.safeParse(input);
  if (error && !error.issues.every(isOfLimits)) throw invalidArguments(issuesOf(error, schema, input));
  const problems = (error ? issuesOf(error, schema, input) : []).map(
    ({ path, message }) => ({ code: 'invalid_arguments', field: path, message }) as const,
  );
  return draftOf(input as z.output<typeof schema>, problems);
}

function draftOf(input: z.output<typeof schema>, problems: TaskProblem[]) {
  return {
    problems,
    slug: input.slug,
    name: input.name,
    goal: input.goal,
    metric: input.metric ?? null,
    guardrails: input.guardrails ?? [],
    team: input.team ?? null,
    role: input.role ?? null,
    osOwned: input.osOwned ?? false,
    tools: input.tools,
    gates: (input.gates ?? []).map(({ tool, timeoutMinutes }) => ({ tool, timeoutMinutes: timeoutMinutes ?? null })),
    successors: input.successors ?? [],
    contextPrefixes: input.contextPrefixes ?? [],
    inputFields: (input.inputFields ?? []).map((field) => ({ ...field, description: field.description ?? null })),
    spendLimitCents: input.spendLimitCents ?? null,
    modelTier: input.modelTier ?? null,
    maxConcurrency: input.maxConcurrency ?? 1,
    memoryGrants: input.memoryGrants ?? [],
    clonedFrom: input.clonedFrom ?? null,
    expectedVersion: input.expectedVersion ?? null,
    validateOnly: input.validateOnly ?? false,
  };
}
