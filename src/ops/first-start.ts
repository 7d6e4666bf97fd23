import path from 'node:path';
import { SAMPLE_ENTERPRISE_ID, sampleCompany } from '../../prisma/sample-company.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Credentials, issueCredentials, writeCredentials } from './credentials.ts';

/** Where the credentials of the sample company are written. */
export const credentialsFile = (dataDir: string) => path.join(dataDir, 'credentials.json');

/**
 * Makes the sample company in an embedded database that holds no other, and its credentials, which it answers and writes
 * to a file. Null when that was done before. The file is written before the credentials count, so that none is lost.
 */
export async function firstStart(kernel: Kernel, dataDir: string): Promise<Credentials | null> {
  const { prisma } = kernel.db;
  if (await prisma.enterprise.findFirst({ where: { id: { not: SAMPLE_ENTERPRISE_ID } } })) return null;
  if (await prisma.token.findFirst({ where: { enterpriseId: SAMPLE_ENTERPRISE_ID } })) return null;
  const sample = await sampleCompany(kernel);
  return kernel.db.transaction(async (tx) => {
    const credentials = await issueCredentials(tx, sample, kernel.now());
    writeCredentials(credentialsFile(dataDir), credentials);
    return credentials;
  });
}
