import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';
import { describeInChromium, formLive, held, openPage, signIn } from './browser.ts';

const SETS = { tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] };

describeInChromium('what a person did not mean to decide', async () => {
  const { kernel, url } = await testApp();

  /** A company of the test's own with gates of these names, its CEO at the page. */
  async function atGates(...names: string[]) {
    const company = await makeCompany(kernel);
    const harness = new Harness(url, company);
    const open = async (name: string) => {
      const run = await harness.run({ ...SETS, name });
      const { gate } = await harness.call(run.token, 'set', 'os.set_context', { key: 'price', value: { red: 12 } });
      return { ...gate!, runId: run.runId };
    };
    const gates: Awaited<ReturnType<typeof open>>[] = [];
    for (const name of names) gates.push(await open(name));
    const { page } = await openPage();
    await signIn(page, url, company.ceoSession);
    const status = async () => Promise.all(gates.map(async ({ id }) => (await harness.gate(id)).status));
    const shows = (name: string) => page.getByRole('heading', { name }).waitFor();
    return { harness, page, gates, open, status, shows };
  }

  /** The same with a clock that stands still from when the first form is live. */
  async function atStoppedClock(...names: string[]) {
    const at = await atGates();
    await at.page.clock.install();
    await at.page.reload();
    for (const name of names) at.gates.push(await at.open(name));
    await at.shows(names[0]!);
    await formLive(at.page);
    await at.page.clock.pauseAt(Date.now() + 3_600_000);
    const approve = at.page.getByRole('button', { name: 'Approve' });
    const box = (await approve.boundingBox())!;
    const click = async (clickCount: number) => {
      await at.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await at.page.mouse.down({ clickCount });
      await at.page.mouse.up({ clickCount });
    };
    const state = () => at.page.locator('.decision').getAttribute('data-is');
    return { ...at, approve, click, state };
  }

  it('takes one press of a double click: the gate that comes next is not decided', async () => {
    const { page, click, state, status, shows } = await atStoppedClock('First task', 'Second task');
    await click(1);
    await shows('Second task');
    for (const later of [0, 250, 150]) {
      await page.clock.runFor(later);
      await click(1);
    }
    expect(await state()).toBe('new');
    await page.clock.runFor(200);
    expect(await state()).toBe('live');
    await click(2);
    expect(await state()).toBe('live');
    expect(await status()).toEqual(['APPROVED', 'WAITING']);
  });

  it('takes nothing in the first 600 ms of a form', async () => {
    const { page, approve, state, status, shows } = await atStoppedClock('First task', 'Second task');
    await page.locator('.row', { hasText: 'Second task' }).click();
    await shows('Second task');
    await page.clock.runFor(599);
    await approve.click({ force: true });
    await page.locator('.detail h2').press('a');
    expect([await state(), await page.locator('.hint').textContent()]).toEqual(['new', '']);
    await page.clock.runFor(1);
    expect(await state()).toBe('live');
    expect(await status()).toEqual(['WAITING', 'WAITING']);
    await approve.click();
    await page.getByText('Approved: Second task.').waitFor();
    expect(await status()).toEqual(['WAITING', 'APPROVED']);
  });

  it('takes no key that is held down', async () => {
    const { page, status, shows } = await atGates('First task', 'Second task', 'Third task');
    await formLive(page);
    await page.keyboard.press('a');
    await page.keyboard.down('Enter');
    await shows('Second task');
    await formLive(page);
    await page.getByRole('button', { name: 'Approve' }).focus();
    for (let repeat = 0; repeat < 20; repeat++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    expect(await page.locator('.decision').getAttribute('data-is')).toBe('live');
    expect(await status()).toEqual(['APPROVED', 'WAITING', 'WAITING']);
  });

  it('stays where the person is when the gate is decided elsewhere: the rest of the sentence is no command', async () => {
    const { harness, page, gates, status } = await atGates('First task', 'Second task');
    await formLive(page);
    const note = page.getByLabel('Note to the run');
    await note.pressSequentially('We are ');
    await harness.decide(gates[0]!, { decision: 'REJECT' });
    await page.locator('.notice').getByText('This gate was rejected by').waitFor();
    expect(await note.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type('going a different way this year');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    expect(page.url()).toBe(`${url}/#gate/${gates[0]!.id}`);
    expect([await note.inputValue(), await note.getAttribute('readonly')]).toEqual(['We are ', '']);
    expect(await status()).toEqual(['REJECTED', 'WAITING']);
  });

  it('keeps the focus on the button that was about to be pressed when its gate ends, and presses nothing', async () => {
    const { harness, page, gates, status } = await atGates('First task', 'Second task');
    await formLive(page);
    await page.keyboard.press('a');
    await harness.decide(gates[0]!, { decision: 'REJECT' });
    await page.locator('.notice').getByText('This gate was rejected by').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Approvea');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    expect(await status()).toEqual(['REJECTED', 'WAITING']);
  });

  it('sends the edit that its label tells, also when the editor was closed', async () => {
    const { harness, page, gates } = await atGates('First task');
    await formLive(page);
    await page.keyboard.press('e');
    await page.locator('textarea.code').fill('{ "key": "price", "value": { "red": 13 } }');
    await page.getByRole('button', { name: 'Edit payload' }).click();
    expect(await page.locator('textarea.code').isVisible()).toBe(false);
    expect(await page.locator('.changes li').allInnerTexts()).toEqual(['value.red changed\n− 12\n+ 13']);
    await page.getByRole('button', { name: 'Approve with 1 change' }).click();
    await page.getByText('Approved: First task.').waitFor();
    expect((await harness.calls(gates[0]!.runId)).at(-1)).toMatchObject({ result: { value: { red: 13 } } });
  });

  it('approves nothing while what was written in the closed editor is no JSON', async () => {
    const { page, status } = await atGates('First task');
    await formLive(page);
    await page.keyboard.press('e');
    await page.locator('textarea.code').fill('{ "key": ');
    await page.getByRole('button', { name: 'Edit payload' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await page.locator('textarea.code').isVisible()).toBe(true);
    expect(await page.locator('.editor .problem').textContent()).toMatch(/^This cannot be sent/);
    expect(await status()).toEqual(['WAITING']);
  });

  it('takes a form away before the next one is read', async () => {
    const { page, status, shows } = await atGates('First task', 'Second task');
    await formLive(page);
    await page.keyboard.press('a');
    const slow = await held(page, 'query OneGate');
    await page.locator('.row', { hasText: 'Second task' }).evaluate((row: HTMLElement) => row.click());
    await slow.asked;
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    slow.release();
    await shows('Second task');
    await formLive(page);
    expect(await status()).toEqual(['WAITING', 'WAITING']);
  });

  it('leaves a person where they went while the answer to a decision was slow', async () => {
    const { page, status, shows } = await atGates('First task', 'Second task', 'Third task');
    await formLive(page);
    const slow = await held(page, 'mutation Decide');
    await page.getByRole('button', { name: 'Approve' }).click();
    await slow.asked;
    await page.locator('.row', { hasText: 'Third task' }).click();
    await shows('Third task');
    await page.getByLabel('Note to the run').pressSequentially('Not this ');
    slow.release();
    await page.getByText('Approved: First task.').waitFor();
    await page.keyboard.type('one');
    expect(await page.getByLabel('Note to the run').inputValue()).toBe('Not this one');
    expect(await page.locator('.detail h2').textContent()).toBe('Third task');
    expect(await status()).toEqual(['APPROVED', 'WAITING', 'WAITING']);
  });

  it('moves neither focus nor place while gates open and end', async () => {
    const { harness, page, gates, open } = await atGates('First task', 'Second task', 'Third task');
    await formLive(page);
    await page.locator('.row', { hasText: 'Second task' }).focus();
    await harness.decide(gates[2]!, { decision: 'REJECT' });
    await open('Fourth task');
    await page.locator('.row', { hasText: 'Fourth task' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.querySelector('.title')?.textContent)).toBe('Second task');
    await harness.decide(gates[1]!, { decision: 'REJECT' });
    await expect.poll(() => page.locator('.title').allTextContents()).toEqual(['First task', 'Fourth task']);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Waiting gates');
    await page.keyboard.press('j');
    expect(await page.evaluate(() => document.activeElement?.querySelector('.title')?.textContent)).toBe('Fourth task');
  });
});
