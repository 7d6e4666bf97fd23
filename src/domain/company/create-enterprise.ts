import { v7 } from 'uuid';
import type { Prisma } from '../../db/database.ts';
import { storedEmail, storedText, storedZone } from './company-text.ts';

/** An enterprise to be, with its CEO. */
export interface NewEnterprise {
  /** Left out, a new one is made. */
  id?: string;
  name: string;
  /** An IANA name: `Europe/Lisbon`. */
  timezone: string;
  ceo: { name: string; email: string };
}

/**
 * Creates an enterprise with its CEO and the counter of its events, all or nothing.
 * @throws {ToolError} invalid_arguments for a name, time zone or address that cannot be
 */
export async function createEnterprise(prisma: Prisma, now: Date, wanted: NewEnterprise): Promise<{ enterpriseId: string; ceoId: string }> {
  const [enterpriseId, ceoId] = [wanted.id ?? v7(), v7()];
  const ceo = { name: storedText('name of the CEO', wanted.ceo.name), email: storedEmail(wanted.ceo.email) };
  await prisma.enterprise.create({
    data: {
      id: enterpriseId,
      name: storedText('name of the enterprise', wanted.name),
      timezone: storedZone(wanted.timezone),
      createdAt: now,
      eventCounter: { create: {} },
      people: { create: { id: ceoId, ...ceo, isCeo: true, createdAt: now } },
    },
  });
  return { enterpriseId, ceoId };
}
