import { compareTimes } from './compare.ts';
import type { BenchServer } from './database.ts';
import { openPortal, type Portal, pastsOn } from './pasts.ts';
import type { Line } from './report.ts';

const QUERY = `query ListBlockers {
  osListBlockers {
    failedTotal
    runs {
      run { id status task { slug name } }
      sections reason since lead { name } assignee { name } taskRetries moves { kind possible reason } outcomeUnknown { toolCallId }
    }
    stoppedPipelines { runId }
    missingModelTiers { tier }
    exhaustedLlmCapacity { tier }
    taskDefinitionProblems { code }
    missingLead { slug }
    missingMetric { task }
    overdueRetro { dueAt }
    spendEnabled
    draining
  }
}`;

interface Answer {
  osListBlockers: { failedTotal: number; runs: unknown[] };
}

async function ask(portal: Portal) {
  const { runs, failedTotal } = (await portal.ask<Answer>(QUERY)).osListBlockers;
  if (runs.length !== 100 || failedTotal !== 50) {
    throw new Error(`osListBlockers answered ${runs.length} runs, ${failedTotal} of them failed; it must be 100 and 50`);
  }
}

/** What Blockers costs with little and with much behind it. */
export async function measureListBlockers(server: BenchServer): Promise<Line[]> {
  const { short, long } = await pastsOn(server);
  const [few, many] = [await openPortal(short), await openPortal(long)];
  const times = await compareTimes(
    { what: 'os.list_blockers with 100 stopped among 1,000 runs', once: () => ask(few) },
    { what: 'os.list_blockers with 100 stopped among 1,000,000 runs', once: () => ask(many) },
    1.5,
  );
  await few.close();
  await many.close();
  return times;
}
