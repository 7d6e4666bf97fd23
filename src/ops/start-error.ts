import { ConfigError } from '../config.ts';
import { FolderLocked } from './folder-lock.ts';

/** Something outside the program keeps it from starting. The message is one line for whoever starts it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const ADDRESS: Record<string, string> = {
  EADDRINUSE: 'is in use by another process: stop that one, or set PORT to another port',
  EACCES: 'may not be used by this user: set PORT to one above 1023',
  EADDRNOTAVAIL: 'is no address of this machine: set HOST to one that is',
  ENOTFOUND: 'is no host that is known: set HOST to an address of this machine',
};

/** What to tell on one line, or undefined for a defect, whose stack is wanted. */
export function startProblem(error: unknown): string | undefined {
  if (error instanceof ConfigError || error instanceof FolderLocked || error instanceof StartError) return error.message;
  const { code, syscall, address, port, hostname } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
    hostname?: string;
  };
  const why = ['listen', 'bind', 'getaddrinfo'].includes(syscall ?? '') ? ADDRESS[code ?? ''] : undefined;
  return why && `${address ?? hostname}${port === undefined ? '' : `:${port}`} ${why}.`;
}
