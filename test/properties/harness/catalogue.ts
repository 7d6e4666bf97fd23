import type { Effect, Retry } from '../../../src/kernel/define.ts';
import { families } from '../../../src/tools/families.ts';
import { invoke } from './calls.ts';
import { type Claimed, type Company, FREE_TOOLS } from './company.ts';

/** A tool that a trial calls, with what it needs around it. */
export interface TriedTool {
  name: string;
  effect: Effect;
  retry: Retry;
  /** Makes what the call is about, and answers its arguments. */
  prepare(company: Company, run: Claimed): Promise<unknown>;
  /** The code with which its own rule refuses the same act under a new id. */
  refused?: string;
}

type Special = Pick<TriedTool, 'prepare' | 'refused'>;

const onFailedRun = (more: object = {}): Special => ({
  prepare: async (company) => ({ runId: await company.failedRun(), note: 'again', ...more }),
  refused: 'run_not_on_blockers',
});

/** Tools whose example names something that a trial must make first, or that refuse a second act. */
const SPECIAL: Record<string, Special> = {
  'os.inspect_enterprise': { prepare: async () => ({}) },
  'os.directory': { prepare: async () => ({}) },
  'os.retry_run': onFailedRun(),
  'os.route_run': onFailedRun({ task: 'free' }),
  'os.clear_run': onFailedRun(),
  'os.escalate_run': { prepare: async (company) => ({ runId: await company.failedRun(), to: 'ceo', note: 'yours' }) },
  'os.delete_context': {
    async prepare({ stage }, { token }) {
      await invoke(stage.urls[0]!, token, { toolCallId: 'before', tool: 'os.set_context', arguments: { key: 'there', value: 1 } });
      return { key: 'there' };
    },
  },
};

/** Every built-in tool that a run may call. */
export const CATALOGUE: TriedTool[] = families
  .flatMap(({ tools }) => tools)
  .filter(({ name }) => FREE_TOOLS.includes(name))
  .map(({ name, effect, retry, examples, gate }) => ({
    ...{ name, effect, retry },
    prepare: async () => examples[0]!.arguments,
    ...(gate && { refused: 'run_waiting' }),
    ...SPECIAL[name],
  }));

/** A test-only tool with fixed arguments. */
export const testOnly = (name: string, retry: Retry, args: unknown): TriedTool => ({
  ...{ name, retry, effect: 'write' },
  prepare: async () => args,
});
