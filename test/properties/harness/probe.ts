import pg from 'pg';
import { z } from 'zod';
import { statement } from '../../../src/db/statement.ts';
import type { Catalog } from '../../../src/kernel/define.ts';
import { fixture } from '../../fixtures/tools.ts';

/** One time that a body ran. */
export interface Act {
  entry: string;
  callId: string;
  pid: number;
}

/** Tools whose every act leaves a row, so that a test can count how often a body really ran. */
export interface Probe extends Catalog {
  /** Acts of `probe.act`, oldest first. */
  acts(entry?: string): Promise<Act[]>;
  /** What `probe.sign` keeps: one row a call. */
  signed(callId: string): Promise<Act[]>;
  /** Lets the bodies of `probe.hold` under this entry end. */
  release(entry: string): Promise<void>;
  close(): Promise<void>;
}

const TABLES = `
  SELECT pg_advisory_xact_lock(7351903);
  CREATE TABLE IF NOT EXISTS probe_act (id bigserial PRIMARY KEY, entry text NOT NULL, call_id text NOT NULL, pid int NOT NULL);
  CREATE TABLE IF NOT EXISTS probe_sign (call_id text PRIMARY KEY, entry text NOT NULL, pid int NOT NULL);
  CREATE TABLE IF NOT EXISTS probe_released (entry text PRIMARY KEY);`;

/** The table in the service's own database into which `probe.add` writes, once an act. */
export const PROBE_TABLE = 'CREATE TABLE IF NOT EXISTS probe_add (id bigserial PRIMARY KEY, entry text NOT NULL)';

const add = statement<object, [string]>('probe_add', 'INSERT INTO probe_add (entry) VALUES ($1)');

const one = z.strictObject({ entry: z.string().min(1).max(200), text: z.string().max(100_000).optional() });
const done = z.strictObject({ entry: z.string() });
const by = z.strictObject({ entry: z.string(), pid: z.int() });

/**
 * The catalog `probe` on the Postgres of `url`. `probe.add` acts in the service's own database; `probe.act` writes a row each
 * time that it acts, `probe.sign` one row a call and tells which process wrote it, `probe.hold` waits until it is released.
 */
export function makeProbe(url: string): Probe {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => {}); // the server of a test may go first
  let ready: Promise<unknown> | undefined;
  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => {
    ready ??= pool.query(TABLES);
    await ready;
    return (await pool.query(text, values)).rows;
  };
  const act = (entry: string, callId: string | null) =>
    query('INSERT INTO probe_act (entry, call_id, pid) VALUES ($1, $2, $3)', [entry, callId, process.pid]);
  const outside = { effect: 'write', where: 'outside', input: one } as const;
  return {
    type: 'probe',
    tools: [
      fixture({
        ...{ effect: 'write', where: 'database', retry: 'unsafe', input: one, output: done },
        name: 'probe.add',
        handler: async ({ tx }, { entry }) => {
          await tx.query(add(entry));
          return { entry };
        },
      }),
      fixture({
        ...{ ...outside, retry: 'idempotent', output: done },
        name: 'probe.act',
        handler: async ({ callId }, { entry }) => {
          await act(entry, callId);
          return { entry };
        },
      }),
      fixture({
        ...{ ...outside, retry: 'idempotent', output: by },
        name: 'probe.sign',
        handler: async ({ callId }, { entry }) => {
          await query('INSERT INTO probe_sign VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [callId, entry, process.pid]);
          return { entry, pid: process.pid };
        },
      }),
      fixture({
        ...{ ...outside, retry: 'idempotent', output: done },
        name: 'probe.hold',
        handler: async ({ callId }, { entry }) => {
          await act(entry, callId);
          while ((await query('SELECT FROM probe_released WHERE entry = $1', [entry])).length === 0) await nextLook();
          return { entry };
        },
      }),
    ],
    acts: (entry) =>
      query('SELECT entry, call_id AS "callId", pid FROM probe_act WHERE $1::text IS NULL OR entry = $1 ORDER BY id', [entry ?? null]),
    signed: (callId) => query('SELECT entry, call_id AS "callId", pid FROM probe_sign WHERE call_id = $1', [callId]),
    release: async (entry) => void (await query('INSERT INTO probe_released VALUES ($1) ON CONFLICT DO NOTHING', [entry])),
    close: () => pool.end(),
  };
}

const nextLook = () => new Promise<void>((resolve) => void setTimeout(resolve, 20));
