import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { graphqlData } from '../support/graphql-client.ts';
import { Harness } from '../support/harness.ts';
import { describeInChromium, formLive, held, live, openPage, signIn } from './browser.ts';

const SETS = { tools: ['os.set_context', 'os.ask_ceo'], gates: [{ tool: 'os.set_context' }] };
const EDIT = '{ "key": "price", "value": 13 }';

describeInChromium('what was written', async () => {
  const { kernel, url } = await testApp();

  async function at(place = '') {
    const company = await makeCompany(kernel);
    const harness = new Harness(url, company);
    const { page } = await openPage();
    const open = async (name: string) => {
      const run = await harness.run({ ...SETS, name });
      return (await harness.call(run.token, 'set', 'os.set_context', { key: 'price', value: 12 })).gate!;
    };
    const note = page.locator('.panes:not([hidden]) textarea.grows');
    const isHeld = () => note.evaluate((element) => element === document.activeElement);
    await signIn(page, url, company.ceoSession, place);
    return { company, harness, page, open, note, isHeld };
  }

  it('survives a refresh: note, edit and answers', async () => {
    const { harness, page, open, note } = await at();
    await open('First task');
    await formLive(page);
    await note.fill('In cents, ');
    await page.getByRole('button', { name: 'Edit payload' }).click();
    await page.locator('textarea.code').fill(EDIT);
    await page.reload();
    await page.getByRole('button', { name: 'Approve with 1 change' }).waitFor();
    expect([await note.inputValue(), await page.locator('textarea.code').inputValue()]).toEqual(['In cents, ', EDIT]);

    const run = await harness.run({ ...SETS, name: 'Asking task' });
    const question = { number: 1, question: 'Which?', context: 'Two.', ctoRecommendation: 'Red.' };
    await harness.call(run.token, 'ask', 'os.ask_ceo', { questions: [question] });
    await page.locator('.row', { hasText: 'Asking task' }).click();
    await page.getByLabel('Answer in my own words').check();
    const answer = page.locator('.question textarea');
    await answer.fill('Blue, but ');
    await page.getByLabel('Accept the recommendation').check();
    await page.reload();
    await page.getByLabel('Answer in my own words').check();
    expect(await answer.inputValue()).toBe('Blue, but ');
  });

  it('stays with a gate that was decided elsewhere, also after a refresh, and is nobody else’s', async () => {
    const { company, harness, page, open, note } = await at();
    const gate = await open('First task');
    await formLive(page);
    await note.fill('Half a thought');
    await page.getByRole('button', { name: 'Edit payload' }).click();
    await page.locator('textarea.code').fill(EDIT);
    await harness.decide(gate, { decision: 'REJECT' });
    const unsent = page.locator('.notice').getByText('Your note was not sent: Half a thought');
    await unsent.waitFor();
    await page.reload();
    await unsent.waitFor();
    const code = page.locator('textarea.code');
    expect([await code.inputValue(), await code.getAttribute('readonly'), await note.inputValue()]).toEqual([EDIT, '', 'Half a thought']);
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel('Session token').fill(company.personSession);
    await page.keyboard.press('Enter');
    await page.locator('.notice').getByText('This gate was rejected by').waitFor();
    expect(await unsent.count()).toBe(0);
  });

  it('survives the end of the session, and the rest of the sentence goes into no field', async () => {
    const { company, page, open, note } = await at();
    await open('First task');
    await formLive(page);
    await note.pressSequentially('Half a ');
    const token = await kernel.db.prisma.token.findFirstOrThrow({
      where: { enterpriseId: company.enterpriseId, personId: company.ceo.id, name: 'browser', revokedAt: null },
    });
    await graphqlData(url, company.ceoSession, 'mutation ($id: ID!) { revokeToken(id: $id) { id } }', { id: token.id });
    await page.getByText('Your session has ended. Sign in again.').waitFor();
    await page.keyboard.type('thought');
    expect(await page.getByLabel('Session token').inputValue()).toBe('');
    await page.getByLabel('Session token').fill(company.ceoSession);
    await page.keyboard.press('Enter');
    await live(page);
    await formLive(page);
    expect(await note.inputValue()).toBe('Half a ');
  });

  it('is dropped once it is sent', async () => {
    const { harness, page, open, note } = await at();
    const gate = await open('First task');
    await formLive(page);
    await note.fill('Fine.');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved: First task.').waitFor();
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
    expect(await harness.gate(gate.id)).toMatchObject({ status: 'APPROVED', note: 'Fine.' });
  });

  it('is told to be unsure when an answer is lost, and read: the decision arrived, or the gate still waits', async () => {
    const { harness, page, open } = await at();
    const [first, second] = [await open('First task'), await open('Second task')];
    await formLive(page);
    let arrives = false;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation Decide')) return route.fallback();
      if (arrives) await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('No answer came. The gate was read again and still waits').waitFor();
    expect(await harness.gate(first.id)).toMatchObject({ status: 'WAITING' });
    arrives = true;
    await page.getByLabel('Note to the run').fill('Fine.');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.locator('.notice').getByText('This gate was approved by').waitFor();
    expect(await page.locator('.notice').textContent()).not.toContain('not sent');
    expect([(await harness.gate(first.id)).status, (await harness.gate(second.id)).status]).toEqual(['APPROVED', 'WAITING']);
  });

  it('hears of an end that comes while a decision is under way that fails', async () => {
    const { harness, page, open, note } = await at();
    const gate = await open('First task');
    await formLive(page);
    await note.fill('Fine.');
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation Decide')) return route.fallback();
      await harness.decide(gate, { decision: 'REJECT' });
      await open('Second task');
      await page.locator('.row', { hasText: 'Second task' }).waitFor();
      await route.fulfill({ json: { errors: [{ message: 'It broke.', extensions: { code: 'INTERNAL' } }] } });
    });
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.locator('.notice').getByText('This gate was rejected by').waitFor();
    expect(await page.locator('.notice').textContent()).toContain('Your note was not sent: Fine.');
  });

  it('stays at a blocker through its events, its end and a refresh', async () => {
    const { company, harness, page, note, isHeld } = await at('#blockers');
    const run = await harness.run({ name: 'Stopped task' });
    await harness.drive('failRun', run.token, { runId: run.runId, code: 'x', reason: 'No wind.' });
    await formLive(page);
    await page.keyboard.press('c');
    await note.pressSequentially('Not ');
    await harness.drive('escalateRun', company.ceoSession, { runId: run.runId, to: 'CEO', note: 'Look.' });
    await page.getByRole('heading', { name: 'Escalated' }).waitFor();
    expect([await isHeld(), await page.getByRole('radio', { name: 'Clear' }).isChecked()]).toEqual([true, true]);
    await page.keyboard.type('needed ');
    await page.reload();
    await formLive(page);
    expect(await note.inputValue()).toBe('Not needed ');
    await note.focus();
    await harness.drive('retryRun', company.ceoSession, { runId: run.runId, note: 'Again.' });
    await page.locator('.notice').getByText('Your note was not sent: Not needed').waitFor();
    await page.keyboard.type('going back');
    expect([await isHeld(), await note.inputValue(), page.url()]).toEqual([true, 'Not needed ', `${url}/#blocker/${run.runId}`]);
  });

  it('is sent with one move of a blocker, however slow the answer', async () => {
    const { harness, page, note } = await at('#blockers');
    const run = await harness.run({ name: 'Stopped task' });
    await harness.drive('failRun', run.token, { runId: run.runId, code: 'x', reason: 'No wind.' });
    await formLive(page);
    await page.keyboard.press('c');
    await note.fill('Not needed.');
    const slow = await held(page, 'mutation Clear');
    await page.keyboard.press('Control+Enter');
    await slow.asked;
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('more');
    expect(await note.inputValue()).toBe('Not needed.');
    slow.release();
    await page.getByText('Cleared: Stopped task.').waitFor();
    await page.getByText('Nothing has stopped').waitFor();
  });
});
