import { columns } from '../../db/columns.ts';
import type { Queryable } from '../../db/database.ts';
import type { ModelTier, Team } from '../../db/generated/client.ts';
import { statement } from '../../db/statement.ts';
import type { Registry } from '../../kernel/registry.ts';
import { type CurrentTask, type TaskDefinitionProblem, taskDefinitionProblems } from './task-problems.ts';

/** A tier of models that tasks want and the enterprise has no key for. */
export interface MissingModelTier {
  tier: string;
  /** The slugs of the tasks that want it. */
  tasks: string[];
}

/** A tier of models whose capacity is used up for now. */
export interface ExhaustedCapacity {
  tier: string;
  until: Date;
}

/** A task whose success nobody measures. */
export interface TaskWithoutMetric {
  taskId: string;
  task: string;
  name: string;
}

/** A team that should have looked back by now. */
export interface OverdueRetro {
  team: Pick<Team, 'id' | 'name' | 'slug'>;
  everyDays: number;
  lastAt: Date | null;
  dueAt: Date;
}

interface Switches {
  spendEnabled: boolean;
  draining: boolean;
}

const selectSwitches = statement<Switches, [string]>(
  'enterprise_switches',
  `SELECT "spendEnabled", "draining" FROM "Enterprise" WHERE "id" = $1`,
);

const selectTasks = statement<CurrentTask, [string]>(
  'current_tasks',
  `SELECT ${columns('TaskVersion', 'v')}, t."slug" FROM "Task" t JOIN "TaskVersion" v ON v."taskId" = t."id" AND v."version" = t."latestVersion"
   WHERE t."enterpriseId" = $1 AND t."archivedAt" IS NULL ORDER BY t."slug"`,
);

const selectTeams = statement<Team, [string]>('all_teams', `SELECT ${columns('Team')} FROM "Team" WHERE "enterpriseId" = $1 ORDER BY "id"`);

const selectTiers = statement<ModelTier, [string]>(
  'model_tiers',
  `SELECT ${columns('ModelTier')} FROM "ModelTier" WHERE "enterpriseId" = $1 ORDER BY "tier"`,
);

const DAY = 86_400_000;

/** What of Blockers is no run, read from the records as it is asked for; one statement a table, whatever is asked. */
export class CompanyBlockers {
  readonly #db: Queryable;
  readonly #enterpriseId: string;
  readonly #now: Date;
  readonly #read = new Map<object, Promise<unknown[]>>();

  constructor(db: Queryable, enterpriseId: string, now: Date) {
    this.#db = db;
    this.#enterpriseId = enterpriseId;
    this.#now = now;
  }

  async switches(): Promise<Switches> {
    return (await this.#once(selectSwitches))[0]!;
  }

  async missingModelTiers(): Promise<MissingModelTier[]> {
    const tasks = await this.#once(selectTasks);
    const held = new Set((await this.#once(selectTiers)).filter(({ hasKey }) => hasKey).map(({ tier }) => tier));
    const wanted = new Set(tasks.flatMap(({ modelTier }) => (modelTier && !held.has(modelTier) ? [modelTier] : [])));
    return [...wanted].sort().map((tier) => ({ tier, tasks: tasks.filter((task) => task.modelTier === tier).map(({ slug }) => slug) }));
  }

  async exhaustedLlmCapacity(): Promise<ExhaustedCapacity[]> {
    const tiers = await this.#once(selectTiers);
    return tiers.flatMap(({ tier, exhaustedUntil }) =>
      exhaustedUntil && exhaustedUntil > this.#now ? [{ tier, until: exhaustedUntil }] : [],
    );
  }

  async taskDefinitionProblems(registry: Registry): Promise<TaskDefinitionProblem[]> {
    return taskDefinitionProblems(registry, await this.#once(selectTasks));
  }

  async missingLead(): Promise<Pick<Team, 'id' | 'name' | 'slug'>[]> {
    return (await this.#once(selectTeams)).filter(({ leadId }) => leadId === null).map(brief);
  }

  async missingMetric(): Promise<TaskWithoutMetric[]> {
    const tasks = await this.#once(selectTasks);
    return tasks.filter(({ metric }) => !metric?.trim()).map(({ taskId, slug, name }) => ({ taskId, task: slug, name }));
  }

  async overdueRetro(): Promise<OverdueRetro[]> {
    const teams = await this.#once(selectTeams);
    return teams.flatMap((team) => {
      if (team.retroEveryDays === null) return [];
      const dueAt = new Date((team.lastRetroAt ?? team.createdAt).getTime() + team.retroEveryDays * DAY);
      return dueAt < this.#now ? [{ team: brief(team), everyDays: team.retroEveryDays, lastAt: team.lastRetroAt, dueAt }] : [];
    });
  }

  #once<Row>(select: (enterpriseId: string) => { readonly row?: Row } & Parameters<Queryable['query']>[0]): Promise<Row[]> {
    const read = this.#read.get(select) ?? this.#db.query(select(this.#enterpriseId));
    this.#read.set(select, read as Promise<unknown[]>);
    return read as Promise<Row[]>;
  }
}

const brief = ({ id, name, slug }: Team) => ({ id, name, slug });
