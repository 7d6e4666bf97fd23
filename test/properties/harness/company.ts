import { v7 } from 'uuid';
import { SCOPES, type Scope } from '../../../src/auth/scopes.ts';
import { issueToken, type NewToken } from '../../../src/auth/tokens.ts';
import { addPerson } from '../../../src/domain/company/add-person.ts';
import { createEnterprise } from '../../../src/domain/company/create-enterprise.ts';
import { families } from '../../../src/tools/families.ts';
import { graphqlData } from '../../support/graphql-client.ts';
import type { Stage } from './stage.ts';
import { eventually } from './wait.ts';

export interface Credential {
  id: string;
  secret: string;
}

/** A run that was claimed. */
export interface Claimed {
  id: string;
  token: string;
  attempt: number;
}

/** What a task of a property declares; it runs as often at once as a trial likes. */
export interface TaskDraft {
  slug: string;
  tools: string[];
  gates?: { tool: string; timeoutMinutes?: number }[];
  successors?: { outcome: string; task: string }[];
  maxConcurrency?: number;
  contextPrefixes?: string[];
}

const TEST_ONLY = ['ledger.post', 'ledger.put', 'probe.add', 'probe.act', 'probe.sign', 'probe.hold'];

/** What only tasks of the system itself may declare. */
const OS_OWNED = ['os.read_enterprise'];

/** Every built-in tool that a run may call, and the test-only ones. */
export const FREE_TOOLS = [
  ...families.flatMap(({ tools }) => tools.filter(({ calledBy }) => calledBy.includes('run')).map(({ name }) => name)),
  ...TEST_ONLY,
].filter((name) => !OS_OWNED.includes(name));

const GATED = ['os.set_context', 'ledger.put', 'ledger.post', 'probe.act', 'probe.add'];

/** `free` gates nothing; `gated` has a gate on whatever acts, in our database or outside; `stage` is followed by `free`. */
export const TASKS: TaskDraft[] = [
  { slug: 'free', tools: FREE_TOOLS },
  { slug: 'gated', tools: FREE_TOOLS, gates: GATED.map((tool) => ({ tool })) },
  { slug: 'stage', tools: FREE_TOOLS, successors: [{ outcome: 'next', task: 'free' }] },
];

/** An enterprise on a stage, and everybody's credentials. */
export class Company {
  private constructor(
    readonly stage: Stage,
    readonly enterpriseId: string,
    readonly ceoId: string,
    readonly ceo: Credential,
    readonly worker: Credential,
  ) {}

  static async found(stage: Stage, tasks: TaskDraft[] = TASKS): Promise<Company> {
    const { prisma } = stage.db;
    const now = new Date();
    const wanted = { name: `Kites ${v7()}`, timezone: 'UTC', ceo: { name: 'Cleo Example', email: 'cleo@kites.example' } };
    const { enterpriseId, ceoId } = await createEnterprise(prisma, now, wanted);
    const issue = (token: Omit<NewToken, 'enterpriseId' | 'createdAt'>) => issueToken(stage.db, { ...token, enterpriseId, createdAt: now });
    const ceo = await issue({ kind: 'SESSION', name: 'CEO', personId: ceoId });
    const worker = await issue({ kind: 'API_TOKEN', name: 'worker', scopes: SCOPES, personId: ceoId });
    const company = new Company(stage, enterpriseId, ceoId, ceo, worker);
    for (const task of tasks) await company.saveTask(task);
    return company;
  }

  issue(token: Omit<NewToken, 'enterpriseId' | 'createdAt'>): Promise<Credential> {
    return issueToken(this.stage.db, { ...token, enterpriseId: this.enterpriseId, createdAt: new Date() });
  }

  token(name: string, scopes: Scope[], personId = this.ceoId): Promise<Credential> {
    return this.issue({ kind: 'API_TOKEN', name, scopes, personId });
  }

  addPerson(name: string): Promise<string> {
    const { enterpriseId, stage } = this;
    return addPerson(stage.db.prisma, new Date(), { enterpriseId, name, email: `${v7()}@kites.example` });
  }

  async saveTask(task: TaskDraft): Promise<void> {
    const input = { name: task.slug, goal: 'To be tried.', maxConcurrency: 1_000, ...task };
    const query = 'mutation ($input: SaveTaskInput!) { saveTask(input: $input) { errors { code field message } } }';
    const { saveTask } = await graphqlData(this.stage.urls[0]!, this.ceo.secret, query, { input });
    if (saveTask.errors.length > 0) throw new Error(`The task ${task.slug} is not saved: ${JSON.stringify(saveTask.errors)}`);
  }

  /** Starts a run of a task of its own kind and claims one of them. */
  async run(task = 'free', input: Record<string, unknown> = {}, url = this.stage.urls[0]!): Promise<Claimed> {
    await this.start(task, input, url);
    return eventually(`run of ${task} to claim`, () => this.claim(task, url));
  }

  async start(task = 'free', input: Record<string, unknown> = {}, url = this.stage.urls[0]!): Promise<string> {
    const query = 'mutation ($input: StartRunInput!) { startRun(input: $input) { id } }';
    return (await graphqlData(url, this.worker.secret, query, { input: { task, input } })).startRun.id;
  }

  /** The next run of the task, or undefined when there is none to hand out. */
  async claim(task = 'free', url = this.stage.urls[0]!): Promise<Claimed | undefined> {
    const query = 'mutation ($input: ClaimRunInput!) { claimRun(input: $input) { token run { id attempt } } }';
    const { claimRun } = await graphqlData(url, this.worker.secret, query, { input: { worker: 'w', tasks: [task] } });
    return claimRun ? { ...claimRun.run, token: claimRun.token } : undefined;
  }

  /** A run of `stage` that failed, for the moves. */
  async failedRun(): Promise<string> {
    const run = await this.run('stage');
    await this.fail(run);
    return run.id;
  }

  async fail({ id, token }: Claimed): Promise<void> {
    const query = 'mutation ($input: FailRunInput!) { failRun(input: $input) { id } }';
    await graphqlData(this.stage.urls[0]!, token, query, { input: { runId: id, code: 'broken', reason: 'It broke.' } });
  }

  async cancel({ id }: Claimed, url = this.stage.urls[0]!): Promise<void> {
    const query = 'mutation ($input: CancelRunInput!) { cancelRun(input: $input) { id } }';
    await graphqlData(url, this.ceo.secret, query, { input: { runId: id } });
  }

  /** Many runs at once. */
  async runs(count: number, task = 'free'): Promise<Claimed[]> {
    const claimed: Claimed[] = [];
    for (let left = count; left > 0; left -= 8) {
      const urls = this.stage.urls;
      const some = Array.from({ length: Math.min(8, left) }, (_, index) => this.run(task, {}, urls[index % urls.length]));
      claimed.push(...(await Promise.all(some)));
    }
    return claimed;
  }
}
