import type { Caller } from '../../src/auth/caller.ts';
import { claimRun } from '../../src/domain/run/claim-run.ts';
import { startRun } from '../../src/domain/run/start-run.ts';
import { type SaveTaskInput, saveTask } from '../../src/domain/task/save-task.ts';
import type { Kernel } from '../../src/kernel/kernel.ts';
import type { Company } from './company.ts';

/** The CEO in a session, for functions that are called directly. */
export const ceoCaller = ({ enterpriseId, ceo, ceoSessionId }: Company): Caller => ({
  ...{ kind: 'SESSION', tokenId: ceoSessionId, tokenName: 'portal', enterpriseId, scopes: [] },
  ...{ person: { ...ceo, isCeo: true }, run: null, expiresAt: null },
});

/** A run token's caller, for functions that are called directly. */
export const runCaller = (company: Company, id: string, attempt = 1): Caller => ({
  ...{ ...ceoCaller(company), kind: 'RUN', person: null, run: { id, attempt } },
});

let made = 0;

/** A running run of a task of its own, without a server; answers its caller. */
export async function storeRun(kernel: Kernel, company: Company, tools: string[], told: Partial<SaveTaskInput> = {}): Promise<Caller> {
  const ceo = ceoCaller(company);
  const slug = `stored-${++made}`;
  const { errors } = await saveTask(kernel, ceo, { slug, name: 'Stored', goal: 'g', tools, ...told });
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  await startRun(kernel, ceo, { task: slug });
  const claimed = await claimRun(kernel, ceo, { worker: 'w', tasks: [slug] });
  return runCaller(company, claimed!.run.id);
}
