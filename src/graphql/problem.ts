import { builder } from './builder.ts';

export interface Problem {
  code: string;
  message: string;
  details?: unknown;
}

export const ProblemType = builder.objectRef<Problem>('Problem').implement({
  description: 'An error as data.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'The code, for programs.' }),
    message: t.exposeString('message', { description: 'What is wrong, and what is allowed.' }),
    details: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What the code’s row in the error table names.',
      resolve: ({ details }) => details,
    }),
  }),
});
