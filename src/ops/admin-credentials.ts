import { SAMPLE_ENTERPRISE_ID, sampleCompany } from '../../prisma/sample-company.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Answer, ceoOf, chosenEnterprise, parsed } from './admin-arguments.ts';
import { issueCredentials, printedCredentials } from './credentials.ts';

const OPTIONS = { write: { type: 'string' } } as const;

/** `credentials`: new ones, beside those that were issued before. Of the sample company unless told otherwise. */
export async function credentialsCommand(kernel: Kernel, args: string[]): Promise<Omit<Answer, 'code'>> {
  const { values } = parsed(args, OPTIONS);
  const { prisma } = kernel.db;
  const sample = await prisma.enterprise.findFirst({ where: { id: SAMPLE_ENTERPRISE_ID }, select: { id: true } });
  const enterpriseId = await chosenEnterprise(prisma, values.enterprise ?? sample?.id);
  const ceo = await ceoOf(prisma, enterpriseId);
  const credentials = await kernel.db.transaction((tx) => issueCredentials(tx, { enterpriseId, ceoId: ceo.id }, kernel.now()));
  const out = `Credentials of ${ceo.name}, the CEO of ${enterpriseId}:\n${printedCredentials(credentials)}`;
  // The default file is the sample company's: another one's go where the operator says, or nowhere but the screen.
  const kept = values.write !== undefined || enterpriseId === SAMPLE_ENTERPRISE_ID;
  return { out, ...(kept && { credentials, write: values.write }) };
}

/** What `npm run seed` sends: the sample company, if it is not there yet, and credentials for it. */
export async function seedCommand(kernel: Kernel, args: string[]): Promise<Omit<Answer, 'code'>> {
  parsed(args, OPTIONS);
  await sampleCompany(kernel);
  return credentialsCommand(kernel, [...args, '--enterprise', SAMPLE_ENTERPRISE_ID]);
}
