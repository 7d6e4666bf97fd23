import { audit } from '../auth/audit.ts';
import { lockSwitches } from '../db/switch-lock.ts';
import { addPerson } from '../domain/company/add-person.ts';
import { storedEmail } from '../domain/company/company-text.ts';
import { ToolError } from '../kernel/errors.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { chosenEnterprise, columns, needed, parsed, personWith, UsageError } from './admin-arguments.ts';

const OPTIONS = { name: { type: 'string' }, email: { type: 'string' }, ceo: { type: 'boolean' } } as const;

/** `person list|add|ceo|remove`. */
export async function personCommand(kernel: Kernel, args: string[]): Promise<string> {
  const { values, positionals } = parsed(args, OPTIONS);
  const [verb, address] = positionals;
  const enterpriseId = await chosenEnterprise(kernel.db.prisma, values.enterprise);
  if (verb === 'list') return list(kernel, enterpriseId);
  if (verb === 'add') {
    const [name, email] = [needed(values.name, '--name'), needed(values.email, '--email')];
    return add(kernel, enterpriseId, { name, email, isCeo: values.ceo ?? false });
  }
  if (verb === 'ceo') return handOver(kernel, enterpriseId, needed(address, 'The address'));
  if (verb === 'remove') return remove(kernel, enterpriseId, needed(address, 'The address'));
  throw new UsageError(verb === undefined ? 'person needs list, add, ceo or remove.' : `person has no ${JSON.stringify(verb)}.`);
}

async function list({ db: { prisma } }: Kernel, enterpriseId: string) {
  const people = await prisma.person.findMany({ where: { enterpriseId, removedAt: null }, orderBy: { id: 'asc' } });
  const cells = people.map((person) => [person.id, person.name, person.email, person.isCeo ? 'CEO' : '']);
  return columns(['id', 'name', 'address', 'office'], cells);
}

async function add({ db, now }: Kernel, enterpriseId: string, wanted: { name: string; email: string; isCeo: boolean }) {
  const id = await db.transaction(async (tx) => {
    const email = storedEmail(wanted.email);
    const former = await tx.prisma.person.findFirst({ where: { enterpriseId, email, removedAt: { not: null } } });
    if (former) throw new ToolError('invalid_arguments', `${email} belonged to ${former.name}, who was removed: use another address.`);
    const added = await addPerson(tx.prisma, now(), { enterpriseId, ...wanted });
    const by = { operator: true, enterpriseId } as const;
    await audit(tx, by, { action: 'person.added', subjectId: added, at: now(), details: { name: wanted.name, isCeo: wanted.isCeo } });
    return added;
  });
  return `person ${id}\n`;
}

async function handOver({ db, now }: Kernel, enterpriseId: string, address: string) {
  return db.transaction(async (tx) => {
    await lockSwitches(tx, enterpriseId);
    const person = await personWith(tx.prisma, enterpriseId, address);
    await tx.prisma.person.updateMany({ where: { enterpriseId, isCeo: true }, data: { isCeo: false } });
    await tx.prisma.person.updateMany({ where: { enterpriseId, id: person.id }, data: { isCeo: true } });
    const by = { operator: true, enterpriseId } as const;
    await audit(tx, by, { action: 'person.made_ceo', subjectId: person.id, at: now(), details: { name: person.name } });
    return `${person.name} is the CEO now.\n`;
  });
}

async function remove({ db, now }: Kernel, enterpriseId: string, address: string) {
  return db.transaction(async (tx) => {
    await lockSwitches(tx, enterpriseId);
    const person = await personWith(tx.prisma, enterpriseId, address);
    if (person.isCeo) {
      throw new ToolError('not_allowed', `${person.name} is the CEO: hand the office over first, with person ceo <address>.`);
    }
    await tx.prisma.person.updateMany({ where: { enterpriseId, id: person.id }, data: { removedAt: now() } });
    const by = { operator: true, enterpriseId } as const;
    await audit(tx, by, { action: 'person.removed', subjectId: person.id, at: now(), details: { name: person.name } });
    return `${person.name} is removed: sessions and tokens of theirs have ended.\n`;
  });
}
