import type pg from 'pg';

/** There is already such a table or index, type or value, column. */
const THERE = ['42P07', '42710', '42701'];

/**
 * Finishes a migration that was cut off, or failed, while each of its statements was a transaction of its own: as versions
 * before 0005 did it. What it made is passed over, the rest is made. The caller's transaction holds all of it.
 */
export async function mend(client: pg.ClientBase, sql: string): Promise<void> {
  for (const statement of sql.split(';').filter((text) => text.trim() !== '')) {
    await client.query('SAVEPOINT "statement"');
    try {
      await client.query(statement);
    } catch (error) {
      if (!THERE.includes((error as { code?: string }).code ?? '')) throw error;
      await client.query('ROLLBACK TO SAVEPOINT "statement"');
    }
  }
}
