import type { Family } from '../../kernel/define.ts';
import { listBuiltInTools } from './list-built-in-tools.ts';

export const planning: Family = {
  title: 'Planning',
  page: 'OS',
  intro: 'What a run needs to plan the company: what there is, and what may be built of it.',
  tools: [listBuiltInTools],
};
