import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { audit } from '../auth/audit.ts';
import { SCOPES } from '../auth/scopes.ts';
import { issueToken, type NewToken } from '../auth/tokens.ts';
import type { Queryable } from '../db/database.ts';
import { StartError } from './start-error.ts';

/** What somebody needs to try a company: the CEO's session, an API token with all scopes, and a worker's token. */
export interface Credentials {
  ceoSession: string;
  apiToken: string;
  workerToken: string;
}

/** Issues all three. They last until they are revoked. */
export async function issueCredentials(
  tx: Queryable,
  { enterpriseId, ceoId }: { enterpriseId: string; ceoId: string },
  createdAt: Date,
): Promise<Credentials> {
  const issue = async (token: Pick<NewToken, 'kind' | 'name' | 'scopes'>) => {
    const { id, secret } = await issueToken(tx, { enterpriseId, personId: ceoId, createdAt, ...token });
    const told = { action: 'token.created', subjectId: id, details: { ...token }, at: createdAt };
    await audit(tx, { operator: true, enterpriseId }, told);
    return secret;
  };
  return {
    ceoSession: await issue({ kind: 'SESSION', name: "the CEO's session" }),
    apiToken: await issue({ kind: 'API_TOKEN', name: 'all scopes', scopes: SCOPES }),
    workerToken: await issue({ kind: 'API_TOKEN', name: 'worker', scopes: ['runs:work'] }),
  };
}

/**
 * Writes them for their owner alone (mode 0600); a file that is there is replaced at once.
 * @throws {StartError} naming the file
 */
export function writeCredentials(file: string, credentials: Credentials): void {
  const written = `${file}.${process.pid}`;
  try {
    rmSync(written, { force: true });
    writeFileSync(written, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(written, file);
  } catch (error) {
    throw new StartError(`The credentials cannot be written to ${file}: ${(error as Error).message}`);
  }
}

/** As they are printed: one a line. */
export const printedCredentials = (credentials: Credentials) =>
  Object.entries(credentials)
    .map(([name, secret]) => `  ${name.padEnd(12)} ${secret}\n`)
    .join('');
