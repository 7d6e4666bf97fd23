import { createInterface } from 'node:readline';
import { type FolderLock, lockFolder } from '../../src/ops/folder-lock.ts';

const folder = process.argv[2]!;
let lock: FolderLock | undefined;

function lockIt() {
  try {
    lock = lockFolder(folder);
    return 'locked';
  } catch (error) {
    return (error as Error).message;
  }
}

createInterface({ input: process.stdin }).on('line', (order) => {
  if (order === 'lock') return console.log(lockIt());
  lock?.release();
  console.log('released');
});
console.log('ready');
