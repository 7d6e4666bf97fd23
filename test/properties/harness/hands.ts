import type { Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import type { Decision } from './calls.ts';
import { eventually } from './wait.ts';

/** A decision as the page sent it, and what the button said on which it was sent. */
export interface Sent {
  input: Decision & { note?: string };
  label: string;
}

/** Writes down each decision in the moment in which the page sends it. */
function writeDown() {
  const sent: Sent[] = [];
  Object.assign(window, { sent });
  const { fetch } = window;
  window.fetch = (to, options) => {
    const body = String(options?.body ?? '');
    const label = document.querySelector('.decision .primary span')?.textContent ?? '';
    if (body.includes('mutation Decide')) sent.push({ input: JSON.parse(body).variables.input, label });
    return fetch(to, options);
  };
}

/** What somebody sees: nothing is undefined there but what is not there. */
export interface Shown {
  mark?: string;
  note?: string;
  /** Whether the note can be written in. */
  isOpen: boolean;
}

/** What happens to what the page asks for: it takes so long, and its answer is lost or not. */
export interface Network {
  delay: () => number;
  isLost: () => boolean;
}

/** The page of a company's CEO, at which hands are played. Its clock stands still except where an act lets it go on. */
export class Hands {
  private constructor(
    readonly page: Page,
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async at(url: string, session: string, network: Network): Promise<Hands> {
    const browser = await launchChromium();
    const page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    await page.addInitScript(writeDown);
    await page.clock.install();
    await page.goto(url);
    await page.getByLabel('Session token').fill(session);
    await page.keyboard.press('Enter');
    await page.locator('.state[data-is=live]').waitFor();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.route('**/graphql', async (route) => {
      const decides = route.request().postData()?.includes('mutation Decide') === true;
      await new Promise((resolve) => setTimeout(resolve, network.delay()));
      if (decides && network.isLost()) {
        await route.fetch().catch(() => {});
        await route.abort().catch(() => {});
      } else await route.continue().catch(() => {});
    });
    return new Hands(page, url, () => browser.close());
  }

  /** Lets the page's time go on. */
  passes = (milliseconds: number) => this.page.clock.runFor(milliseconds);

  /** What stands on the screen at one moment: the mark of the gate, read from its payload as a person reads it, and its note. */
  shown(): Promise<Shown> {
    return this.page.evaluate(() => {
      const detail = document.querySelector('.panes:not([hidden]) .detail');
      const note = detail?.querySelector<HTMLTextAreaElement>('.decision textarea');
      return {
        mark: detail?.querySelector('.fields > dd')?.textContent ?? undefined,
        note: note?.value,
        isOpen: note?.readOnly === false,
      };
    });
  }

  /** The decisions sent since it was last asked. */
  sent = (): Promise<Sent[]> => this.page.evaluate(() => (window as unknown as { sent: Sent[] }).sent.splice(0));

  /** Waits until no answer is awaited; what waits to try again does so. */
  async settles(): Promise<void> {
    const busy = '.panes:not([hidden]) :is(form[data-is=sending], .loading)';
    await eventually('page that waits for nothing', async () => {
      const waits = await this.page.locator(busy).count();
      if (waits > 0) await this.passes(50);
      return waits === 0;
    });
  }

  /** Waits until the form that is shown takes decisions, if there is one. */
  async comesAlive(): Promise<void> {
    await this.settles();
    await this.passes(600);
  }

  /** Opens the page anew at this place, or where it is. */
  async opens(place?: string): Promise<void> {
    if (place !== undefined) await this.page.goto(`${this.url}/#${place}`);
    await this.page.reload();
    await eventually('live page', async () => {
      await this.passes(50);
      return (await this.page.locator('.state[data-is=live]').count()) > 0;
    });
    await this.settles();
  }
}
