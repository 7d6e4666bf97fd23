import { ConfigError } from '../config.ts';
import { OpenError } from '../db/open-error.ts';

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

const TOLD = [ConfigError, OpenError, StartError];

/** What to tell on one line, or undefined for a defect, whose stack is wanted. */
export function startProblem(error: unknown): string | undefined {
  if (TOLD.some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, syscall, address, port, hostname } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
    hostname?: string;
  };
  const why = ['listen', 'bind', 'getaddrinfo'].includes(syscall ?? '') ? ADDRESS[code ?? ''] : undefined;
  return why && `${address ?? hostname}${port === undefined ? '' : `:${port}`} ${why}.`;
}
