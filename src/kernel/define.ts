import type { z } from 'zod';
import type { Caller } from '../auth/caller.ts';
import type { Tx } from '../db/database.ts';
import type { CallingRun } from '../domain/run/run-row.ts';
import type { KnownCode } from './errors.ts';
import type { Registry } from './registry.ts';

export type Effect = 'read' | 'write';
export type Retry = 'safe' | 'idempotent' | 'unsafe';
export type CalledBy = 'run' | 'api' | 'mcp' | 'ceo_chat' | 'os';

/** One choice that a gate offers in place of approve and reject. `note`: what the decision's note must hold. */
export interface GateChoice {
  value: string;
  label: string;
  note?: string;
  /** Whether the choice lets the work go on (the gate ends approved) or leaves it (rejected). */
  approves: boolean;
}

/** An answer of the decider to one question of the payload. */
export interface GateAnswer {
  number: number;
  kind: 'ACCEPT' | 'ANSWER' | 'EXPLAIN';
  text: string | null;
}

/** What a person said at a gate. */
export interface Verdict {
  choice: string | null;
  note: string | null;
  answers: GateAnswer[];
}

/** A gate that the tool always opens, and whose decision ends the run. */
export interface RunEndingGate<Input> {
  choices?: GateChoice[];
  canRequestChanges: boolean;
  /** The numbers of the questions in the payload that approving must answer. */
  questions?: (input: Input) => number[];
  /** What an approval adds to the run's output; it is the call's result too. Not for tools with an outside effect. */
  approved?: (input: Input, verdict: Verdict) => Record<string, unknown>;
}

/** What a handler is given beside its arguments. Rows are of the caller's enterprise alone. */
export interface CallContext<Code extends string = string> {
  /** The transaction of the call. A tool with an outside effect has none, and reading it throws. */
  tx: Tx;
  now: Date;
  enterpriseId: string;
  /** Null when the service executes an approved or interrupted call. */
  caller: Caller | null;
  /** The row id of the call: the same in every repetition of one call, so it can key an effect outside. Null without a run. */
  callId: string | null;
  /** The calling run, locked while its call is in the database; null when the caller is no run. */
  run: CallingRun | null;
  /** All tools of the service. */
  registry: Registry;
  /** Raises one of the errors that the tool declares. */
  fail: (code: Code, message: string, details?: Record<string, unknown>) => never;
}

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  scope: string;
}

/** One tool, told once: every surface, page and check is derived from this. */
export interface Tool<Input = any, Output = any, Code extends string = string> {
  name: string;
  /** One line. */
  summary: string;
  /** What the model reads: when to use it, each field, what comes back, what a repeat does. */
  description: string;
  effect: Effect;
  retry: Retry;
  calledBy: CalledBy[];
  routes: Route[];
  /** `none`: takes no arguments; `any`: takes any object and reads only what the schema names. */
  arguments: 'strict' | 'none' | 'any';
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  /** The tool's own errors beside those that every call can meet: code → when. */
  errors: Record<Code, string>;
  /** Where the effect is: in our database (one transaction with the record), or outside (claimed, then recorded). */
  where: 'database' | 'outside';
  /** A task's gate on it is saved and never waits. */
  gateInert?: boolean;
  gate?: RunEndingGate<Input>;
  /** Handed back (`gate_summary_required`) until the run has set a gate summary. */
  needsSummary?: boolean;
  needsMember?: boolean;
  /** A task may hold the tool only together with a gate on this other one. */
  requiresGateOn?: string;
  /** What else a call leaves behind, for readers. */
  sideEffects: string[];
  examples: { arguments: Input; result: Output }[];
  handler: (context: CallContext<Code | KnownCode>, input: Input) => Promise<Output>;
}

/** Declares a tool. The types of input, output and raised errors follow from the schemas and the declared codes. */
export const defineTool = <Input, Output, Code extends string = never>(tool: Tool<Input, Output, Code>): Tool<Input, Output, Code> => tool;

/** Tools that stand together in the reference, in order. */
export interface Family {
  title: string;
  page: string;
  intro: string;
  tools: Tool[];
}

/** The tools of a bound server: `github` with `github.create_issue` and so on. */
export interface Catalog {
  type: string;
  tools: Tool[];
}
