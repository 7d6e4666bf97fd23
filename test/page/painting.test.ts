import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { Harness } from '../support/harness.ts';
import { describeInChromium, formLive, openPage, signIn } from './browser.ts';

const SETS = { tools: ['os.set_context', 'os.set_gate_summary'], gates: [{ tool: 'os.set_context' }] };
const ABOVE = '\u0300'.repeat(60);
const STACK = `o${ABOVE}\u0336\u0323`;

/** The same picture, whatever is put into an element as it is: nothing of it is painted elsewhere. */
async function paintsElsewhere(page: Page, facts: string, written: string) {
  const mask = [page.locator('time'), page.locator(written)];
  const picture = () => page.locator(facts).screenshot({ mask, animations: 'disabled' });
  const put = (text: string) =>
    page
      .locator(written)
      .first()
      .evaluate((element, put) => {
        element.textContent = put;
      }, text);
  await put('o');
  const plain = await picture();
  await put(`o${'\u0300'.repeat(400)}${'\u0323'.repeat(400)}`);
  return !plain.equals(await picture());
}

describeInChromium('what a run wrote', async () => {
  const { kernel, url } = await testApp();

  async function at(summary: string, value: unknown) {
    const company = await makeCompany(kernel);
    const harness = new Harness(url, company);
    const run = await harness.run(SETS);
    await harness.call(run.token, 'summary', 'os.set_gate_summary', { summary });
    await harness.call(run.token, 'set', 'os.set_context', { key: 'price', value });
    const { page } = await openPage();
    await signIn(page, url, company.ceoSession);
    await formLive(page);
    return { harness, page };
  }

  it('has combining marks beyond four on one character marked, and all on none', async () => {
    const { page } = await at(`Pay ${STACK} now\n\nTi\u1ebfng Vi\u1ec7t, e\u0301\n\n\u0336 x`, { red: STACK });
    expect(await page.locator('.prose .unseen').allTextContents()).toEqual(['+58 marks', '+1 marks']);
    expect(await page.locator('.fields .unseen').allTextContents()).toEqual(['+58 marks']);
    expect(await page.locator('.prose p').nth(1).textContent()).toBe('Ti\u1ebfng Vi\u1ec7t, e\u0301');
    expect(await page.locator('.row-text .unseen').allTextContents()).toEqual(['+58 marks']);
    expect(await page.locator('.raw pre').textContent()).toContain('\\u0300');
  });

  it('is painted within its frame alone', async () => {
    const { page } = await at('Fine.', { red: 'Fine.' });
    expect(await page.locator('.written').count()).toBe(2);
    expect(await paintsElsewhere(page, '.detail header', '.prose p')).toBe(false);
    expect(await paintsElsewhere(page, '.detail header', '.fields .text')).toBe(false);
    expect(await paintsElsewhere(page, '.detail header', '.facts > div:nth-child(2) > dd')).toBe(false);
    expect(await paintsElsewhere(page, '[aria-label="Waiting gates"]', '.row-text')).toBe(false);
  });

  it('is framed at a blocker too', async () => {
    const { harness, page } = await at('Fine.', 1);
    const run = await harness.run({ name: 'Stopped task' });
    await harness.drive('failRun', run.token, { runId: run.runId, code: 'x', reason: `No ${STACK} wind` });
    await page.goto(`${url}/#blockers`);
    await page.locator('.written .unseen', { hasText: '+58 marks' }).waitFor();
    expect(await paintsElsewhere(page, '.panes:not([hidden]) .detail header', '.panes:not([hidden]) .written')).toBe(false);
  });
});
