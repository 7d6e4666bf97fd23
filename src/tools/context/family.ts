import type { Family } from '../../kernel/define.ts';
import { deleteContext } from './delete-context.ts';
import { getContext } from './get-context.ts';
import { setContext } from './set-context.ts';

export const context: Family = {
  title: 'Context',
  page: 'OS',
  intro: 'One store a company, shared by the runs of all its tasks.',
  tools: [setContext, getContext, deleteContext],
};
