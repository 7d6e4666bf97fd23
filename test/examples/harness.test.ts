import { expect, it } from 'vitest';
import { GatehouseClient } from '../../examples/gatehouse-client.ts';
import { ClaimedRun } from '../../examples/harness.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { freePort } from '../support/free-port.ts';
import { Harness } from '../support/harness.ts';
import { startProcess } from '../support/service.ts';

it('an agent’s harness outlives a restart of the service: no event is missed, none comes twice, and the run goes on', async () => {
  const { kernel, config, url } = await testApp();
  const company = await makeCompany(kernel);
  const people = new Harness(url, company);
  const port = await freePort();
  const start = () => startProcess({ ...config, port });
  const first = await start();
  const task = await people.task({ tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] });
  await people.start(task);
  const claimed = (await ClaimedRun.claim(new GatehouseClient(first.url, company.workerToken), 'w-1', [task]))!;
  const { id } = claimed.run;

  const after = await claimed.client.cursor();
  const seen: string[] = [];
  const watching = (async () => {
    const ceo = new GatehouseClient(first.url, company.ceoSession);
    for await (const { kind } of ceo.events<{ cursor: string; kind: string }>('runEvents', 'kind', id, after)) {
      seen.push(kind);
      if (kind === 'FINISHED') return;
    }
  })();
  const deciding = claimed.decided('set', after);
  const held = await claimed.call('os__set_context', { key: 'k', value: 1 }, 'set');
  await expect.poll(() => seen, { timeout: 20_000 }).toEqual(['WAITING']);

  first.kill('SIGKILL');
  await first.ended;
  const gate = await people.gate(held.gate!.id);
  await people.decide(gate, { decision: 'APPROVE' });
  const finishing = claimed.finish('done');
  await start();

  expect((await deciding).call).toMatchObject({ toolCallId: 'set', status: 'SUCCEEDED', result: { key: 'k', value: 1 } });
  expect(await finishing).toMatchObject({ id, status: 'FINISHED', outcome: 'done' });
  await watching;
  expect(seen).toEqual(['WAITING', 'DECIDED', 'FINISHED']);
  claimed.close();
}, 120_000);
