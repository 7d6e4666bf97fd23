import { setSpend } from '../../src/domain/company/switches.ts';
import { type Kernel, TIMING } from '../../src/kernel/kernel.ts';
import { graphql } from '../support/graphql-client.ts';
import { tryInvoke } from './harness/calls.ts';
import { type Claimed, Company } from './harness/company.ts';
import { type Asked, Findings, percentile, type Result } from './harness/property.ts';
import { onStage } from './harness/stage.ts';
import { range } from './harness/wait.ts';

export const name = 'P42';
export const claim = 'a company with very many runs, whose spending is switched, stops neither another one nor itself';
export const sizes = { small: 300, full: 20_000 };

const TASKS = [
  { slug: 'one', tools: ['os.set_context'], maxConcurrency: 1, contextPrefixes: ['k/'] },
  { slug: 'many', tools: ['os.set_context'] },
];

/** How far behind a neighbour may fall in a test run, whose machine is shared: only what waits for a timeout is slower. */
const HANG = 5_000;

/** One company with `size` pending runs, a quarter as many paused and failed ones, and 800 keys of context; the other calls beside it. */
export async function run(asked: Asked): Promise<Result> {
  return onStage({}, async (stage) => {
    const findings = new Findings();
    const [large, small] = [await Company.found(stage, TASKS), await Company.found(stage, TASKS)];
    const samples = asked.size >= 5_000 ? 400 : 20;
    const its = await small.run('many');
    await neighbour(small, its, samples, findings, 'warm'); // what is made once is made
    const alone = percentile(await neighbour(small, its, samples, findings, 'alone'), 0.99);
    await burden(large, asked.size);
    const load = new Load(large, findings);
    const beside = percentile(await neighbour(small, its, samples, findings, 'beside'), 0.99);
    const acts = await load.end();
    const most = asked.timed ? 3 * alone : 3 * alone + HANG;
    findings.check(beside <= most, 'the p99 of the other company', { alone, beside });
    findings.check(acts > 0, 'the acts of the large company', acts);
    const found = `p99 of the other company ${Math.round(alone)} ms alone, ${Math.round(beside)} ms beside ${asked.size} pending runs and ${acts} acts; 0 errors`;
    return findings.result(name, asked, '0 errors, the p99 of the other company within 3x of its own alone', found);
  });
}

/** The times of a call and a read of the other company, in milliseconds. */
async function neighbour({ stage, ceo }: Company, { token }: Claimed, samples: number, findings: Findings, mark: string) {
  const times: number[] = [];
  for (const index of range(samples)) {
    const url = stage.urls[index % 2]!;
    const begun = performance.now();
    const asking = { toolCallId: `${mark}-${index}`, tool: 'os.set_context', arguments: { key: 'k/0', value: index } };
    const [call, read] = [
      await tryInvoke(url, token, asking),
      await graphql(url, ceo.secret, '{ runs(first: 5) { nodes { id status } } }'),
    ];
    times.push(performance.now() - begun);
    findings.check(call.data?.invokeTool.status === 'SUCCEEDED' && !read.errors, 'a call of the other company', { call, read });
  }
  return times;
}

/** Its worst legal states, made behind the service's back. */
async function burden(company: Company, size: number): Promise<void> {
  const { stage, enterpriseId } = company;
  await company.start('one');
  const make = (status: string, many: number, more: string, values: string) =>
    stage.db.query({
      text: `INSERT INTO "Run" ("id", "enterpriseId", "taskId", "taskVersion", "executionId", "status", "input", ${more})
        SELECT gen_random_uuid(), t."enterpriseId", t."id", 1, x."id", $2::"RunStatus", '{}', ${values}
        FROM "Task" t, (SELECT "id" FROM "Execution" WHERE "enterpriseId" = $1 LIMIT 1) x, generate_series(1, $3)
        WHERE t."enterpriseId" = $1 AND t."slug" = 'one'`,
      values: [enterpriseId, status, many],
    });
  await make('PENDING', size, '"createdAt"', 'now()');
  await make('PAUSED', size / 4, '"blockClass", "haltedAt"', `'spend_limit', now()`);
  await make('FAILED', size / 4, '"failureCode", "finishedAt"', `'broken', now()`);
  await stage.db.query({
    text: `INSERT INTO "ContextEntry" ("enterpriseId", "key", "value")
      SELECT $1, 'k/' || n, to_jsonb(repeat('x', 16000)) FROM generate_series(1, 800) n`,
    values: [enterpriseId],
  });
}

/** What the large company does meanwhile: ten lanes start, claim and finish, and the operator switches its spending. */
class Load {
  readonly #company: Company;
  readonly #findings: Findings;
  readonly #lanes: Promise<void>[];
  #over = false;
  #acts = 0;

  constructor(company: Company, findings: Findings) {
    this.#company = company;
    this.#findings = findings;
    this.#lanes = [...range(10).map((lane) => this.#lane(lane % 2 === 0 ? 'one' : 'many', company.stage.urls[lane % 2]!)), this.#switch()];
  }

  async end(): Promise<number> {
    this.#over = true;
    await Promise.all(this.#lanes);
    return this.#acts;
  }

  async #lane(task: string, url: string) {
    while (!this.#over) {
      await this.#ask(url, 'mutation ($input: StartRunInput!) { startRun(input: $input) { id } }', { task });
      const claim = 'mutation ($input: ClaimRunInput!) { claimRun(input: $input) { run { id attempt } } }';
      const run = (await this.#ask(url, claim, { worker: 'w', tasks: [task] }))?.claimRun?.run;
      if (!run) continue;
      const end = { runId: run.id, attempt: run.attempt, outcome: 'done' };
      await this.#ask(url, 'mutation ($input: FinishRunInput!) { finishRun(input: $input) { id } }', end);
    }
  }

  async #ask(url: string, query: string, input: object): Promise<any> {
    const { data, errors } = await graphql(url, this.#company.worker.secret, query, { input });
    this.#findings.check(!errors, 'an act of the large company', errors);
    this.#acts++;
    return data;
  }

  async #switch() {
    const operator = { db: this.#company.stage.db, now: () => new Date(), timing: TIMING, log: console } as unknown as Kernel;
    for (let on = false; !this.#over || on; on = !on) await setSpend(operator, this.#company.enterpriseId, on);
  }
}
