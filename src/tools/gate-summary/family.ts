import type { Family } from '../../kernel/define.ts';
import { setGateSummary } from './set-gate-summary.ts';

export const gateSummary: Family = {
  title: 'Gate summary',
  page: 'OS',
  intro: 'What a run tells the person who decides on its next call.',
  tools: [setGateSummary],
};
