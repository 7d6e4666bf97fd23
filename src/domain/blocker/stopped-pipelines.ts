import type { StoppedRun } from './stopped-runs.ts';

/** A pipeline that went no further: the outcome of its last run is one that its task names no successor for. */
export interface StoppedPipeline {
  runId: string;
  executionId: string;
  /** The slug. */
  task: string;
  outcome: string;
  since: Date;
}

/** The stopped pipelines among stopped runs. */
export const stoppedPipelines = (runs: StoppedRun[]): StoppedPipeline[] =>
  runs
    .filter(({ sections }) => sections.includes('STOPPED'))
    .map(({ run, task, since }) => ({ runId: run.id, executionId: run.executionId, task: task.slug, outcome: run.outcome!, since }));
