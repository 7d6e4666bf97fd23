import { graphqlData } from '../support/graphql-client.ts';
import { type Asking, decided, insist } from './harness/calls.ts';
import { type Claimed, Company } from './harness/company.ts';
import { approval, HELD, openGate, rejection } from './harness/gates.ts';
import { Inbox } from './harness/inbox.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { sharedStage } from './harness/stage.ts';
import { eventually, range } from './harness/wait.ts';

export const name = 'P13';
export const claim = 'every end of a gate wakes its run and takes the card off every view';
export const sizes = { small: 120, full: 10_000 };

const LANES = 4;
const SLOTS = 5;
const ENDS = ['approve', 'reject', 'request changes', 'edit', 'expire', 'cancel'] as const;

/** A place for one run after another, its last call, and the gate that it waits on. */
interface Slot {
  run?: Claimed | undefined;
  asking?: Asking;
  card?: Awaited<ReturnType<typeof openGate>>['card'] | undefined;
}

interface Trial {
  company: Company;
  random: Random;
  inbox: Inbox;
  /** When each gate was answered to have ended. */
  ended: Map<string, number>;
  count: number;
}

/** Ends the gate of a slot in one of the ways, and notes when the answer came. */
async function end(trial: Trial, slot: Slot, url: string) {
  const { company, random, ended } = trial;
  const card = slot.card!;
  const secret = company.ceo.secret;
  const asks = card.tool === 'os.ask_ceo';
  let way = random.pick(ENDS);
  if (asks && (way === 'request changes' || way === 'edit')) way = 'reject';
  if (way === 'approve') await decided(url, secret, approval(card));
  if (way === 'reject') await decided(url, secret, rejection(card));
  if (way === 'request changes') await decided(url, secret, { ...rejection(card), decision: 'REQUEST_CHANGES' });
  if (way === 'edit') {
    const change = card.tool === 'os.set_context' ? { value: 2 } : card.tool === 'probe.add' ? { text: 'x' } : { amount: 2 };
    await decided(url, secret, { ...approval(card), editedPayload: { ...card.payload, ...change } });
  }
  if (way === 'cancel') await company.cancel(slot.run!, url);
  if (way === 'expire') await expire(company, card.id);
  ended.set(card.id, performance.now());
  slot.card = undefined;
  if (asks || way === 'cancel') slot.run = undefined;
}

async function expire({ stage }: Company, id: string) {
  await stage.db.prisma.gate.updateMany({ where: { id }, data: { timesOutAt: new Date() } });
  await eventually('time-out of a gate', async () => (await stage.db.prisma.gate.findFirst({ where: { id } }))?.status === 'EXPIRED');
}

async function operate(trial: Trial, slot: Slot, operations: number) {
  const { company, random } = trial;
  for (let left = operations; left > 0; left--) {
    const url = random.pick(company.stage.urls);
    if (slot.card) await end(trial, slot, url);
    else await open(trial, slot, url);
    const run = slot.run;
    if (run && !slot.card) await settled(company, run);
  }
}

/** The next call of a run, made as a harness does: once the one before it has been answered. */
async function open(trial: Trial, slot: Slot, url: string) {
  if (slot.run) await insist(() => [url], slot.run.token, slot.asking!);
  const mark = `p13-${trial.company.enterpriseId}-${trial.count++}`;
  const opened = await openGate(trial.company, trial.random.pick(HELD), mark, slot.run, url);
  slot.run = opened.run;
  slot.asking = opened.asking;
  slot.card = opened.card;
}

const settled = ({ stage }: Company, { id }: Claimed) =>
  eventually('run that goes on', async () => (await stage.db.prisma.run.findFirst({ where: { id } }))?.status === 'RUNNING');

/** The three views, by the runs that wait in them. */
async function views({ stage, ceo }: Company, index: number) {
  const query = '{ openGates(first: 200) { totalCount nodes { id run { id } } } osListOpenGates { runId } }';
  const { openGates, osListOpenGates } = await graphqlData(stage.urls[index % 2]!, ceo.secret, query);
  return {
    badge: openGates.totalCount as number,
    inbox: openGates.nodes.map((gate: any) => gate.id).sort() as string[],
    cards: openGates.nodes.map((gate: any) => gate.run.id).sort() as string[],
    listed: osListOpenGates.map((gate: any) => gate.runId).sort() as string[],
  };
}

/** `size` random operations on some runs at once, and the views compared after each part of them. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const company = await Company.found(stage);
  const findings = new Findings();
  const inbox = await Inbox.open(stage.urls[1]!, company.ceo.secret);
  const trial: Trial = { company, random: new Random(asked.seed), inbox, ended: new Map(), count: 0 };
  const slots: Slot[] = range(LANES * SLOTS).map(() => ({}));
  const part = Math.max(2, Math.ceil(Math.min(asked.size, 500) / slots.length / 2));
  const parts = Math.ceil(asked.size / (part * slots.length));
  for (let index = 0; index < parts; index++) {
    await Promise.all(
      range(LANES).map(async (lane) => {
        for (const slot of slots.slice(lane * SLOTS, (lane + 1) * SLOTS)) await operate(trial, slot, part);
      }),
    );
    const waiting = slots.flatMap(({ run, card }) => (card ? [run!.id] : [])).sort();
    const seen = await views(company, index);
    findings.same([seen.badge, seen.cards, seen.listed], [waiting.length, waiting, waiting], 'the views differ');
    const live = await eventually('live inbox like the list', () => inbox.waiting.join() === seen.inbox.join(), 30_000).catch(String);
    findings.check(live === true, 'the live inbox differs', { live: inbox.waiting, listed: seen.inbox });
  }
  await eventually('wake of every run', () => [...trial.ended.keys()].every((id) => inbox.woken.has(id)), 30_000).catch((error) =>
    findings.check(false, 'a run was not woken', String(error)),
  );
  await inbox.close();
  const slowest = Math.round(Math.max(0, ...[...trial.ended].map(([id, at]) => (inbox.woken.get(id) ?? Number.POSITIVE_INFINITY) - at)));
  if (asked.timed) findings.check(slowest <= 2_000, 'woken late', slowest);
  const found = `${part * parts * slots.length} operations, ${trial.ended.size} ends: all views agree, slowest wake ${slowest} ms`;
  return findings.result(name, asked, 'every end wakes within 2 s; list_open_gates = live inbox = badge', found);
}
