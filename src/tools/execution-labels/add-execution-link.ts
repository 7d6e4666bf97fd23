import { z } from 'zod';
import { addExecutionLink as addLink } from '../../domain/execution/execution-labels.ts';
import { defineTool } from '../../kernel/define.ts';
import { label } from '../../kernel/schemas.ts';

const MOST_BYTES = 2_048;

/** As the URL standard writes it: in ASCII, without blanks and line breaks. What is no URL stays as it is. */
const normal = (text: string) => (URL.canParse(text) ? new URL(text).href : text);

const url = z
  .string()
  .max(8_192)
  .overwrite(normal)
  .refine((text) => /^https?:/.test(text) && URL.canParse(text), { error: 'must be an http: or https: URL' })
  .refine((text) => text.length <= MOST_BYTES, {
    error: `must have at most ${MOST_BYTES} bytes once what is not ASCII is percent-encoded`,
  });

export const addExecutionLink = defineTool({
  name: 'os.add_execution_link',
  summary: 'Adds a link to the execution that this run is part of.',
  description:
    'Puts a link beside the execution, so that people find what this work is about or has made: an issue, a document, a page. ' +
    '`name`: its label, 1 to 200 characters; `url`: an http or https address, stored as the URL standard writes it (percent-encoded, no blanks), at most 2,048 bytes then. ' +
    'Answers the link as stored. A URL that is there already gets the new label; there is never a second entry.',
  effect: 'write',
  retry: 'idempotent',
  calledBy: ['run', 'api'],
  routes: [{ method: 'POST', path: '/v1/runs/self/execution-links', scope: 'run:self' }],
  arguments: 'strict',
  input: z.strictObject({ name: label.describe('The label people see.'), url: url.describe('Where it leads; http or https.') }),
  output: z.strictObject({ name: z.string(), url: z.string() }),
  errors: {},
  where: 'database',
  sideEffects: ['The link is shown on the execution and on its runs.'],
  examples: [
    {
      arguments: { name: 'Plan of week 12', url: 'https://docs.kites.example/plans/12' },
      result: { name: 'Plan of week 12', url: 'https://docs.kites.example/plans/12' },
    },
  ],
  handler: async ({ tx, enterpriseId, run, now }, link) => {
    tx.emit({ enterpriseId, topic: 'RUN', kind: 'LABELLED', runId: run!.id });
    return addLink(tx, { enterpriseId, executionId: run!.executionId }, link, now);
  },
});
