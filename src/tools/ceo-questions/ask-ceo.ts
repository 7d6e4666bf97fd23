import { z } from 'zod';
import { defineTool } from '../../kernel/define.ts';

const text = z
  .string()
  .min(1)
  .max(10_000)
  .refine((value) => value.trim() !== '', { error: 'must not be blank' });

const Question = z.strictObject({
  number: z.int().min(1).max(50).describe('1, 2, 3 … in order.'),
  question: text.describe('One question, answerable on its own.'),
  context: text.describe('What the CEO has to know to answer it.'),
  ctoRecommendation: text.describe('The answer you recommend, and why.'),
});

const inOrder = (questions: { number: number }[]) => questions.every(({ number }, index) => number === index + 1);

export const askCeo = defineTool({
  name: 'os.ask_ceo',
  summary: 'Asks the CEO questions; the answers end this run and start what follows.',
  description:
    'Call this when the work cannot go on without decisions that are the CEO’s. The call waits, and the CEO’s answer ends this run: ' +
    'finish everything else first. `questions`: at least one, numbered 1, 2, 3 … in order, each with `question`, `context` and ' +
    '`ctoRecommendation`, none empty. `context`: what concerns them all. The CEO accepts a recommendation, answers in own words or asks ' +
    'for an explanation, per question; the next task finds `ceoAnswers` (number, kind, text) and `ceoNote` in its input. ' +
    'Sending the same call again finds its gate: nothing is asked twice.',
  effect: 'write',
  retry: 'idempotent',
  calledBy: ['run', 'api'],
  routes: [{ method: 'POST', path: '/v1/runs/self/ask-ceo', scope: 'run:self' }],
  arguments: 'strict',
  input: z.strictObject({
    questions: z
      .array(Question)
      .min(1)
      .max(50)
      .refine(inOrder, { error: 'must be numbered 1, 2, 3 … in order' })
      .describe('The questions, at least one.'),
    context: z.string().max(20_000).optional().describe('What concerns all the questions.'),
  }),
  output: z.strictObject({
    ceoAnswers: z.array(z.strictObject({ number: z.int32(), kind: z.enum(['accept', 'answer', 'explain']), text: z.string().nullable() })),
    ceoNote: z.string().nullable(),
  }),
  errors: {},
  where: 'database',
  gate: {
    canRequestChanges: false,
    questions: ({ questions }) => questions.map(({ number }) => number),
    approved: (_, { answers, note }) => ({
      ceoAnswers: answers.map(({ number, kind, text }) => ({ number, kind: kind.toLowerCase(), text })).sort((a, b) => a.number - b.number),
      ceoNote: note,
    }),
  },
  sideEffects: ['Opens a gate for the CEO; its decision ends the run.'],
  examples: [
    {
      arguments: {
        questions: [
          {
            number: 1,
            question: 'Do we show the red kite first?',
            context: 'Two designs are ready.',
            ctoRecommendation: 'Yes: it sold best.',
          },
        ],
      },
      result: { ceoAnswers: [{ number: 1, kind: 'accept', text: null }], ceoNote: null },
    },
  ],
  handler: async () => {
    throw new Error('os.ask_ceo is answered by its gate');
  },
});
