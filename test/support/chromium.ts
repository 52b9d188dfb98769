import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { needs } from './needs.ts';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const chromiumPath = PATHS.find((path) => existsSync(path));

export const NEEDS_CHROMIUM = needs(chromiumPath !== undefined, `there is no Chromium at ${PATHS.join(', ')}`);

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The longest that a test waits for the browser, which only ends what would wait forever. */
const LONGEST_WAIT_MS = 120_000;

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ ...(chromiumPath && { executablePath: chromiumPath }), args: FLAGS, timeout: LONGEST_WAIT_MS });

export interface WatchedPage {
  readonly page: Page;
  /** Errors of the page, and its requests to other hosts, all of which are blocked. */
  readonly troubles: readonly string[];
}

/** A page that can reach one origin only. */
export async function openPage(browser: Browser, origin: string): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  const troubles: string[] = [];
  page.on('pageerror', ({ message }) => troubles.push(`uncaught: ${message}`));
  await page.route(/^(?!blob:|data:)/u, async (route) => {
    const { origin: requested, href } = new URL(route.request().url());
    if (requested === origin) return route.continue();
    troubles.push(`request to another host: ${href}`);
    return route.abort();
  });
  return { page, troubles };
}
