import { z } from 'zod';
import { ceoName, openGates } from '../../domain/gate/open-gates.ts';
import { defineTool } from '../../kernel/define.ts';
import { noArguments } from '../../kernel/schemas.ts';
import { shortenTexts } from './shorten-texts.ts';

const OpenGate = z.strictObject({
  runId: z.string(),
  taskSlug: z.string(),
  toolName: z.string(),
  owner: z.string().nullable(),
  payload: z.unknown(),
  summary: z.string().optional(),
  createdAt: z.string(),
  age: z.int32(),
  timesOutAt: z.string().nullable(),
  canRequestChanges: z.boolean(),
});

export const listOpenGates = defineTool({
  name: 'os.list_open_gates',
  summary: 'Lists every gate of the company that waits for a decision.',
  description:
    'Shows what is waiting for a person, oldest first: the run, its task, the tool, who decides, the payload, the summary if one was ' +
    'written, since when (`age` in seconds), when it times out, and whether it can be sent back with changes. Takes no arguments. ' +
    'Where the list would be too long to hand over, texts in payloads are cut to 200 characters. It decides nothing and changes nothing.',
  effect: 'read',
  retry: 'safe',
  calledBy: ['run', 'api', 'mcp'],
  routes: [{ method: 'GET', path: '/v1/gates?status=waiting', scope: 'gates:read' }],
  arguments: 'none',
  input: noArguments,
  output: z.array(OpenGate),
  errors: {},
  where: 'database',
  sideEffects: [],
  examples: [{ arguments: {}, result: [] }],
  handler: async ({ tx, enterpriseId, now }) => {
    const owner = await ceoName(tx, enterpriseId);
    const gates = await openGates(tx, enterpriseId);
    return shortenTexts(
      gates.map(({ summary, createdAt, timesOutAt, ...gate }) => ({
        ...gate,
        owner,
        ...(summary !== null && { summary }),
        createdAt: createdAt.toISOString(),
        age: Math.max(0, Math.floor((now.getTime() - createdAt.getTime()) / 1_000)),
        timesOutAt: timesOutAt?.toISOString() ?? null,
      })),
    );
  },
});
