import type { Family } from '../../kernel/define.ts';
import { listOpenGates } from './list-open-gates.ts';

export const companyState: Family = {
  title: 'Company state',
  page: 'OS',
  intro: 'How things stand; these tools only read.',
  tools: [listOpenGates],
};
