import { z } from 'zod';
import { defineTool } from '../../kernel/define.ts';
import { noArguments } from '../../kernel/schemas.ts';

export const listBuiltInTools = defineTool({
  name: 'os.list_built_in_tools',
  summary: 'Lists every built-in tool that a task can give to its runs.',
  description:
    'Call this when you write or check a task definition and need the exact names for its tools. Takes no arguments. Answers each tool that ' +
    'runs may call, in the order of the reference: `name`, `summary` (what it does, in a line), `effect` (`read` or `write`), and `gate` only ' +
    'where a task may hold the tool solely together with a gate, naming the tool that the gate goes on. Reading changes nothing.',
  effect: 'read',
  retry: 'safe',
  calledBy: ['run', 'api', 'mcp'],
  routes: [{ method: 'GET', path: '/v1/tools/built-in?callable=run', scope: 'tools:read' }],
  arguments: 'none',
  input: noArguments,
  output: z.array(
    z.strictObject({ name: z.string(), summary: z.string(), effect: z.enum(['read', 'write']), gate: z.string().optional() }),
  ),
  errors: {},
  where: 'database',
  sideEffects: [],
  examples: [
    { arguments: {}, result: [{ name: 'os.set_context', summary: 'Stores a value in the company’s shared context.', effect: 'write' }] },
  ],
  handler: async ({ registry }) =>
    registry.builtIn
      .filter(({ calledBy }) => calledBy.includes('run'))
      .map(({ name, summary, effect, requiresGateOn }) => ({ name, summary, effect, ...(requiresGateOn && { gate: requiresGateOn }) })),
});
