import { setSpend } from '../../src/domain/company/switches.ts';
import { type Kernel, TIMING } from '../../src/kernel/kernel.ts';
import { copyGate } from '../support/copies.ts';
import { graphql } from '../support/graphql-client.ts';
import { invoke, tryInvoke } from './harness/calls.ts';
import { type Claimed, Company } from './harness/company.ts';
import { type Asked, Findings, percentile, type Result } from './harness/property.ts';
import { onStage } from './harness/stage.ts';
import { passing, range } from './harness/wait.ts';

export const name = 'P42';
export const claim = 'a company with very many runs, whose spending is switched, stops neither another one nor itself';
export const sizes = { small: 300, full: 20_000 };

const TASKS = [
  { slug: 'one', tools: ['os.set_context'], maxConcurrency: 1, contextPrefixes: ['k/'] },
  { slug: 'many', tools: ['os.set_context'] },
  { slug: 'gated', tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] },
];

/** How far behind a neighbour may fall in a test run, whose machine is shared: only what waits for a timeout is slower. */
const HANG = 5_000;

/** How long each of the ten lanes of a busy company rests between two acts, in milliseconds: twenty acts a second in all. */
const REST = 500;

/**
 * One company with `size` pending runs, a quarter as many paused and failed ones, a twentieth as many gates that are due at once, and
 * 800 keys of context; the other one calls beside it. It works at its own pace, and then as fast as it gets answers, which takes
 * the whole machine: there the other is compared with itself beside a third company that does the same and has nothing.
 */
export async function run(asked: Asked): Promise<Result> {
  return onStage({}, async (stage) => {
    const findings = new Findings();
    const [large, small, empty] = [await Company.found(stage, TASKS), await Company.found(stage, TASKS), await Company.found(stage, TASKS)];
    const samples = asked.size >= 5_000 ? 400 : 20;
    const its = await small.run('many');
    const p99 = async (mark: string, load?: Load) => {
      const taken = percentile(await neighbour(small, its, samples, findings, mark), 0.99);
      findings.check((await load?.end()) !== 0, 'the acts of the company beside', mark);
      return Math.round(taken);
    };
    await p99('warm', new Load(empty, findings, 0)); // what is made once is made
    const alone = await p99('alone');
    const crowded = await p99('crowded', new Load(empty, findings, 0));
    await burden(large, asked.size);
    const beside = await p99('beside', new Load(large, findings, REST));
    const pressed = await p99('pressed', new Load(large, findings, 0));
    const most = (before: number) => 3 * before + (asked.timed ? 0 : HANG);
    findings.check(beside <= most(alone), 'the p99 of the other company', { alone, beside });
    findings.check(pressed <= most(crowded), 'the p99 of the other company under pressure', { crowded, pressed });
    const found = `p99 of the other company ${alone} ms alone, ${beside} ms beside ${asked.size} pending runs; under pressure ${crowded} ms beside an empty company, ${pressed} ms beside that one; 0 errors`;
    return findings.result(
      name,
      asked,
      '0 errors, the p99 of the other company within 3x of its own without what the large one has',
      found,
    );
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
  await dueGates(company, Math.ceil(size / 20));
  await stage.db.query({ text: 'ANALYZE' }); // as the server does by itself within a minute
}

/** Gates whose time runs out a second from now. */
async function dueGates(company: Company, many: number): Promise<void> {
  const { token } = await company.run('gated');
  const asking = { toolCallId: 'gated', tool: 'os.set_context', arguments: { key: 'k/0', value: 1 } };
  const { gate } = await invoke(company.stage.urls[0]!, token, asking);
  await copyGate(company.stage.db, gate!.id, many, `jsonb_build_object('timesOutAt', now() + interval '1 second')`);
}

/** What a company does meanwhile: ten lanes start, claim and finish, and the operator switches its spending. */
class Load {
  readonly #company: Company;
  readonly #findings: Findings;
  readonly #lanes: Promise<void>[];
  readonly #rest: number;
  #over = false;
  #acts = 0;

  /** `rest`: how long a lane waits between two acts, in milliseconds. */
  constructor(company: Company, findings: Findings, rest: number) {
    this.#company = company;
    this.#findings = findings;
    this.#rest = rest;
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
    this.#findings.check(!errors, 'an act of the company beside', errors);
    this.#acts++;
    await passing(this.#rest);
    return data;
  }

  async #switch() {
    const operator = { db: this.#company.stage.db, now: () => new Date(), timing: TIMING, log: console } as unknown as Kernel;
    for (let on = false; !this.#over || on; on = !on) {
      await setSpend(operator, this.#company.enterpriseId, on);
      await passing(this.#rest);
    }
  }
}
