import { spawnSync } from 'node:child_process';

/** What runs the rest of its arguments as process 1 of a namespace of its own, as a container does. */
export const ISOLATED = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];

/**
 * What runs the rest of its arguments with a disk of so many MiB in the place of a folder, which nobody else sees.
 */
export const onSmallDisk = (mebibytes: number, folder: string) => [
  ...['unshare', '--mount', 'sh', '-c', `mount -t tmpfs -o size=${mebibytes}m none ${folder} && exec "$@"`, 'sh'],
];

/** Fills the disk that a process on a small one has in place of this folder. */
export function fillDisk(pid: number, folder: string) {
  spawnSync('nsenter', ['--target', String(pid), '--mount', 'dd', 'if=/dev/zero', `of=${folder}/filler`, 'bs=64k'], { stdio: 'ignore' });
}

const works = (command: string[]) => spawnSync(command[0]!, [...command.slice(1), 'true'], { stdio: 'ignore' }).status === 0;

let isolates: boolean | undefined;

/** Whether this machine lets its user make namespaces. Where everything is to be tested, it must. */
export function hasNamespaces(): boolean {
  isolates ??= works(ISOLATED) && works(onSmallDisk(1, '/tmp'));
  if (!isolates && process.env.CI) throw new Error(`${ISOLATED.join(' ')} does not work here: what is tried between containers cannot be.`);
  return isolates;
}
