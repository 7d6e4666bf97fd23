import { builder } from './builder.ts';
import { isId, type PageArgs, pageArgs, paged } from './connection.ts';

const AuditEntry = builder.prismaObject('AuditEntry', {
  description: 'Something that somebody did: decided, saved, revoked, started a session.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was done.' }),
    person: t.relation('person', { nullable: true, description: 'Who did it, or whose token; null: the operator, or a run.' }),
    via: t.exposeString('via', { description: 'Through what: `session`, `token <name>`, `chat`, `run <id>`, `operator`.' }),
    action: t.exposeString('action', { description: 'What was done, subject first: `gate.decided`.' }),
    subjectId: t.exposeID('subjectId', { description: 'The id of what it was done to.' }),
    details: t.expose('details', { type: 'JSON', nullable: true, description: 'More, for programs.' }),
  }),
});

const AuditEntryConnection = builder.connectionObject(
  { type: AuditEntry, name: 'AuditEntryConnection', description: 'A page of the audit log.' },
  { name: 'AuditEntryEdge', description: 'An act in a list.' },
);

const AuditFilter = builder.inputType('AuditFilter', {
  description: 'Which acts: what is given must all hold.',
  fields: (t) => ({
    action: t.stringList({ description: 'One of these actions.' }),
    person: t.id({ description: 'By this person.' }),
    subject: t.id({ description: 'On this object.' }),
    doneAfter: t.field({ type: 'DateTime', description: 'Done after this time.' }),
    doneBefore: t.field({ type: 'DateTime', description: 'Done before this time.' }),
  }),
});

type Filter = typeof AuditFilter.$inferInput;

/** Null: no act can fit. */
function fitting({ action, person, subject, doneAfter, doneBefore }: Filter) {
  if ([person, subject].some((id) => typeof id === 'string' && !isId(id))) return null;
  return {
    ...(action && { action: { in: [...action] } }),
    ...(person && { personId: person }),
    ...(subject && { subjectId: subject }),
    AND: [doneAfter ? { at: { gt: doneAfter } } : {}, doneBefore ? { at: { lt: doneBefore } } : {}],
  };
}

builder.queryFields((t) => ({
  auditLog: t.field({
    type: AuditEntryConnection,
    description: 'Who decided, saved, revoked, retried: newest first.',
    args: { filter: t.arg({ type: AuditFilter, description: 'Which acts.' }), ...pageArgs() },
    resolve: paged('AuditEntry', 'desc', async ({ prisma, query, where }, { filter }: PageArgs & { filter?: Filter | null }) => {
      const fits = fitting(filter ?? {});
      return fits ? prisma.auditEntry.findMany({ ...query, where: { ...where, ...fits } }) : [];
    }),
  }),
}));
