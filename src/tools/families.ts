import type { Family } from '../kernel/define.ts';
import { ceoQuestions } from './ceo-questions/family.ts';
import { companyState } from './company-state/family.ts';
import { context } from './context/family.ts';
import { executionLabels } from './execution-labels/family.ts';
import { gateSummary } from './gate-summary/family.ts';
import { planning } from './planning/family.ts';
import { unblocking } from './unblocking/family.ts';

/** Every built-in tool, in reference order. */
export const families: Family[] = [executionLabels, gateSummary, ceoQuestions, context, companyState, unblocking, planning];
