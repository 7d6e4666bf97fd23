import { z } from 'zod';
import { deleteContext as remove } from '../../domain/context/context-entries.ts';
import { defineTool } from '../../kernel/define.ts';
import { contextKey } from './context-schemas.ts';

export const deleteContext = defineTool({
  name: 'os.delete_context',
  summary: 'Removes a value from the company’s shared context.',
  description:
    'Removes what is stored under a key, once nobody needs it any more. `key`: 1 to 512 characters, exactly as it was set. ' +
    'Answers the key and whether something was removed; a key that holds nothing answers `deleted: false` and is no error. ' +
    'Sending the same call again answers what it answered and touches nothing that was set since.',
  effect: 'write',
  retry: 'idempotent',
  calledBy: ['run', 'api'],
  routes: [{ method: 'POST', path: '/v1/runs/self/tools/os.delete_context', scope: 'run:self' }],
  arguments: 'strict',
  input: z.strictObject({ key: contextKey }),
  output: z.strictObject({ key: z.string(), deleted: z.boolean() }),
  errors: {},
  where: 'database',
  sideEffects: [],
  examples: [{ arguments: { key: 'plan/12' }, result: { key: 'plan/12', deleted: true } }],
  handler: async ({ tx, enterpriseId }, { key }) => ({ key, deleted: await remove(tx, enterpriseId, key) }),
});
