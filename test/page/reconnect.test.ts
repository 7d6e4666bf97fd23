import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { freePort } from '../support/free-port.ts';
import { Harness } from '../support/harness.ts';
import { startProcess } from '../support/service.ts';
import { describeInChromium, live, openPage, signIn } from './browser.ts';

describeInChromium('a lost connection', async () => {
  const { kernel, config, url } = await testApp();

  const sets = { tools: ['os.set_context'], gates: [{ tool: 'os.set_context' }] };

  it('goes on behind the last event once the service is back: nothing reloaded, nothing missed', { timeout: 180_000 }, async () => {
    const company = await makeCompany(kernel);
    const harness = new Harness(url, company);
    const gateOf = async (name: string) => {
      const run = await harness.run({ ...sets, name });
      return (await harness.call(run.token, 'set', 'os.set_context', { key: name, value: 1 })).gate!;
    };
    const port = await freePort();
    const start = () => startProcess({ ...config, port });
    const kill = async (service: Awaited<ReturnType<typeof start>>) => {
      service.kill('SIGKILL');
      await service.ended;
      await page.getByText('Connection lost').waitFor();
    };
    const titles = () => page.getByLabel('Waiting gates').locator('.title').allTextContents();
    const { page } = await openPage();
    const first = await start();
    const [one, two] = [await gateOf('One'), await gateOf('Two')];
    await signIn(page, first.url, company.ceoSession);
    await page.locator('.title', { hasText: 'Two' }).waitFor();
    await page.getByLabel('Note to the run').fill('Half a thought');
    await page.evaluate(() => document.body.setAttribute('data-same', 'true'));

    await kill(first);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('No answer came, so the decision may or may not have arrived.').waitFor();
    await harness.decide(two, { decision: 'REJECT' });
    await gateOf('Three');
    const second = await start();
    await live(page);
    await page.locator('.title', { hasText: 'Three' }).waitFor();
    expect(await titles()).toEqual(['One', 'Three']);
    expect(await page.getByLabel('Note to the run').inputValue()).toBe('Half a thought');

    // The events behind its cursor are gone: it reads everything anew.
    await kill(second);
    await harness.decide(one, { decision: 'APPROVE' });
    await gateOf('Four');
    await kernel.db.prisma.event.deleteMany({ where: { enterpriseId: company.enterpriseId } });
    await start();
    await page.locator('.title', { hasText: 'Four' }).waitFor();
    expect(await titles()).toEqual(['Three', 'Four']);
    await page.locator('.notice').getByText('This gate was approved by').waitFor();
    await live(page);
    expect(await page.locator('body').getAttribute('data-same')).toBe('true');
  });
});
