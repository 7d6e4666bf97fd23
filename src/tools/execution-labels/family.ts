import type { Family } from '../../kernel/define.ts';
import { addExecutionLink } from './add-execution-link.ts';
import { setExecutionName } from './set-execution-name.ts';

export const executionLabels: Family = {
  title: 'Execution labels',
  page: 'OS',
  intro: 'What people see of an execution in their lists.',
  tools: [setExecutionName, addExecutionLink],
};
