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
