import { expect, it } from 'vitest';
import { asOffered, offeredName } from '../../src/kernel/offered.ts';
import { Registry } from '../../src/kernel/registry.ts';
import { families } from '../../src/tools/families.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';
import { RUN, WRONG_CALLS } from './wrong-calls.ts';

const registry = new Registry(families);
const names = registry.builtIn.map(({ name }) => name);
const { kernel, url } = await testApp();
const harness = new Harness(url, await makeCompany(kernel));
const { token, runId } = await harness.run({ tools: names });

/** A message as the model reads it, beside the call that it answers. */
async function told(tool: string, args: unknown, index: number): Promise<string> {
  const sent = JSON.parse(JSON.stringify(args).replaceAll(RUN, runId));
  const { status, error } = await harness.call(token, `${tool}-${index}`, offeredName(tool), sent);
  expect([tool, args, ['HANDED_BACK', 'TOOL_ERROR'].includes(status)]).toEqual([tool, args, true]);
  expect(error!.message.length).toBeLessThan(2_000);
  expect(error!.message).toBe(asOffered(registry, error!.message));
  const call = JSON.stringify(args);
  const shown = call.length > 150 ? `${call.slice(0, 150)}… (${call.length})` : call;
  return `${offeredName(tool)} ${shown}\n${error!.code}: ${error!.message.replaceAll(runId, `<${RUN}>`)}\n`;
}

it('each tool has its wrong calls', () => {
  expect(Object.keys(WRONG_CALLS)).toEqual(names);
  for (const [tool, calls] of Object.entries(WRONG_CALLS)) expect([tool, calls.length > 3]).toEqual([tool, true]);
  expect(Object.values(WRONG_CALLS).flat().length).toBeGreaterThanOrEqual(106);
});

it('each message tells the fault, what was sent and what to send, in the spelling of models', async () => {
  const messages: string[] = [];
  for (const [tool, calls] of Object.entries(WRONG_CALLS)) {
    for (const [index, args] of calls.entries()) messages.push(await told(tool, args, index));
  }
  await expect(messages.join('\n')).toMatchFileSnapshot('wrong-calls.txt');
});
