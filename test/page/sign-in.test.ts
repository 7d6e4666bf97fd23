import { expect, it } from 'vitest';
import { issueSignIn } from '../../src/auth/sessions.ts';
import { testApp } from '../support/app.ts';
import { makeCompany } from '../support/company.ts';
import { graphqlData } from '../support/graphql-client.ts';
import { describeInChromium, live, openPage, signIn } from './browser.ts';

describeInChromium('signing in', async () => {
  const { kernel, url } = await testApp();
  const company = await makeCompany(kernel);
  const linkFor = (personId: string) => issueSignIn(kernel.db, company.enterpriseId, personId, kernel.now());

  it('says what is wrong with a token beside the field, and signs in with a session’s', async () => {
    const { page, problems } = await openPage();
    await page.goto(url);
    await page.getByLabel('Session token').fill(company.apiToken);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Only a sign-in link or a session token becomes a browser’s session').waitFor();
    await page.getByLabel('Session token').fill(company.ceoSession);
    await page.keyboard.press('Enter');
    await live(page);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    expect(await page.locator('.company').textContent()).toBe('Test Kites');
    expect(problems).toEqual([]);
  });

  it('signs in with a link, takes it out of the address, and refuses it a second time', async () => {
    const link = `${url}/#sign-in=${await linkFor(company.person.id)}`;
    const { page } = await openPage();
    await page.goto(link);
    await live(page);
    expect(page.url()).not.toContain('sign-in');
    await page.getByLabel('Account of Paul Paper').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('The sign-in link is unknown, expired or was used before').waitFor();
  });

  it('asks before a link signs somebody else in', async () => {
    const { page } = await openPage();
    await signIn(page, url, company.ceoSession);
    const asked = new Promise<string>((resolve) => {
      page.once('dialog', (dialog) => {
        resolve(dialog.message());
        void dialog.dismiss();
      });
    });
    await page.goto(`${url}/#sign-in=${await linkFor(company.person.id)}`);
    expect(await asked).toBe('You are signed in as Cleo Kite. Sign in with the link that was opened instead?');
    await live(page);
    await page.getByLabel('Account of Cleo Kite').waitFor();
  });

  it('signs out when the session is revoked elsewhere', async () => {
    const { page } = await openPage();
    await signIn(page, url, company.personSession);
    const token = await kernel.db.prisma.token.findFirstOrThrow({
      where: { enterpriseId: company.enterpriseId, personId: company.person.id, name: 'browser', revokedAt: null },
      orderBy: { id: 'desc' },
    });
    await graphqlData(url, company.ceoSession, 'mutation ($id: ID!) { revokeToken(id: $id) { id } }', { id: token.id });
    await page.getByText('Your session has ended. Sign in again.').waitFor();
  });
});
