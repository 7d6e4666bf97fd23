import type { Database } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import type { Bus } from '../events/bus.ts';

const probe = statement('probe', 'SELECT 1');

const PATIENCE = 2_000;

/** Whether the parts that the service stands on answer, within two seconds. */
export async function readiness(
  db: Pick<Database, 'query'>,
  bus: Pick<Bus, 'status'>,
): Promise<{ database: 'up' | 'down'; bus: 'up' | 'down' }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'down'>((resolve) => {
    timer = setTimeout(() => resolve('down'), PATIENCE);
  });
  const asked = db.query(probe()).then(
    () => 'up' as const,
    () => 'down' as const,
  );
  const database = await Promise.race([asked, late]);
  clearTimeout(timer);
  return { database, bus: bus.status() };
}
