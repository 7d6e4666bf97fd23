import type { Family } from '../../kernel/define.ts';
import { clearRun } from './clear-run.ts';
import { escalateRun } from './escalate-run.ts';
import { retryRun } from './retry-run.ts';
import { routeRun } from './route-run.ts';

export const unblocking: Family = {
  title: 'Unblocking runs',
  page: 'OS',
  intro: 'What a run can do about work that has stopped. None of these decides a gate.',
  tools: [retryRun, routeRun, clearRun, escalateRun],
};
