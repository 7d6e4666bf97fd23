import { z } from 'zod';
import { setContext as store } from '../../domain/context/context-entries.ts';
import { defineTool } from '../../kernel/define.ts';
import { contextKey, contextValue } from './context-schemas.ts';

export const setContext = defineTool({
  name: 'os.set_context',
  summary: 'Stores a value in the company’s shared context.',
  description:
    'Keeps a value under a key where every run of this company finds it: state of ongoing work, what was agreed, where things are. ' +
    '`key`: 1 to 512 characters; `value`: any JSON, at most 16 KiB. Answers both as stored. Setting a key again overwrites its value. ' +
    'It is bookkeeping that everybody reads: never put a secret, a password or a token in it.',
  effect: 'write',
  retry: 'idempotent',
  calledBy: ['run', 'api'],
  routes: [{ method: 'POST', path: '/v1/runs/self/tools/os.set_context', scope: 'run:self' }],
  arguments: 'strict',
  input: z.strictObject({ key: contextKey, value: contextValue.describe('Any JSON value.') }),
  output: z.strictObject({ key: z.string(), value: z.unknown() }),
  errors: {},
  where: 'database',
  sideEffects: ['Runs of tasks that name a prefix of the key get it in their input.'],
  examples: [{ arguments: { key: 'plan/12', value: { days: 5 } }, result: { key: 'plan/12', value: { days: 5 } } }],
  handler: ({ tx, enterpriseId, now }, { key, value }) => store(tx, enterpriseId, { key, value }, now),
});
