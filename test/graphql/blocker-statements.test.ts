import { v7 } from 'uuid';
import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';
import { statementsOf } from '../support/statements.ts';

const HOUR = 3_600_000;
const { kernel, url } = await testApp({ timing: { sweep: HOUR, eventPoll: HOUR, credentialCheck: HOUR } });
const harness = new Harness(url, await makeCompany(kernel));
const { enterpriseId, ceoSession } = harness.company;
const { prisma } = kernel.db;

const QUERY = `{ blockers { runs { run { id task { slug } member { name } } lead { name } escalation { to person { name } } moves { kind targets }
  outcomeUnknown { toolCallId gate { id } } } failedTotal stoppedPipelines { runId } missingModelTiers { tier } exhaustedLlmCapacity { tier }
  taskDefinitionProblems { code } missingLead { slug } missingMetric { task } overdueRetro { dueAt } spendEnabled draining } }`;
const TOOL = '{ osListBlockers { runs { run { id } moves { kind } outcomeUnknown { id } } failedTotal } }';

async function fail(): Promise<void> {
  const run = await harness.run(
    { role: 'maker', successors: [{ outcome: 'done', task: await harness.task() }] },
    { repo: 'kites/red', issue: 1 },
  );
  const { runId } = run;
  const call = { id: v7(), enterpriseId, runId, toolCallId: 'u-1', boundId: 'u-1', tool: 'web.request', arguments: {}, contentHash: '' };
  await prisma.toolCall.create({ data: { ...call, status: 'OUTCOME_UNKNOWN', createdAt: kernel.now() } });
  await harness.drive('failRun', run.token, { runId, code: 'x', reason: 'x' });
  await harness.drive('escalateRun', ceoSession, { runId, to: 'CEO', note: 'x' });
}

it.each([
  ['the query', QUERY],
  ['the tool', TOOL],
])('%s takes as many statements for one stopped run as for six more', async (_, query) => {
  const read = () => harness.data(ceoSession, query);
  await fail();
  await read();
  const few = await statementsOf(read);
  for (let made = 0; made < 6; made++) await fail();
  expect(await statementsOf(read)).toBe(few);
});
