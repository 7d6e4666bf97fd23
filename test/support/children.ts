import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Sees to it that a child process does not outlive this one, however the test run ends. */
export function mortal<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}
