import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { MOST_CHARACTERS } from '../../kernel/call-row.ts';
import { defineTool } from '../../kernel/define.ts';

const store = statement<{ summary: string }, [string, string]>(
  'set_gate_summary',
  `UPDATE "Run" SET "gateSummary" = $2, "summaryGateId" = NULL WHERE "id" = $1 RETURNING "gateSummary" AS "summary"`,
);

/** What is stored is answered, so it must fit in an answer. */
const MOST_OF_JSON = MOST_CHARACTERS - 100;

const Summary = z
  .string()
  .min(1)
  .max(20_000)
  .refine((text) => JSON.stringify(text).length <= MOST_OF_JSON, {
    error: `must have at most ${MOST_OF_JSON} characters as JSON, where a quote or a line break takes two: shorten it`,
  });

export const setGateSummary = defineTool({
  name: 'os.set_gate_summary',
  summary: 'Writes what the decider of this run’s next gate reads first.',
  description:
    'Call this before a call that a person has to decide on: say in Markdown what will happen, why, and what to look at. ' +
    '`summary`: 1 to 20,000 characters, and at most 24,900 as JSON. It is shown beside the next gate of this run, whatever its tool, and beside no later one: ' +
    'only a call that was sent back with changes keeps it when it is made again. ' +
    'Answers the summary as stored. Calling it again replaces it for gates still to open; an open gate keeps the one it has.',
  effect: 'write',
  retry: 'idempotent',
  calledBy: ['run', 'api'],
  routes: [{ method: 'POST', path: '/v1/runs/self/gate-summary', scope: 'run:self' }],
  arguments: 'strict',
  input: z.strictObject({ summary: Summary.describe('Markdown, for the person who decides.') }),
  output: z.strictObject({ summary: z.string() }),
  errors: {},
  where: 'database',
  sideEffects: ['The next gate of this run copies the summary; it is shown on the run too.'],
  examples: [{ arguments: { summary: '- publishes the plan of week 12' }, result: { summary: '- publishes the plan of week 12' } }],
  handler: async ({ tx, enterpriseId, run }, { summary }) => {
    tx.emit({ enterpriseId, topic: 'RUN', kind: 'LABELLED', runId: run!.id });
    return (await tx.query(store(run!.id, summary)))[0]!;
  },
});
