import { invoke } from './calls.ts';
import type { Claimed, Company } from './company.ts';

/** Names the execution of a run, which tells an event to everybody who watches runs. Answers the milliseconds that it took. */
export async function nameExecution(url: string, run: Claimed, toolCallId: string): Promise<number> {
  const begun = performance.now();
  const call = await invoke(url, run.token, { toolCallId, tool: 'os.set_execution_name', arguments: { name: toolCallId } });
  if (call.status !== 'SUCCEEDED') throw new Error(`The mutation ended as ${call.status} ${call.error?.code}`);
  return performance.now() - begun;
}

/** The number of the last run event of the enterprise, which is the last that a reader is told. */
export const lastEvent = async ({ stage, enterpriseId }: Company): Promise<number> =>
  Number((await stage.db.prisma.event.aggregate({ where: { enterpriseId, topic: 'RUN' }, _max: { number: true } }))._max.number ?? 0);

/** The numbers of the run events after one, oldest first: what a reader must have seen. */
export const runEventsAfter = async ({ stage, enterpriseId }: Company, after: number): Promise<number[]> =>
  (
    await stage.db.query<{ number: number }>({
      text: `SELECT "number"::float8 AS "number" FROM "Event" WHERE "enterpriseId" = $1 AND "topic" = 'RUN' AND "number" > $2 ORDER BY "number"`,
      values: [enterpriseId, after],
    })
  ).map(({ number }) => number);
