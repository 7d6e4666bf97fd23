import { validate } from 'uuid';
import type { Queryable } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { notFound } from '../../kernel/errors.ts';
import { closest } from '../../kernel/registry.ts';

/** A team of the directory. */
export interface DirectoryTeam {
  id: string;
  name: string;
  slug: string;
}

/** A member of the directory: roles and tasks are slugs. */
export interface DirectoryMember {
  id: string;
  name: string;
  email: string;
  persona: string;
  roles: string[];
  tasks: string[];
}

const selectTeams = statement<DirectoryTeam, [string]>(
  'directory_teams',
  `SELECT "id", "name", "slug" FROM "Team" WHERE "enterpriseId" = $1 ORDER BY "id"`,
);

// A task without a team is done by every holder of its role.
const selectMembers = statement<DirectoryMember, [enterpriseId: string, teamId: string | null]>(
  'directory_members',
  `SELECT m."id", m."name", m."email", m."persona",
     ARRAY(SELECT o."slug" FROM "MemberRole" h JOIN "Role" o ON o."id" = h."roleId" WHERE h."memberId" = m."id" ORDER BY o."slug") AS "roles",
     ARRAY(
       SELECT t."slug" FROM "Task" t JOIN "TaskVersion" v ON v."taskId" = t."id" AND v."version" = t."latestVersion"
       WHERE t."enterpriseId" = $1 AND t."archivedAt" IS NULL AND NOT v."osOwned"
         AND v."roleId" IN (SELECT "roleId" FROM "MemberRole" WHERE "memberId" = m."id")
         AND (v."teamId" IS NULL OR v."teamId" IN (SELECT "teamId" FROM "MemberTeam" WHERE "memberId" = m."id"))
       ORDER BY t."slug"
     ) AS "tasks"
   FROM "Member" m
   WHERE m."enterpriseId" = $1
     AND ($2::uuid IS NULL OR EXISTS (SELECT FROM "MemberTeam" i WHERE i."memberId" = m."id" AND i."teamId" = $2::uuid))
   ORDER BY m."id"`,
);

const lookFor = (slugs: string[]) =>
  `${slugs.length > 0 ? `The closest are ${slugs.join(', ')}. ` : ''}Without \`team\` the answer lists all teams.`;

/**
 * Who works in the enterprise: its teams, and its members with their roles and with the tasks that they do on their teams.
 * `team` (an id or a slug) narrows both to that team.
 * @throws {ToolError} not_found
 */
export async function directory(
  tx: Queryable,
  enterpriseId: string,
  team: string | null,
): Promise<{ teams: DirectoryTeam[]; members: DirectoryMember[] }> {
  const all = await tx.query(selectTeams(enterpriseId));
  if (team === null) return { teams: all, members: await tx.query(selectMembers(enterpriseId, null)) };
  const id = validate(team) ? team.toLowerCase() : null;
  const found = all.find((one) => one.id === id) ?? all.find((one) => one.slug === team);
  if (!found)
    throw notFound(
      'team',
      team,
      lookFor(
        id
          ? []
          : closest(
              team,
              all.map(({ slug }) => slug),
            ),
      ),
    );
  return { teams: [found], members: await tx.query(selectMembers(enterpriseId, found.id)) };
}
