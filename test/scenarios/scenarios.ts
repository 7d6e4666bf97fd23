import { expect } from 'vitest';
import type { SaveTaskInput } from '../../src/domain/task/save-task.ts';

/** How a call is answered: with its result, or with an error. Of an error only what is named is compared. */
export type Outcome = { result: unknown } | { code: string; handling?: string; details?: unknown };

/** One call, and what it answers over every transport. */
export interface Scenario {
  name: string;
  /** The task beside its tools, which default to the called one and os.set_context. */
  task?: Partial<SaveTaskInput>;
  /** Calls that the run made before, by `invokeTool`. */
  before?: [tool: string, args: Record<string, unknown>][];
  /** How the run ended before the call. */
  ended?: true;
  /** How the gate that the call opens is decided; then the call is sent again. */
  decision?: Record<string, unknown>;
  tool: string;
  args: Record<string, unknown>;
  answers: Outcome;
}

const question = { number: 1, question: 'Red first?', context: 'Two designs.', ctoRecommendation: 'Yes.' };
const held = { gates: [{ tool: 'os.set_context' }] };
const set = { key: 'plan/12', value: { days: 5, who: ['Mia', null] } };
const invalid = (path: string, message: string) => ({
  code: 'invalid_arguments',
  handling: 'HAND_BACK',
  details: { issues: [{ path, message: expect.stringContaining(message) }] },
});

export const SCENARIOS: Scenario[] = [
  { name: 'a name', tool: 'os.set_execution_name', args: { name: ' Weekly  plan ' }, answers: { result: { name: 'Weekly plan' } } },
  {
    name: 'a name that is blank',
    tool: 'os.set_execution_name',
    args: { name: '  ' },
    answers: { code: 'invalid_arguments', handling: 'HAND_BACK' },
  },
  {
    name: 'a link',
    tool: 'os.add_execution_link',
    args: { name: 'Plan', url: 'https://docs.kites.example/12' },
    answers: { result: { name: 'Plan', url: 'https://docs.kites.example/12' } },
  },
  {
    name: 'a link that is none',
    tool: 'os.add_execution_link',
    args: { name: 'Plan', url: 'ftp://docs.kites.example/12' },
    answers: invalid('url', 'must be an http: or https: URL'),
  },
  {
    name: 'a summary',
    task: { ...held, tools: ['os.set_context', 'os.set_gate_summary'] },
    tool: 'os.set_gate_summary',
    args: { summary: '- *all*' },
    answers: { result: { summary: '- *all*' } },
  },
  { name: 'questions', tool: 'os.ask_ceo', args: { questions: [question] }, answers: { code: 'gate_waiting' } },
  {
    name: 'questions that were answered',
    tool: 'os.ask_ceo',
    args: { questions: [question], context: 'All.' },
    decision: { decision: 'APPROVE', answers: [{ number: 1, kind: 'EXPLAIN', text: 'Why?' }], note: 'Soon.' },
    answers: { result: { ceoAnswers: [{ number: 1, kind: 'explain', text: 'Why?' }], ceoNote: 'Soon.' } },
  },
  {
    name: 'questions out of order',
    tool: 'os.ask_ceo',
    args: { questions: [{ ...question, number: 2 }] },
    answers: invalid('questions', 'must be numbered 1, 2, 3 … in order'),
  },
  { name: 'a value', tool: 'os.set_context', args: set, answers: { result: set } },
  { name: 'the value null', tool: 'os.set_context', args: { key: 'k', value: null }, answers: { result: { key: 'k', value: null } } },
  {
    name: 'a value that is too large',
    tool: 'os.set_context',
    args: { key: 'k', value: 'x'.repeat(16_384) },
    answers: invalid('value', 'must have at most 16384 bytes as JSON'),
  },
  {
    name: 'a value that cannot be stored',
    tool: 'os.set_context',
    args: { key: 'k', value: ['\0'] },
    answers: invalid('value[0]', 'contains a NUL character, which cannot be stored'),
  },
  {
    name: 'a value that is there',
    before: [['os.set_context', set]],
    tool: 'os.get_context',
    args: { key: 'plan/12' },
    answers: { result: set },
  },
  { name: 'a value that is not there', tool: 'os.get_context', args: { key: 'k' }, answers: { result: { key: 'k', value: null } } },
  {
    name: 'a deletion',
    before: [['os.set_context', set]],
    tool: 'os.delete_context',
    args: { key: 'plan/12' },
    answers: { result: { key: 'plan/12', deleted: true } },
  },
  { name: 'a deletion of nothing', tool: 'os.delete_context', args: { key: 'k' }, answers: { result: { key: 'k', deleted: false } } },
  { name: 'no open gates', tool: 'os.list_open_gates', args: {}, answers: { result: [] } },
  {
    name: 'a tool that the task lacks',
    task: { tools: ['os.get_context'] },
    tool: 'os.set_context',
    args: set,
    answers: { code: 'tool_not_on_task', handling: 'FAIL', details: { tool: 'os.set_context' } },
  },
  {
    name: 'a value that the task does not declare',
    task: { tools: ['os.set_context#key=a,b'] },
    tool: 'os.set_context',
    args: set,
    answers: { code: 'tool_value_not_declared', handling: 'HAND_BACK', details: { field: 'key', allowed: ['a', 'b'] } },
  },
  {
    name: 'a value that the task refuses',
    task: { tools: ['os.set_context#!key=a,b'] },
    tool: 'os.set_context',
    args: set,
    answers: { code: 'tool_value_refused', handling: 'FAIL', details: { field: 'key', allowed: ['a', 'b'] } },
  },
  { name: 'a call that a gate holds', task: held, tool: 'os.set_context', args: set, answers: { code: 'gate_waiting' } },
  {
    name: 'a call that was approved',
    task: held,
    decision: { decision: 'APPROVE' },
    tool: 'os.set_context',
    args: set,
    answers: { result: set },
  },
  {
    name: 'a call that was rejected',
    task: held,
    decision: { decision: 'REJECT', note: 'No.' },
    tool: 'os.set_context',
    args: set,
    answers: { code: 'gate_rejected', handling: 'TOOL_ERROR', details: { note: 'No.' } },
  },
  {
    name: 'a call that was sent back',
    task: held,
    decision: { decision: 'REQUEST_CHANGES', note: 'Less.' },
    tool: 'os.set_context',
    args: set,
    answers: { code: 'gate_changes_requested', handling: 'HAND_BACK', details: { note: 'Less.' } },
  },
  {
    name: 'a call while the run waits',
    task: { ...held, tools: ['os.set_context', 'os.get_context'] },
    before: [['os.set_context', set]],
    tool: 'os.get_context',
    args: { key: 'k' },
    answers: { code: 'run_waiting', handling: 'HAND_BACK' },
  },
  {
    name: 'a call after the end of the run',
    ended: true,
    tool: 'os.get_context',
    args: { key: 'k' },
    answers: { code: 'run_not_active', handling: 'HAND_BACK', details: { status: 'FINISHED' } },
  },
];
