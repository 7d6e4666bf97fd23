import { revokeToken } from '../../src/auth/tokens.ts';
import { setDraining, setSpend } from '../../src/domain/company/switches.ts';
import { personCommand } from '../../src/ops/admin-person.ts';
import { graphqlData } from '../support/graphql-client.ts';
import { codeOf } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { ACTS, type Act, DRAFT, racers, type Scene, setScene } from './harness/races.ts';
import { Random } from './harness/random.ts';
import { sharedStage } from './harness/stage.ts';
import { inFlight, passing } from './harness/wait.ts';

export const name = 'P43';
export const claim = 'after a switch was answered nothing happens that it forbids';
export const sizes = { small: 1, full: 100 };

interface Switch {
  name: string;
  turn(scene: Scene, act: Act): Promise<unknown>;
  back?(scene: Scene, act: Act): Promise<unknown>;
  /** SQL over the runs "Run" r of a scene: numbers that do not rise once the switch was answered. */
  forbidden: string[];
}

const CREATED = 'count(*)';
const HANDED_OUT = 'sum(r."attempt")';
const QUEUED = 'count(r."queuedAt")';
const FINISHED = `count(*) FILTER (WHERE r."status" = 'FINISHED')`;
const LEASES = 'coalesce(sum(extract(epoch FROM r."leaseExpiresAt")), 0)';

const save = ({ company, task }: Scene, told: object) => company.saveTask({ ...DRAFT, slug: task, ...told });
const person = ({ operator, company }: Scene, ...args: string[]) =>
  personCommand(operator, [...args, '--enterprise', company.enterpriseId]);
const archive = 'mutation ($id: ID!) { archiveTask(input: { id: $id }) { id } }';

const SWITCHES: Switch[] = [
  {
    name: 'spending off',
    turn: ({ operator, company }) => setSpend(operator, company.enterpriseId, false),
    back: ({ operator, company }) => setSpend(operator, company.enterpriseId, true),
    forbidden: [HANDED_OUT, `count(*) FILTER (WHERE r."status" = 'QUEUED')`],
  },
  {
    name: 'draining',
    turn: ({ operator, company }) => setDraining(operator, company.enterpriseId, true),
    back: ({ operator, company }) => setDraining(operator, company.enterpriseId, false),
    forbidden: [HANDED_OUT, CREATED, QUEUED],
  },
  {
    name: 'archiving',
    turn: ({ company, taskId }) => graphqlData(company.stage.urls[1]!, company.ceo.secret, archive, { id: taskId }),
    forbidden: [HANDED_OUT, CREATED, QUEUED],
  },
  {
    name: 'a spend limit',
    turn: (scene) => save(scene, { spendLimitCents: 4 }),
    forbidden: [`count(*) FILTER (WHERE r."spentCents" = 5 AND r."status" IN ('RUNNING', 'FINISHED'))`],
  },
  {
    name: 'concurrency',
    turn: (scene) => save(scene, { maxConcurrency: 1 }),
    forbidden: [`greatest(1, count(*) FILTER (WHERE r."status" IN ('QUEUED', 'RUNNING', 'WAITING')))`],
  },
  {
    name: 'revoking',
    turn: ({ operator, company: { enterpriseId }, by }) => revokeToken(operator, { operator: true, enterpriseId }, by.id),
    forbidden: [HANDED_OUT, CREATED, FINISHED, LEASES],
  },
  {
    // Only the CEO decides, and the CEO is not removed: there the office is handed over.
    name: 'removing a person',
    turn: (scene, act) => person(scene, act === 'decide' ? 'ceo' : 'remove', scene.address),
    back: async (scene, act) => act === 'decide' && person(scene, 'ceo', 'cleo@kites.example'),
    forbidden: [HANDED_OUT, CREATED, FINISHED, LEASES],
  },
];

/** Each switch against each act, `size` times, at about the same time and by several processes. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const findings = new Findings();
  const random = new Random(asked.seed);
  await inFlight(4, SWITCHES, async (one) => {
    const company = await Company.found(stage, []);
    for (const act of ACTS) for (let round = 0; round < asked.size; round++) await race(company, one, act, random, findings);
  });
  const found = `${findings.checked / 2} races of ${SWITCHES.length} switches with ${ACTS.length} acts: 0 forbidden after the answer`;
  return findings.result(name, asked, 'nothing that a switch forbids after its answer, 0 INTERNAL', found);
}

async function race(company: Company, one: Switch, act: Act, random: Random, findings: Findings) {
  const scene = await setScene(company, one.name !== 'removing a person' || act === 'decide');
  const acts = await racers(scene, act);
  const answers = acts.map((send) => send());
  await passing(random.next() * 15); // so that either comes first
  await one.turn(scene, act);
  const then = await numbers(scene, one);
  const codes = (await Promise.all(answers)).map(codeOf);
  const late = (await Promise.all(acts.map((send) => send()))).map(codeOf);
  const now = await numbers(scene, one);
  const rose = now.some((number, place) => number > then[place]!);
  findings.check(!rose, `${one.name} × ${act}`, { then, now, codes, late });
  findings.check(![...codes, ...late].includes('INTERNAL'), `${one.name} × ${act} is INTERNAL`, { codes, late });
  await one.back?.(scene, act);
}

async function numbers({ company, taskId }: Scene, { forbidden }: Switch): Promise<number[]> {
  const text = `SELECT ARRAY[${forbidden.join(', ')}]::float8[] AS "numbers" FROM "Run" r WHERE r."taskId" = $1`;
  return (await company.stage.db.query<{ numbers: number[] }>({ text, values: [taskId] }))[0]!.numbers;
}
