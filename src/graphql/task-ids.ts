import type { Prisma } from '../db/database.ts';
import { isId } from './connection.ts';

/** The ids of the enterprise's tasks that go by these slugs or ids. */
export async function taskIds(
  { prisma, where: { enterpriseId } }: { prisma: Prisma; where: { enterpriseId: string } },
  names: readonly string[],
): Promise<string[]> {
  const where = { enterpriseId, OR: [{ slug: { in: [...names] } }, { id: { in: names.filter(isId) } }] };
  return (await prisma.task.findMany({ where, select: { id: true } })).map(({ id }) => id);
}
