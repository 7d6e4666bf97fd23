import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { copyRun, copyTask } from '../support/copies.ts';
import { Harness } from '../support/harness.ts';
import { describeInChromium, formLive, live, openPage, overflow, signIn } from './browser.ts';

describeInChromium('blockers', async () => {
  const { kernel, url } = await testApp();

  async function atBlockers(options = {}) {
    const company = await makeCompany(kernel);
    const harness = new Harness(url, company);
    const opened = await openPage(options);
    await signIn(opened.page, url, company.ceoSession, '#blockers');
    return { company, harness, ...opened };
  }

  it('shows a run that fails without reloading, and retries it with a note', async () => {
    const { harness, page, problems } = await atBlockers();
    await page.getByText('Nothing has stopped').waitFor();
    const run = await harness.run({ name: 'Post the newsletter' });
    await harness.drive('failRun', run.token, { runId: run.runId, code: 'mail_down', reason: 'Refused three times.' });
    await page.getByRole('heading', { name: 'Post the newsletter' }).waitFor();
    expect(await page.locator('.detail .text').first().textContent()).toBe('Refused three times.');
    await formLive(page);
    await page.keyboard.press('r');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Write a note: whoever looks at this run later reads it.').waitFor();
    await page.keyboard.type('The provider is back.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('A new run was started: Post the newsletter.').waitFor();
    expect(await page.locator('.panes:not([hidden]) .list .row').count()).toBe(0);
    expect(await harness.claim()).toMatchObject({ attempt: 1 });
    expect(problems).toEqual([]);
  });

  it('routes to a successor of the task, clears, and escalates', async () => {
    const { harness, page } = await atBlockers();
    const next = await harness.task({ name: 'Repair' });
    const failed = async (name: string) => {
      const run = await harness.run({ name, successors: [{ outcome: 'broken', task: next }] });
      await harness.drive('failRun', run.token, { runId: run.runId, code: 'x', reason: name });
      await page.locator('.title', { hasText: name }).waitFor();
      await page.locator('.row', { hasText: name }).click();
      await page.getByRole('heading', { name }).waitFor();
      return run;
    };
    await failed('To route');
    await page.getByRole('radio', { name: 'Route' }).check();
    expect(await page.getByLabel('Task to route to').locator('option').allTextContents()).toEqual([next]);
    await page.getByLabel('Note, which stays on the run').fill('Repair it first.');
    await page.getByRole('button', { name: 'Route this run' }).click();
    await page.getByText('The work was routed: To route.').waitFor();
    expect((await harness.claim(next))?.input).toMatchObject({ routedFrom: { note: 'Repair it first.' } });

    const cleared = await failed('To clear');
    await page.getByRole('radio', { name: 'Clear' }).check();
    await page.getByLabel('Note, which stays on the run').fill('Not needed.');
    await page.getByRole('button', { name: 'Clear this run' }).click();
    await page.getByText('Cleared: To clear.').waitFor();
    expect(await harness.runOf(cleared.runId)).toMatchObject({ status: 'FAILED' });

    await failed('To escalate');
    await page.getByRole('radio', { name: 'Escalate' }).check();
    await page.getByLabel('Note, which stays on the run').fill('Yours.');
    await page.getByRole('button', { name: 'Escalate this run' }).click();
    await page.getByRole('heading', { name: 'Escalated' }).waitFor();
    expect(await page.locator('.row .chip', { hasText: 'escalated' }).count()).toBe(1);
  });

  it('loads further pages of runs and of sections, and finds a run that stands on one', async () => {
    const { company, harness, page, problems } = await atBlockers();
    const task = await harness.task({ slug: 'a-task' });
    await copyTask(kernel.db, company.enterpriseId, task, 200);
    const run = await harness.run({ name: 'Fly a kite', metric: 'One.' });
    await harness.drive('blockRun', run.token, { runId: run.runId, blockClass: 'wind', reason: 'None.' });
    await copyRun(kernel.db, run.runId, 149, `jsonb_build_object('reason', 'No wind ' || n)`);
    await page.reload();
    await live(page);
    const rows = page.locator('.panes:not([hidden]) .list .row');
    await page.getByRole('button', { name: 'Show more stopped runs (50 not shown)' }).waitFor();
    expect(await rows.count()).toBe(100);
    const metric = page.locator('.sections section', { hasText: 'Tasks without a metric' });
    expect([await metric.locator('li').count(), await metric.locator('.count').textContent()]).toEqual([200, '200+']);
    await metric.getByRole('button', { name: 'Show more' }).click();
    await metric.locator('li').nth(200).waitFor();
    expect(await metric.locator('.count').textContent()).toBe('201');
    await page.getByRole('button', { name: /^Show more stopped runs/ }).click();
    await rows.nth(149).waitFor();
    expect(await page.getByRole('button', { name: /^Show more stopped runs/ }).count()).toBe(0);
    const { id } = await kernel.db.prisma.run.findFirstOrThrow({ where: { enterpriseId: company.enterpriseId, reason: 'No wind 149' } });
    await page.goto(`${url}/#blocker/${id}`);
    await page.reload();
    await page.locator('.detail .text', { hasText: 'No wind 149' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('lists the other sections, says why a move is impossible, and fits a phone', async () => {
    const { harness, page } = await atBlockers({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
    const run = await harness.run({ name: 'Nobody measures this' });
    await harness.drive('blockRun', run.token, { runId: run.runId, blockClass: 'needs_access', reason: 'y'.repeat(300) });
    await page.reload();
    await live(page);
    await page.locator('.sections', { hasText: 'Tasks without a metric' }).getByText('Nobody measures this').waitFor();
    expect(await overflow(page)).toBe(0);
    await page.locator('.panes:not([hidden]) .list .row').tap();
    await page.getByText('needs_access').waitFor();
    expect(await page.getByRole('radio', { name: 'Route' }).isDisabled()).toBe(true);
    expect(await page.locator('.why-not').textContent()).toMatch(/^No earlier stage of this work/);
    expect(await overflow(page)).toBe(0);
  });
});
