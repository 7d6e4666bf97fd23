import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium';

const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

export const NO_CHROMIUM = `there is no ${executablePath} (CHROMIUM_PATH names another)`;

/** Whether there is a browser. @throws where CI is set and there is none */
export function hasChromium(): boolean {
  const there = existsSync(executablePath);
  if (!there && process.env.CI) throw new Error(`Suites named "Chromium" would be left out, as ${NO_CHROMIUM}.`);
  return there;
}

export const launchChromium = (): Promise<Browser> => chromium.launch({ executablePath, args: FLAGS });
