import pg from 'pg';

/** By name: what a process sends every few seconds whatever it is asked. It sets its clock, and looks whether it is ready. */
export const BESIDE = new Set(['read_clock', 'probe', 'applied_migrations']);

/** The names of the statements, or their texts, that this process sends to its databases while `work` runs. Give the service long timings. */
export async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
  const query = pg.Client.prototype.query;
  const sent: string[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args as [string | pg.QueryConfig];
    const name = typeof asked === 'string' ? asked : (asked.name ?? asked.text);
    if (!BESIDE.has(name)) sent.push(name);
    return (query as (...args: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  try {
    await work();
    return sent;
  } finally {
    pg.Client.prototype.query = query;
  }
}

/** How many statements this process sends to its databases while `work` runs. Give the service long timings: it sweeps beside it. */
export const statementsOf = async (work: () => Promise<unknown>): Promise<number> => (await sentBy(work)).length;
