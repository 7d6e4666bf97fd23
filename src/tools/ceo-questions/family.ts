import type { Family } from '../../kernel/define.ts';
import { askCeo } from './ask-ceo.ts';

export const ceoQuestions: Family = {
  title: 'CEO questions',
  page: 'OS',
  intro: 'Questions that only the CEO can answer.',
  tools: [askCeo],
};
