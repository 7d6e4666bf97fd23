import { mayDecideGates } from '../kernel/decision-rules.ts';
import { builder } from './builder.ts';
import { GateAnswerKind, GateDecision, GateKind, GateStatus } from './enums.ts';
import { HoldsUp } from './holds-up.ts';

interface Choice {
  value: string;
  label: string;
  note?: string | null;
}

interface Answer {
  number: number;
  kind: 'ACCEPT' | 'ANSWER' | 'EXPLAIN';
  text?: string | null;
}

const GateChoice = builder.objectRef<Choice>('GateChoice').implement({
  description: 'One of the choices that a gate offers in place of approve and reject.',
  fields: (t) => ({
    value: t.exposeString('value', { description: 'What to send as `choice`.' }),
    label: t.exposeString('label', { description: 'What it says on the button.' }),
    note: t.string({ nullable: true, description: 'What the note must hold, if it must hold something.', resolve: ({ note }) => note }),
  }),
});

const GateAnswer = builder.objectRef<Answer>('GateAnswer').implement({
  description: 'The answer to one question of a gate.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'The number of the question.' }),
    kind: t.expose('kind', { type: GateAnswerKind, description: 'How it was answered.' }),
    text: t.string({ nullable: true, description: 'The decider’s own words.', resolve: ({ text }) => text }),
  }),
});

builder.prismaObject('GateVersion', {
  description: 'A payload of a gate: as it was asked, or as a person changed it.',
  select: { number: true },
  fields: (t) => ({
    number: t.exposeInt('number', { description: '1: as asked. 2: as changed.' }),
    payload: t.expose('payload', { type: 'JSON', nullable: true, description: 'The arguments of the call.' }),
    payloadHash: t.exposeString('payloadHash', { description: 'SHA-256 of the canonical JSON of {tool, payload}.' }),
    editedBy: t.relation('editedBy', { nullable: true, description: 'Who changed it; null as asked.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it came to be.' }),
  }),
});

export const Gate = builder.prismaObject('Gate', {
  description: 'A decision that a call waits for. What it shows was copied when it opened, and nothing rewrites it.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    kind: t.expose('kind', { type: GateKind, description: 'What the decision does.' }),
    status: t.expose('status', { type: GateStatus, description: 'Where it stands.' }),
    tool: t.exposeString('tool', { description: 'The dotted name of the tool.' }),
    toolCall: t.relation('toolCall', { description: 'The call that waits.' }),
    payload: t.expose('payload', { type: 'JSON', description: 'What will be executed.' }),
    payloadHash: t.exposeString('payloadHash', {
      description: 'SHA-256, lower-case hex, of the RFC 8785 canonical JSON of {tool, payload}: send it with the decision.',
    }),
    summary: t.exposeString('summary', { nullable: true, description: 'What the run wrote for whoever decides, in Markdown.' }),
    owner: t.prismaField({
      type: 'Person',
      description: 'Who decides: the CEO. Of a gate that has ended, whoever that was then.',
      select: (_args, _context, nested) => ({ owner: nested(true), decidedBy: nested(true) }),
      // Gates that ended before their owner was kept have none.
      resolve: (_query, { owner, decidedBy }, _args, { reads }) => owner ?? decidedBy ?? reads.ceo(),
    }),
    choices: t.field({
      type: [GateChoice],
      description: 'What can be chosen; none: approve or reject.',
      select: { choices: true },
      resolve: ({ choices }) => choices as unknown as Choice[],
    }),
    canRequestChanges: t.exposeBoolean('canRequestChanges', { description: 'Whether it can be sent back with changes.' }),
    mayDecide: t.boolean({
      description: 'Whether the caller may decide it now.',
      select: { status: true },
      resolve: ({ status }, _args, { caller }) => status === 'WAITING' && mayDecideGates(caller),
    }),
    run: t.relation('run', { description: 'The run that waits.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it opened.' }),
    ageSeconds: t.int({
      description: 'Whole seconds since it opened.',
      select: { createdAt: true },
      resolve: ({ createdAt }, _args, { kernel }) => Math.max(0, Math.floor((kernel.now().getTime() - createdAt.getTime()) / 1_000)),
    }),
    timesOutAt: t.expose('timesOutAt', { type: 'DateTime', nullable: true, description: 'When it expires undecided; null: never.' }),
    decision: t.expose('decision', { type: GateDecision, nullable: true, description: 'What was decided.' }),
    choice: t.exposeString('choice', { nullable: true, description: 'Which choice was taken.' }),
    decidedBy: t.relation('decidedBy', { nullable: true, description: 'Who decided.' }),
    decidedVia: t.exposeString('decidedVia', { nullable: true, description: 'Through what they decided: `session` or `token <name>`.' }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
    note: t.exposeString('note', { nullable: true, description: 'The note of the decision.' }),
    answers: t.field({
      type: [GateAnswer],
      description: 'The answers to its questions.',
      select: { answers: true },
      resolve: ({ answers }) => answers as unknown as Answer[],
    }),
    versions: t.relation('versions', { description: 'Its payloads, oldest first.', query: { orderBy: { number: 'asc' } } }),
    holdsUp: t.field({ type: HoldsUp, description: 'What waits behind it.', resolve: (gate) => ({ gateId: (gate as { id: string }).id }) }),
  }),
});

export const GateConnection = builder.connectionObject(
  {
    type: Gate,
    name: 'GateConnection',
    description: 'A page of gates.',
    fields: (t) => ({
      totalCount: t.int({
        description: 'How many there are in all.',
        resolve: (page) => (page as unknown as { totalCount: () => Promise<number> }).totalCount(),
      }),
    }),
  },
  { name: 'GateEdge', description: 'A gate in a list.' },
);
