import type { Tx } from '../src/db/database.ts';
import { statement } from '../src/db/statement.ts';
import { addMember } from '../src/domain/company/add-member.ts';
import { addPerson } from '../src/domain/company/add-person.ts';
import { addRole } from '../src/domain/company/add-role.ts';
import { addTeam } from '../src/domain/company/add-team.ts';
import { createEnterprise } from '../src/domain/company/create-enterprise.ts';
import { storeTask } from '../src/domain/task/save-task.ts';
import { taskDraft } from '../src/domain/task/save-task-input.ts';
import type { Kernel } from '../src/kernel/kernel.ts';
import { SAMPLE_MEMBERS, SAMPLE_ROLES, SAMPLE_TEAMS } from './sample-staff.ts';
import { SAMPLE_TASKS } from './sample-tasks.ts';

/** The sample is known by this id, so that there is one of it in a database. */
export const SAMPLE_ENTERPRISE_ID = '0197a000-0000-7000-8000-000000000001';

const lockSample = statement<object, [string]>('lock_sample', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');

/**
 * Makes the sample company: plainly fictitious, with staff, tasks, successors, gates and pins. Where it is already,
 * nothing changes; two processes that make it at once make one.
 */
export async function sampleCompany(kernel: Kernel): Promise<{ enterpriseId: string; ceoId: string }> {
  return kernel.db.transaction(async (tx) => {
    await tx.query(lockSample(SAMPLE_ENTERPRISE_ID));
    return (await existing(tx)) ?? (await create(tx, kernel));
  });
}

async function existing({ prisma }: Tx) {
  const enterpriseId = SAMPLE_ENTERPRISE_ID;
  const ceo = await prisma.person.findFirst({
    where: { enterpriseId, isCeo: true },
    orderBy: { removedAt: { sort: 'asc', nulls: 'first' } },
  });
  return ceo && { enterpriseId, ceoId: ceo.id };
}

async function create(tx: Tx, kernel: Kernel) {
  const [{ prisma }, now] = [tx, kernel.now()];
  const founded = await createEnterprise(prisma, now, {
    id: SAMPLE_ENTERPRISE_ID,
    name: 'Larkspur Kites (sample)',
    timezone: 'Europe/Lisbon',
    ceo: { name: 'Odette Larkspur', email: 'odette@larkspur-kites.example' },
  });
  const { enterpriseId } = founded;
  await addPerson(prisma, now, { enterpriseId, name: 'Barnaby Twine', email: 'barnaby@larkspur-kites.example' });
  await hire(tx, now, enterpriseId);
  for (const task of SAMPLE_TASKS) await save(tx, kernel, enterpriseId, task);
  return founded;
}

async function hire({ prisma }: Tx, now: Date, enterpriseId: string) {
  const roles = new Map<string, string>();
  const teams = new Map<string, string>();
  for (const role of SAMPLE_ROLES) roles.set(role.slug, await addRole(prisma, now, { enterpriseId, ...role }));
  for (const team of SAMPLE_TEAMS) teams.set(team.slug, await addTeam(prisma, now, { enterpriseId, ...team }));
  for (const { leads, ...member } of SAMPLE_MEMBERS) {
    const roleIds = member.roles.map((slug) => roles.get(slug)!);
    const teamIds = member.teams.map((slug) => teams.get(slug)!);
    const leadId = await addMember(prisma, now, { enterpriseId, ...member, roleIds, teamIds });
    if (leads) await prisma.team.updateMany({ where: { enterpriseId, slug: leads }, data: { leadId } });
  }
}

/** The way of every task: a sample that cannot be saved stops the service from starting, and the tests. */
async function save(tx: Tx, kernel: Kernel, enterpriseId: string, task: (typeof SAMPLE_TASKS)[number]) {
  const { errors, warnings } = await storeTask(tx, kernel, { operator: true, enterpriseId }, taskDraft(task));
  if (errors.length + warnings.length > 0) throw new Error(`The sample task ${task.slug}: ${JSON.stringify([...errors, ...warnings])}`);
}
