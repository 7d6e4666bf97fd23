import { z } from 'zod';
import { getContext as find } from '../../domain/context/context-entries.ts';
import { defineTool } from '../../kernel/define.ts';
import { contextKey } from './context-schemas.ts';

export const getContext = defineTool({
  name: 'os.get_context',
  summary: 'Reads a value of the company’s shared context.',
  description:
    'Reads what some run stored under a key. `key`: 1 to 512 characters, exactly as it was set. Answers the key and its value; ' +
    'a key that nobody set, or that was deleted, has the value null and is no error. Reading changes nothing.',
  effect: 'read',
  retry: 'safe',
  calledBy: ['run', 'api'],
  routes: [{ method: 'POST', path: '/v1/runs/self/tools/os.get_context', scope: 'run:self' }],
  arguments: 'strict',
  input: z.strictObject({ key: contextKey }),
  output: z.strictObject({ key: z.string(), value: z.unknown() }),
  errors: {},
  where: 'database',
  sideEffects: [],
  examples: [{ arguments: { key: 'plan/12' }, result: { key: 'plan/12', value: { days: 5 } } }],
  handler: async ({ tx, enterpriseId }, { key }) => ({ key, value: (await find(tx, enterpriseId, key))?.value ?? null }),
});
