import { z } from 'zod';
import { ceoName, type OpenGate as Gate, oldestOpenGates, openGates, openGatesTotal } from '../../domain/gate/open-gates.ts';
import { defineTool } from '../../kernel/define.ts';
import { noArguments } from '../../kernel/schemas.ts';
import { shorten, shortenText } from '../../kernel/shorten.ts';
import { fitList, mostRows } from './fit-rows.ts';

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
  more: z.int32().optional().describe('To a run, on the last row: how many newer gates are left out.'),
});

type Row = z.infer<typeof OpenGate>;

export const listOpenGates = defineTool({
  name: 'os.list_open_gates',
  summary: 'Lists every gate of the company that waits for a decision.',
  description:
    'Shows what is waiting for a person, oldest first: the run, its task, the tool, who decides, the payload, the summary if one was ' +
    'written, since when (`age` in seconds), when it times out, and whether it can be sent back with changes. Takes no arguments. ' +
    'Where the list would be too long for a run, its texts are shortened and large payloads are told by their beginning as text; failing that, ' +
    'the newest gates are left out, and `more` on the last row counts them. It decides nothing and changes nothing.',
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
  handler: async ({ tx, enterpriseId, now, run }) => {
    const owner = await ceoName(tx, enterpriseId);
    const told = (gate: Gate) => rowOf(gate, owner, now);
    if (!run) return (await openGates(tx, enterpriseId)).map(told);
    const most = mostRows(200);
    const oldest = await oldestOpenGates(tx, enterpriseId, most);
    const total = oldest.length < most ? oldest.length : await openGatesTotal(tx, enterpriseId);
    return fitList({ rows: oldest.map(told), total, cut: cutRow }) as Row[];
  },
});

const rowOf = ({ summary, createdAt, timesOutAt, ...gate }: Gate, owner: string | null, now: Date): Row => ({
  ...gate,
  owner,
  ...(summary !== null && { summary }),
  createdAt: createdAt.toISOString(),
  age: Math.max(0, Math.floor((now.getTime() - createdAt.getTime()) / 1_000)),
  timesOutAt: timesOutAt?.toISOString() ?? null,
});

/** A payload may be large without long texts: then its beginning stands for it. */
function cutRow(row: Row, most: number) {
  const cut = shorten(row, most) as Row;
  const payload = JSON.stringify(cut.payload);
  return payload.length <= 10 * most ? cut : { ...cut, payload: shortenText(payload, most) };
}
