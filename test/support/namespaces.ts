import { spawnSync } from 'node:child_process';

/** What runs the rest of its arguments as process 1 of a namespace of its own, as a container does. */
export const ISOLATED = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];

const works = (command: string[]) => spawnSync(command[0]!, [...command.slice(1), 'true'], { stdio: 'ignore' }).status === 0;

let isolates: boolean | undefined;

/** Whether this machine lets its user make namespaces. Where everything is to be tested, it must. */
export function hasNamespaces(): boolean {
  isolates ??= works(ISOLATED);
  if (!isolates && process.env.CI) throw new Error(`${ISOLATED.join(' ')} does not work here: what is tried between containers cannot be.`);
  return isolates;
}
