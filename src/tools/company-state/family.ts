import type { Family } from '../../kernel/define.ts';
import { directory } from './directory.ts';
import { inspectEnterprise } from './inspect-enterprise.ts';
import { listBlockers } from './list-blockers.ts';
import { listOpenGates } from './list-open-gates.ts';

export const companyState: Family = {
  title: 'Company state',
  page: 'OS',
  intro: 'How things stand; these tools only read.',
  tools: [inspectEnterprise, directory, listBlockers, listOpenGates],
};
