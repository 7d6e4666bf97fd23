import { builder } from './builder.ts';
import { pageArgs, paged } from './connection.ts';

builder.prismaObject('Enterprise', {
  description: 'The tenant: everything belongs to exactly one.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    timezone: t.exposeString('timezone', { description: 'The IANA time zone in which its days begin.' }),
    spendEnabled: t.exposeBoolean('spendEnabled', { description: 'Whether runs may spend: off, those that would be queued are paused.' }),
    draining: t.exposeBoolean('draining', { description: 'Whether no run starts or is handed out, as the operator drains the work.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
});

export const Person = builder.prismaObject('Person', {
  description: 'A human user.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Their id.' }),
    name: t.exposeString('name', { description: 'Their name.' }),
    email: t.exposeString('email', { description: 'Their e-mail address.' }),
    isCeo: t.exposeBoolean('isCeo', { description: 'Whether they are the CEO, who decides the gates.' }),
  }),
});

/** A list through a join table, in the order of ids, loaded with its row. */
const through = (relation: string, target: string) => ({
  select: (_args: object, _context: unknown, nested: unknown) =>
    ({ [relation]: { select: { [target]: (nested as () => object)() }, orderBy: { [`${target}Id`]: 'asc' } } }) as never,
  extensions: { pothosPrismaLoaded: (row: Record<string, unknown>) => row[relation] !== undefined },
  resolve: (row: unknown) => (row as Record<string, Record<string, unknown>[]>)[relation]!.map((join) => join[target]) as never,
});

export const Member = builder.prismaObject('Member', {
  description: 'An AI employee.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Their id.' }),
    name: t.exposeString('name', { description: 'Their name.' }),
    email: t.exposeString('email', { description: 'Their main e-mail address.' }),
    persona: t.exposeString('persona', { description: 'How they act and write.' }),
    roles: t.field({ type: ['Role'] as never, description: 'The roles they hold.', ...through('roles', 'role') }),
    teams: t.field({ type: ['Team'] as never, description: 'The teams they are in.', ...through('teams', 'team') }),
  }),
});

export const Team = builder.prismaObject('Team', {
  description: 'People and work that belong together.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    slug: t.exposeString('slug', { description: 'Its short name, unique in the enterprise.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    charter: t.exposeString('charter', { description: 'What it is for.' }),
    lead: t.relation('lead', { nullable: true, description: 'The member who leads it.' }),
    members: t.field({ type: ['Member'] as never, description: 'Who is in it.', ...through('members', 'member') }),
  }),
});

export const Role = builder.prismaObject('Role', {
  description: 'What a member can be for tasks: a task is done by a holder of its role.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    slug: t.exposeString('slug', { description: 'Its short name, unique in the enterprise.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    holders: t.field({ type: ['Member'] as never, description: 'The members who hold it.', ...through('holders', 'member') }),
  }),
});

const PersonConnection = builder.connectionObject(
  { type: Person, name: 'PersonConnection', description: 'A page of people.' },
  { name: 'PersonEdge', description: 'A person in a list.' },
);
const MemberConnection = builder.connectionObject(
  { type: Member, name: 'MemberConnection', description: 'A page of members.' },
  { name: 'MemberEdge', description: 'A member in a list.' },
);
const TeamConnection = builder.connectionObject(
  { type: Team, name: 'TeamConnection', description: 'A page of teams.' },
  { name: 'TeamEdge', description: 'A team in a list.' },
);
const RoleConnection = builder.connectionObject(
  { type: Role, name: 'RoleConnection', description: 'A page of roles.' },
  { name: 'RoleEdge', description: 'A role in a list.' },
);

builder.queryFields((t) => ({
  enterprise: t.prismaField({
    type: 'Enterprise',
    description: 'The enterprise of the caller.',
    resolve: (query, _root, _args, { prisma, caller }) =>
      prisma.enterprise.findFirstOrThrow({ ...query, where: { id: caller.enterpriseId } }),
  }),
  people: t.field({
    type: PersonConnection,
    description: 'The people of the enterprise, oldest first.',
    args: pageArgs(),
    resolve: paged('Person', 'asc', ({ prisma, query, where }) =>
      prisma.person.findMany({ ...query, where: { ...where, removedAt: null } }),
    ),
  }),
  members: t.field({
    type: MemberConnection,
    description: 'The members of the enterprise, oldest first.',
    args: pageArgs(),
    resolve: paged('Member', 'asc', ({ prisma, query, where }) => prisma.member.findMany({ ...query, where })),
  }),
  teams: t.field({
    type: TeamConnection,
    description: 'The teams of the enterprise, oldest first.',
    args: pageArgs(),
    resolve: paged('Team', 'asc', ({ prisma, query, where }) => prisma.team.findMany({ ...query, where })),
  }),
  roles: t.field({
    type: RoleConnection,
    description: 'The roles of the enterprise, oldest first.',
    args: pageArgs(),
    resolve: paged('Role', 'asc', ({ prisma, query, where }) => prisma.role.findMany({ ...query, where })),
  }),
}));
