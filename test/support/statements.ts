import pg from 'pg';

/** How many statements this process sends to its databases while `work` runs. Give the service long timings: it sweeps beside it. */
export async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const query = pg.Client.prototype.query;
  let sent = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    sent++;
    return (query as (...args: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  try {
    await work();
    return sent;
  } finally {
    pg.Client.prototype.query = query;
  }
}
