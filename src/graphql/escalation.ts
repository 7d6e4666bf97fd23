import { builder } from './builder.ts';

export const EscalateTo = builder.enumType('EscalateTo', {
  description: 'Whose it is to decide about a stopped run.',
  values: { LEAD: { description: 'The lead of its team, or the COO where there is none.' }, CEO: { description: 'The CEO.' } },
});

export const Escalation = builder.prismaObject('Run', {
  variant: 'Escalation',
  description: 'To whom a run on Blockers was handed.',
  select: { id: true, escalatedTo: true },
  fields: (t) => ({
    to: t.field({ type: EscalateTo, description: 'Whose it is now.', resolve: ({ escalatedTo }) => escalatedTo! }),
    member: t.relation('escalatedMember', { nullable: true, description: 'The lead, where it went to one.' }),
    person: t.relation('escalatedPerson', { nullable: true, description: 'The CEO, where it went to them.' }),
    note: t.string({
      description: 'What has to be decided.',
      select: { escalationNote: true },
      resolve: ({ escalationNote }) => escalationNote ?? '',
    }),
    at: t.field({
      type: 'DateTime',
      description: 'When it was handed over.',
      select: { escalatedAt: true },
      resolve: ({ escalatedAt }) => escalatedAt!,
    }),
  }),
});
