import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where a Chromium is installed; undefined where none is, and browser tests are skipped. */
export const chromiumPath = PLACES.find((place) => existsSync(place));

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

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ ...(chromiumPath && { executablePath: chromiumPath }), args: FLAGS });

export interface WatchedPage {
  readonly page: Page;
  /** What went wrong on the page, and what it asked of other hosts: every such request is refused. */
  readonly troubles: readonly string[];
}

/** A page that reaches one origin and nothing else. */
export async function openPage(browser: Browser, origin: string): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const troubles: string[] = [];
  page.on('pageerror', ({ message }) => troubles.push(`uncaught: ${message}`));
  await page.route(/^(?!blob:|data:)/u, async (route) => {
    const { origin: asked, href } = new URL(route.request().url());
    if (asked === origin) return route.continue();
    troubles.push(`request to another host: ${href}`);
    return route.abort();
  });
  return { page, troubles };
}
