import type { Socket } from 'node:net';
import pg from 'pg';

/** How a statement fails: the server refuses it, or the connection goes, before it took effect or after. */
export const FAULTS = ['40P01', '40001', '57014', '55P03', '53100', '57P01', 'lost before', 'lost after'] as const;

export type Fault = (typeof FAULTS)[number];

const real = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => Promise<unknown>;

/** The statements of this process while `work` runs: how many there were, and the `nth` of them fails. */
export async function failing<T>(
  work: () => Promise<T>,
  nth = 0,
  fault: Fault = 'lost before',
): Promise<{ answer: T; statements: number }> {
  let statements = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    return ++statements === nth ? fail(this, args, fault) : real.apply(this, args);
  } as never;
  try {
    return { answer: await work(), statements };
  } finally {
    pg.Client.prototype.query = real as never;
  }
}

const socketOf = (client: pg.Client) => (client as unknown as { connection: { stream: Socket } }).connection.stream;

function fail(client: pg.Client, args: unknown[], fault: Fault): Promise<unknown> {
  const [query] = args as [string | { text: string }];
  // A BEGIN is not refused: it fails with its connection alone.
  const begins = (typeof query === 'string' ? query : query.text).startsWith('BEGIN');
  if (fault === 'lost after') {
    return real.apply(client, args).then(() => {
      socketOf(client).destroy();
      throw new Error('Connection terminated unexpectedly');
    });
  }
  if (fault === '57P01') return real.call(client, 'SELECT pg_terminate_backend(pg_backend_pid())');
  if (fault !== 'lost before' && !begins) {
    return real.call(client, `DO $$ BEGIN RAISE EXCEPTION 'it fails' USING ERRCODE = '${fault}'; END $$`);
  }
  socketOf(client).destroy();
  return real.apply(client, args);
}
