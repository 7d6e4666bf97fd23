import { SCOPES } from '../../../src/auth/scopes.ts';
import { type Kernel, TIMING } from '../../../src/kernel/kernel.ts';
import { type GraphQLAnswer, graphql } from '../../support/graphql-client.ts';
import { invoke, QUESTIONS } from './calls.ts';
import type { Company, Credential } from './company.ts';
import { approval } from './gates.ts';

/** What a switch races. */
export const ACTS = ['start', 'claim', 'heartbeat', 'finish', 'decide'] as const;

export type Act = (typeof ACTS)[number];

/** One race: a task of its own with two active runs and two pending ones behind them, and whoever acts. */
export interface Scene {
  company: Company;
  /** For what only the operator switches: a process of its own. */
  operator: Kernel;
  task: string;
  taskId: string;
  /** Acts in the name of the person of this address, or of the CEO. */
  by: Credential;
  address: string;
}

export const DRAFT = { tools: ['os.ask_ceo'], maxConcurrency: 2 };

let made = 0;

/** Sets a scene. `ofCeo`: whoever acts does so in the CEO's name. */
export async function setScene(company: Company, ofCeo: boolean): Promise<Scene> {
  const { stage, enterpriseId } = company;
  const task = `race-${++made}`;
  await company.saveTask({ ...DRAFT, slug: task });
  const { id: taskId } = await stage.db.prisma.task.findFirstOrThrow({ where: { enterpriseId, slug: task } });
  for (let n = 0; n < 4; n++) await company.start(task);
  const personId = await company.addPerson('Sam Example');
  const { email: address } = await stage.db.prisma.person.findFirstOrThrow({ where: { id: personId } });
  const by = await company.token('racer', [...SCOPES], ofCeo ? company.ceoId : personId);
  const operator = { db: stage.db, now: () => new Date(), timing: TIMING, log: console } as unknown as Kernel;
  return { company, operator, task, taskId, by, address };
}

const ANSWERED: Record<Act, string> = { start: 'id', claim: 'run { id }', heartbeat: 'id', finish: 'id', decide: 'id' };

/** Two of the act, the second to another process: what they need is done before, each is sent when it is called. */
export async function racers({ company, task, by }: Scene, act: Act): Promise<(() => Promise<GraphQLAnswer>)[]> {
  const send = (field: string, inputs: object[]) =>
    inputs.map((input, place) => () => {
      const query = `mutation ($input: ${field[0]!.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ${ANSWERED[act]} } }`;
      return graphql(company.stage.urls[place]!, by.secret, query, { input });
    });
  if (act === 'start') return send('startRun', [{ task }, { task }]);
  if (act === 'claim') return send('claimRun', Array(2).fill({ worker: 'w', tasks: [task] }));
  const runs = [(await company.claim(task))!, (await company.claim(task))!];
  const driven = runs.map(({ id, attempt }) => ({ runId: id, attempt, spentCents: 5 }));
  if (act === 'heartbeat') return send('heartbeatRun', driven);
  if (act === 'finish')
    return send(
      'finishRun',
      driven.map((input) => ({ ...input, outcome: 'done' })),
    );
  const asking = { toolCallId: 'g', tool: 'os.ask_ceo', arguments: QUESTIONS };
  const calls = await Promise.all(runs.map(({ token }) => invoke(company.stage.urls[0]!, token, asking)));
  return send(
    'decideGate',
    calls.map(({ gate }) => approval(gate!)),
  );
}
