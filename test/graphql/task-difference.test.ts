import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { graphql } from '../support/graphql-client.ts';
import { Harness } from '../support/harness.ts';

const { kernel, url } = await testApp();
const company = await makeCompany(kernel);
const harness = new Harness(url, company);
const DIFFERENCE = 'query ($task: String!, $from: Int!, $to: Int!) { taskDifference(task: $task, from: $from, to: $to) }';

it('tells what changed from one version of a task to another', async () => {
  const slug = await harness.task({ goal: 'Kites.', tools: ['os.get_context'] });
  await harness.task({ slug, goal: 'Better kites.', tools: ['os.get_context', 'os.set_context'] });
  const between = (from: number, to: number) => harness.data(company.ceoSession, DIFFERENCE, { task: slug, from, to });
  expect(await between(1, 2)).toEqual({
    taskDifference: [
      { op: 'replace', path: '/goal', value: 'Better kites.' },
      { op: 'add', path: '/tools/-', value: 'os.set_context' },
    ],
  });
  expect(await between(2, 2)).toEqual({ taskDifference: [] });
});

it('compares two versions with 299 pins each at once, in every field of a request', async () => {
  const pins = (key: string) => Array.from({ length: 299 }, (_, index) => `os.get_context#key=${key}-${index}`);
  const slug = await harness.task({ tools: pins('old') });
  await harness.task({ slug, tools: pins('new') });
  await harness.task({ slug, tools: pins('old').with(150, 'os.get_context#key=other') });
  const field = (name: string, to: number) => `${name}: taskDifference(task: "${slug}", from: 1, to: ${to})`;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const fields = Array.from({ length: 19 }, (_, index) => field(`d${index}`, 2));
  const found = await harness.data(company.ceoSession, `{ ${fields.join(' ')} one: ${field('', 3).slice(2)} }`);
  delay.disable();
  expect(found.d0).toEqual([{ op: 'replace', path: '/tools', value: pins('new') }]);
  expect(found.d18).toEqual(found.d0);
  expect(found.one).toEqual([{ op: 'replace', path: '/tools/150', value: 'os.get_context#key=other' }]);
  expect(delay.max / 1e6).toBeLessThan(1_000); // one comparison of all pairs takes longer than that
});

it('refuses a version, and a task of another enterprise, that it cannot find', async () => {
  const slug = await harness.task({ tools: ['os.get_context'] });
  const stranger = await makeCompany(kernel, 'Other Kites');
  const coded = async (token: string, to: number) => {
    const { errors } = await graphql(url, token, DIFFERENCE, { task: slug, from: 1, to });
    return errors?.map(({ extensions, message }: any) => [extensions.code, message]);
  };
  expect(await coded(company.ceoSession, 7)).toEqual([
    ['not_found', `There is no version of ${slug} with the number "7" in this enterprise.`],
  ]);
  expect(await coded(stranger.ceoSession, 1)).toEqual([['not_found', `There is no task "${slug}" in this enterprise.`]]);
});
