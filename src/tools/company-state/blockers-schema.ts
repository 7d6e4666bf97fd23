import { z } from 'zod';

const Named = z.strictObject({ id: z.string(), name: z.string() });
const Team = z.strictObject({ id: z.string(), name: z.string(), slug: z.string() });
const time = z.string();
const json = z.unknown();
const status = z.enum(['failed', 'finished', 'blocked', 'running', 'paused']);

const Escalation = z.strictObject({
  to: z.enum(['lead', 'ceo']),
  note: z.string(),
  toYou: z.boolean().optional().describe('To a run: whether it is to the run’s own member.'),
  when: time.optional().describe('To a run: when.'),
  member: Named.nullable().optional().describe('To other callers: the member whose it is now.'),
  person: Named.nullable().optional().describe('To other callers: the person whose it is now.'),
  at: time.optional().describe('To other callers: when.'),
});

/** The run as callers other than a run get it. */
const RunOfRow = z.strictObject({
  id: z.string(),
  status,
  task: Team,
  taskVersion: z.int32(),
  execution: Named,
  member: Named.nullable(),
  attempt: z.int32(),
  input: json,
  output: json,
  outcome: z.string().nullable(),
  failureCode: z.string().nullable(),
  createdAt: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
});

const Move = z.strictObject({
  kind: z.enum(['retry', 'route', 'clear', 'escalate']),
  possible: z.boolean(),
  reason: z.string().nullable().describe('Why it is not possible.'),
  targets: z.array(z.string()).describe('Of route: the slugs of the tasks that can take the work on.'),
});

const UnknownCall = z.strictObject({
  id: z.string(),
  toolCallId: z.string(),
  tool: z.string(),
  arguments: json,
  message: z.string().nullable().describe('What to look at.'),
  createdAt: time,
});

const StoppedRun = z.strictObject({
  runId: z.string().optional().describe('To a run: the id that the moves take.'),
  run: RunOfRow.optional().describe('To other callers: the run.'),
  sections: z.array(z.enum(['failed', 'stopped', 'blocked', 'stalled', 'paused'])),
  status: status.optional(),
  reason: z.string().nullable(),
  blockClass: z.string().nullable(),
  task: z.string().optional().describe('The slug of its task.'),
  team: Team.nullable().optional(),
  lead: Named.nullable().describe('Who is asked first: the team’s lead, failing that the COO.'),
  assignee: Named.nullable().optional().describe('The member who did it.'),
  repo: z.string().optional(),
  issue: json.optional(),
  pr: json.optional(),
  since: time,
  taskRetries: z.int32().describe('How many of the chain’s three retries and routes are used.'),
  escalation: Escalation.nullable(),
  moves: z.array(Move).optional().describe('To other callers: what they can do about it.'),
  outcomeUnknown: z.array(UnknownCall).optional().describe('To other callers: calls that may have happened.'),
});

const StoppedPipeline = z.strictObject({ runId: z.string(), executionId: z.string(), task: z.string(), outcome: z.string(), since: time });

const KpiHealth = z.strictObject({
  condition: z.enum(['no_key_kpi', 'no_target', 'overdue', 'light']),
  team: Team.nullable(),
  kpi: Named.nullable(),
  layer: z.enum(['company', 'team', 'role', 'task']).nullable(),
  light: z.enum(['green', 'amber', 'red']).nullable(),
  trend: z.string().nullable(),
  owner: z.string().nullable(),
});

const more = z.int32().optional().describe('To a run: how many rows more there are than one answer holds.');

/** What has stopped. One schema for all callers: what only one kind of them gets is optional. */
export const BlockersOutput = z.strictObject({
  runs: z.array(StoppedRun),
  runsMore: more,
  failedTotal: z.int32().describe('All failed runs that were not cleared, whatever the page.'),
  failedPage: z.int32(),
  pageSize: z.int32(),
  stoppedPipelines: z.array(StoppedPipeline),
  stoppedPipelinesMore: more,
  missingModelTiers: z.array(z.strictObject({ tier: z.string(), tasks: z.array(z.string()) })),
  missingModelTiersMore: more,
  exhaustedLlmCapacity: z.array(z.strictObject({ tier: z.string(), until: time })),
  exhaustedLlmCapacityMore: more,
  taskDefinitionProblems: z.array(
    z.strictObject({ taskId: z.string(), task: z.string(), code: z.string(), field: z.string(), message: z.string() }),
  ),
  taskDefinitionProblemsMore: more,
  missingLead: z.array(Team),
  missingLeadMore: more,
  missingMetric: z.array(z.strictObject({ taskId: z.string(), task: z.string(), name: z.string() })),
  missingMetricMore: more,
  overdueRetro: z.array(z.strictObject({ team: Team, everyDays: z.int32(), lastAt: time.nullable(), dueAt: time })),
  overdueRetroMore: more,
  kpiHealth: z.array(KpiHealth),
  kpiHealthMore: more,
  spendEnabled: z.boolean(),
  draining: z.boolean(),
});

export type BlockersAnswer = z.infer<typeof BlockersOutput>;
export type StoppedRunRow = BlockersAnswer['runs'][number];
