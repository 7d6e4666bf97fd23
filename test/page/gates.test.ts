import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';
import { describeInChromium, formLive, openPage, overflow, signIn } from './browser.ts';

const SETS = { tools: ['os.set_context', 'os.set_gate_summary', 'os.ask_ceo'], gates: [{ tool: 'os.set_context' }] };

describeInChromium('deciding gates', async () => {
  const { kernel, url } = await testApp();

  /** A company of the test's own, its CEO at the page. */
  async function atThePage(options = {}) {
    const company = await makeCompany(kernel);
    const harness = new Harness(url, company);
    const opened = await openPage(options);
    await signIn(opened.page, url, company.ceoSession);
    return { company, harness, ...opened };
  }

  it('shows a gate that a run opens without reloading; approved by keyboard, the run goes on', async () => {
    const { harness, page, problems } = await atThePage();
    await page.getByText('Nothing waits for you.').waitFor();
    const run = await harness.run({ ...SETS, name: 'Price the red delta' });
    await harness.call(run.token, 'summary', 'os.set_gate_summary', { summary: 'It costs **12** now.' });
    const call = await harness.call(run.token, 'set', 'os.set_context', { key: 'price', value: { red: 12 } });
    await page.getByRole('heading', { name: 'Price the red delta' }).waitFor();
    expect(await page.title()).toBe('(1) Gatehouse');
    expect(await page.locator('.prose strong').textContent()).toBe('12');
    expect(await page.locator('.fields.nested').innerText()).toBe('red\n12');
    expect(await page.locator('.hash code').getAttribute('title')).toBe(call.gate!.payloadHash);

    await formLive(page);
    await page.keyboard.press('a');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Approvea');
    await page.keyboard.press('Enter');
    await page.getByText('Approved: Price the red delta. The call is made, and the run goes on.').waitFor();
    await page.getByText('Nothing waits for you.').waitFor();
    expect(await page.locator('.list .row').count()).toBe(0);
    expect(await harness.runOf(run.runId)).toMatchObject({ status: 'RUNNING' });
    expect((await harness.calls(run.runId)).at(-1)).toMatchObject({ status: 'SUCCEEDED', result: { key: 'price', value: { red: 12 } } });
    expect(problems).toEqual([]);
  });

  it('approves what was edited, after showing the difference', async () => {
    const { harness, page } = await atThePage();
    const run = await harness.run(SETS);
    await harness.call(run.token, 'set', 'os.set_context', { key: 'price', value: { red: 12, blue: 9 } });
    await formLive(page);
    await page.keyboard.press('e');
    const editor = page.getByLabel('Payload as JSON').and(page.locator('textarea'));
    await editor.fill('{ "key": "price", ');
    await page.getByText('This cannot be sent').waitFor();
    await editor.fill('{ "key": "price", "value": { "red": 13, "green": 7 } }');
    expect(await page.locator('.changes li').allInnerTexts()).toEqual([
      'value.red changed\n− 12\n+ 13',
      'value.blue removed\n− 9',
      'value.green added\n+ 7',
    ]);
    await page.getByRole('button', { name: 'Approve with 3 changes' }).click();
    await page.getByText('Approved: Make kites.').waitFor();
    expect((await harness.calls(run.runId)).at(-1)).toMatchObject({
      status: 'SUCCEEDED',
      result: { key: 'price', value: { red: 13, green: 7 } },
      editedByHuman: expect.arrayContaining([{ op: 'replace', path: '/value/red', value: 13 }]),
    });
  });

  it('says beside the editor why an edit is refused', async () => {
    const { harness, page } = await atThePage();
    const run = await harness.run(SETS);
    await harness.call(run.token, 'set', 'os.set_context', { key: 'price', value: 1 });
    await page.getByRole('button', { name: 'Edit payload' }).click();
    await page.locator('textarea.code').fill('{ "key": "price", "value": 2, "extra": true }');
    await page.getByRole('button', { name: 'Approve with 2 changes' }).click();
    await page.locator('.editor .problem', { hasText: 'extra' }).waitFor();
    expect(await page.locator('.list .row').count()).toBe(1);
  });

  it('sends back with the note that it asks for', async () => {
    const { harness, page } = await atThePage();
    const run = await harness.run(SETS);
    await harness.call(run.token, 'set', 'os.set_context', { key: 'price', value: 12 });
    await page.getByRole('button', { name: 'Send back' }).click();
    await page.getByText('Say in the note what should change: the run reads it.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('s');
    await page.keyboard.type('In cents, please.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Sent back: Make kites.').waitFor();
    expect((await harness.calls(run.runId)).at(-1)).toMatchObject({
      status: 'HANDED_BACK',
      error: { code: 'gate_changes_requested', details: { note: 'In cents, please.' } },
    });
  });

  it('says who decided what, when somebody else was faster, and keeps the unsent note', async () => {
    const { harness, page } = await atThePage();
    const run = await harness.run(SETS);
    const { gate } = await harness.call(run.token, 'set', 'os.set_context', { key: 'price', value: 12 });
    await page.getByLabel('Note to the run').fill('Fine with me.');
    await harness.decide(gate!, { decision: 'REJECT', note: 'Too dear.' });
    const notice = page.locator('.notice');
    await notice.getByText('This gate was rejected by').waitFor();
    const text = await notice.textContent();
    expect(text).toMatch(/^This gate was rejected by Cleo Kite, .*That stands\. Note: Too dear\./);
    expect(text).toContain('Your note was not sent: Fine with me.');
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    expect(await page.locator('.list .row').count()).toBe(0);
  });

  it('loses a race cleanly: the decision that stands is shown', async () => {
    const { harness, page } = await atThePage();
    const run = await harness.run(SETS);
    const { gate } = await harness.call(run.token, 'set', 'os.set_context', { key: 'price', value: 12 });
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation Decide')) await harness.decide(gate!, { decision: 'REJECT' });
      await route.continue();
    });
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.locator('.notice').getByText('This gate was rejected by').waitFor();
    expect(await harness.gate(gate!.id)).toMatchObject({ status: 'REJECTED' });
  });

  it('takes an answer to each question', async () => {
    const { harness, page } = await atThePage();
    const run = await harness.run(SETS);
    const question = (number: number) => ({ number, question: `Question ${number}?`, context: 'Context.', ctoRecommendation: 'Yes.' });
    await harness.call(run.token, 'ask', 'os.ask_ceo', { questions: [question(1), question(2), question(3)] });
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await page.locator('.question .problem').allTextContents()).toEqual(Array(3).fill('Choose an answer to this question.'));
    const at = (number: number) => page.getByRole('group', { name: `Question ${number}?` });
    await at(1).getByLabel('Accept the recommendation').check();
    await at(2).getByLabel('Answer in my own words').check();
    await page.getByLabel('Your answer, question 2').fill('Only on Mondays.');
    await at(3).getByLabel('Ask for an explanation').check();
    await page.getByLabel('Note to the run').fill('Thanks.');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved: Make kites.').waitFor();
    expect(await harness.runOf(run.runId)).toMatchObject({
      ...{ status: 'FINISHED', outcome: 'ceo_approved' },
      output: {
        ceoAnswers: [
          { number: 1, kind: 'accept', text: null },
          { number: 2, kind: 'answer', text: 'Only on Mondays.' },
          { number: 3, kind: 'explain', text: null },
        ],
        ceoNote: 'Thanks.',
      },
    });
  });

  it('keeps hostile texts inert, and shows what cannot be seen', async () => {
    const { harness, page, problems } = await atThePage();
    const run = await harness.run({ ...SETS, name: '<img src=x onerror=alert(1)>' });
    const summary =
      '<script>document.title="gone"</script> [go](javascript:alert(1)) ![i](https://evil.example/i.png) [bank](https://evil.example/)';
    await harness.call(run.token, 'summary', 'os.set_gate_summary', { summary: `${summary} pay\u202Eeram` });
    await harness.call(run.token, 'set', 'os.set_context', {
      key: 'a\u200Bb',
      value: { '<b>': '<img src=x onerror="document.title=1">\u2066x' },
    });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    await page.locator('.raw summary').click();
    expect(await page.locator('.detail').locator('script, img, iframe, b').count()).toBe(0);
    const links = await page
      .locator('.prose a')
      .evaluateAll((found) => found.map((link) => [link.getAttribute('href'), link.getAttribute('rel')]));
    expect(links).toEqual(['https://evil.example/i.png', 'https://evil.example/'].map((href) => [href, 'noopener noreferrer nofollow']));
    expect(await page.locator('.prose').innerText()).toBe(
      '<script>document.title="gone"</script> [go](javascript:alert(1)) i (evil.example) bank (evil.example) payU+202Eeram',
    );
    expect(await page.locator('.detail .unseen').allTextContents()).toEqual(['U+202E', 'U+200B', 'U+2066']);
    expect(await page.locator('.raw pre').textContent()).toContain('"key": "a\\u200bb"');
    expect(asked.filter((to) => !to.startsWith(url))).toEqual([]);
    expect(problems).toEqual([]);
    expect(await page.title()).toBe('(1) Gatehouse');
  });

  it('lets somebody who is not the CEO read and not decide', async () => {
    const company = await makeCompany(kernel);
    const harness = new Harness(url, company);
    const run = await harness.run(SETS);
    await harness.call(run.token, 'set', 'os.set_context', { key: 'price', value: 12 });
    const { page } = await openPage();
    await signIn(page, url, company.personSession);
    await page.getByText('Cleo Kite decides this gate; you can read it.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  });

  it('is moved through by keyboard: list, details, filter, help', async () => {
    const { harness, page } = await atThePage();
    for (const name of ['First', 'Second', 'Third']) {
      const run = await harness.run({ ...SETS, name: `${name} task` });
      await harness.call(run.token, 'set', 'os.set_context', { key: name, value: 1 });
    }
    await page.locator('.list .row').nth(2).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Second task' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Second task');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Third task' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('first');
    expect(await page.locator('.list .row').count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await page.locator('.list .row').count()).toBe(3);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog')
      .waitFor({ state: 'detached' })
      .catch(() => {});
    expect(await page.locator('dialog[open]').count()).toBe(0);
  });

  it('fits a phone: one pane at a time, nothing wider than the screen, targets to hit', async () => {
    const { harness, page } = await atThePage({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
    const run = await harness.run(SETS);
    const long = 'x'.repeat(400);
    await harness.call(run.token, 'summary', 'os.set_gate_summary', {
      summary: `${long}\n\n|a|b|\n|-|-|\n|${long}|1|\n\n\`\`\`\n${long}\n\`\`\``,
    });
    await harness.call(run.token, 'set', 'os.set_context', { key: long, value: { [long]: { deep: [{ er: long }] } } });
    await page.locator('.list .row').waitFor();
    expect(await overflow(page)).toBe(0);
    await page.locator('.list .row').tap();
    await page.getByRole('heading', { name: 'Make kites' }).waitFor();
    expect(await page.getByLabel('Waiting gates').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Edit payload' }).tap();
    expect(await overflow(page)).toBe(0);
    const heights = await page
      .locator('.decision .button')
      .evaluateAll((found) => found.map((button) => button.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    await page.getByRole('button', { name: 'Approve' }).tap();
    await page.getByText('Nothing waits for you.').waitFor();
    expect(await harness.runOf(run.runId)).toMatchObject({ status: 'RUNNING' });
  });
});
