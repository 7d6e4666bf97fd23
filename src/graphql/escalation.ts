import { builder } from './builder.ts';

export const EscalateTo = builder.enumType('EscalateTo', {
  description: 'Whose it is to decide about a stopped run.',
  values: { LEAD: { description: 'The lead of its team, or the COO where there is none.' }, CEO: { description: 'The CEO.' } },
});

export const Escalation = builder.prismaObject('Escalation', {
  description: 'That a run on Blockers was handed to somebody.',
  select: { id: true },
  fields: (t) => ({
    to: t.expose('to', { type: EscalateTo, description: 'Whose it is since then.' }),
    member: t.relation('member', { nullable: true, description: 'The lead, where it went to one.' }),
    person: t.relation('person', { nullable: true, description: 'The CEO, where it went to them.' }),
    note: t.exposeString('note', { description: 'What has to be decided.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was handed over.' }),
  }),
});

/** How many escalations of a run are shown. */
export const MOST_ESCALATIONS = 50;

export const newestFirst = [{ at: 'desc' as const }, { id: 'desc' as const }];

/** The newest escalations of a run, newest first. */
export const newestEscalations = { orderBy: newestFirst, take: MOST_ESCALATIONS };
