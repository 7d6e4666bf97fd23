import { z } from 'zod';

/** What narrows a directory. Other fields of the object are not looked at. */
export const DirectoryInput = z.strictObject({
  team: z.string().min(1).max(200).nullish().describe('Only this team and its members: its id or slug.'),
});

const Team = z.strictObject({ id: z.string(), name: z.string(), slug: z.string() });

const Member = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  persona: z.string(),
  roles: z.array(z.string()).describe('The slugs of the roles that the member holds.'),
  tasks: z.array(z.string()).describe('The slugs of the tasks of those roles, on teams of the member.'),
});

/** Who works in the company. */
export const DirectoryOutput = z.strictObject({
  teams: z.array(Team),
  teamsMore: z.int32().optional().describe('To a run: how many teams more there are than one answer holds.'),
  members: z.array(Member),
  membersMore: z.int32().optional().describe('To a run: how many members more there are than one answer holds.'),
});

/** A plainly fictitious answer. */
export const DIRECTORY_EXAMPLE = {
  arguments: { team: 'studio' },
  result: {
    teams: [{ id: '0197a000-0000-7000-8000-0000000000a1', name: 'Studio', slug: 'studio' }],
    members: [
      {
        id: '0197a000-0000-7000-8000-0000000000b1',
        name: 'Marigold Finch',
        email: 'marigold@larkspur-kites.example',
        persona: 'Plans the week.',
        roles: ['planner'],
        tasks: ['weekly-plan'],
      },
    ],
  },
};
