import { z } from 'zod';
import { nameExecution } from '../../domain/execution/execution-labels.ts';
import { defineTool } from '../../kernel/define.ts';
import { label } from '../../kernel/schemas.ts';

export const setExecutionName = defineTool({
  name: 'os.set_execution_name',
  summary: 'Names the execution that this run is part of.',
  description:
    'Gives the execution (this run, what led to it and what follows from it) a name that people recognise in their list. ' +
    'Call it as soon as you know what the work is about. `name`: 1 to 200 characters; runs of white space become one space. ' +
    'Answers the name as stored. Calling it again replaces the name: the last one stands.',
  effect: 'write',
  retry: 'idempotent',
  calledBy: ['run', 'api'],
  routes: [{ method: 'POST', path: '/v1/runs/self/execution-name', scope: 'run:self' }],
  arguments: 'strict',
  input: z.strictObject({ name: label.describe('What the work is about, in a few words.') }),
  output: z.strictObject({ name: z.string() }),
  errors: {},
  where: 'database',
  sideEffects: ['The execution has the name from now on.'],
  examples: [{ arguments: { name: 'Weekly plan, week 12' }, result: { name: 'Weekly plan, week 12' } }],
  handler: async ({ tx, enterpriseId, run }, { name }) => {
    tx.emit({ enterpriseId, topic: 'RUN', kind: 'LABELLED', runId: run!.id });
    return nameExecution(tx, enterpriseId, run!.executionId, name);
  },
});
