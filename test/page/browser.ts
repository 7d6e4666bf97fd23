import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, onTestFinished } from 'vitest';
import { hasChromium, launchChromium, NO_CHROMIUM } from '../support/chromium.ts';

/** A suite that needs a browser. Without one it leaves itself out and says so. */
export function describeInChromium(name: string, tests: () => void) {
  const there = hasChromium();
  if (!there) console.log(`Left out: every suite named "Chromium", as ${NO_CHROMIUM}.`);
  describe.skipIf(!there)(`Chromium: ${name}`, { timeout: 60_000 }, tests);
}

let browser: Promise<Browser> | undefined;
const launched = () => {
  browser ??= launchChromium();
  return browser;
};
afterAll(async () => (await browser)?.close());

/** What went wrong in a page that nobody asked for: uncaught errors, and what its policy refused. */
export interface Opened {
  page: Page;
  problems: string[];
}

/** A page in a browser profile of its own, closed at the end of the test. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await (await launched()).newContext({ locale: 'en-GB', timezoneId: 'Europe/Lisbon', ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && /policy|trusted/i.test(message.text())) problems.push(message.text());
  });
  return { page, problems };
}

/** Opens the page and signs in with a session token, up to the live inbox. */
export async function signIn(page: Page, url: string, token: string, place = '') {
  await page.goto(`${url}/${place}`);
  await page.getByLabel('Session token').fill(token);
  await page.keyboard.press('Enter');
  await live(page);
}

/** Resolves once the page hears of what happens. */
export const live = (page: Page) => page.locator('.state[data-is=live]').waitFor();

/** Resolves once the form at which something is decided takes what is done to it. */
export const formLive = (page: Page) => page.locator('form[data-is=live]').waitFor();

/** How far the page is wider than its window, in pixels. */
export const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** Holds back every request with this operation, from when it is asked for until all are released; `asked` resolves at the first. */
export async function held(page: Page, operation: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = page.waitForRequest((request) => request.postData()?.includes(operation) === true);
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes(operation)) return route.fallback();
    await released;
    await route.continue();
  });
  return { asked, release };
}
