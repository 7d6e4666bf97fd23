import { renewEpoch } from '../events/epoch.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { parsed, UsageError } from './admin-arguments.ts';

/** `restored`: for every enterprise of the database. */
export async function restoredCommand({ db }: Kernel, args: string[]): Promise<string> {
  const { values, positionals } = parsed(args, {});
  if (positionals.length > 0 || values.enterprise !== undefined)
    throw new UsageError('restored takes nothing: it is about the whole database.');
  await renewEpoch(db);
  return 'Event cursors from before are now answered with cursor_expired: clients load anew.\n';
}
