import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { readConsoleFiles } from '../../src/server/console-files.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { API_TOKEN, fillWithArticles } from '../../test/cli/many-articles.ts';
import { launchChromium, NEEDS_CHROMIUM } from '../../test/support/chromium.ts';
import { type Gateway, startGateway } from '../../test/support/gateway.ts';
import { openConsole, openTab } from './support/console-page.ts';

const ARTICLES = 10_000;

describe('10,000 articles over the store', NEEDS_CHROMIUM, () => {
  let folder: string;
  let gateway: Gateway;
  let browser: Browser;
  let requests = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-gateway-many-'));
    const databaseUrl = `sqlite:${join(folder, 'kb.db')}`;
    await fillWithArticles(databaseUrl, ARTICLES);
    const backend = await openLocalBackend({ databaseUrl, apiTokens: [API_TOKEN], log: silentLog });
    const onRequest = ({ url = '' }) => {
      if (url === '/graphql') requests++;
    };
    gateway = await startGateway({ backend, local: true, token: API_TOKEN, readConsole: readConsoleFiles, onRequest });
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
    await rm(folder, { recursive: true });
  });

  /**
   * The milliseconds of the longest step, in each of which the page renders two frames or more. Counted is what scripts took
   * of the processor, so that other programs of the machine do not count.
   */
  async function longestStep(page: Page, step: () => Promise<boolean>): Promise<number> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    const scriptMs = async () => {
      const { metrics } = await cdp.send('Performance.getMetrics');
      return 1_000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN);
    };
    const durations: number[] = [];
    let last = await scriptMs();
    for (let goesOn = true; goesOn; ) {
      goesOn = await step();
      const now = await scriptMs();
      durations.push(now - last);
      last = now;
    }
    return Math.max(...durations);
  }

  const rendered = (page: Page) => page.evaluate(() => document.querySelectorAll('.rows > tr').length);

  it('are fetched by pages of 100 as one scrolls, with few rows in the page', async () => {
    const { page, troubles } = await openConsole(browser, gateway.url, `#token=${API_TOKEN}`);
    await page.getByText('10000 articles').waitFor();
    await page.getByRole('button', { name: 'Select all 10000' }).waitFor();
    const before = requests;
    const longest = await longestStep(page, () =>
      page.evaluate(async (height) => {
        const grid = document.querySelector('.grid');
        if (grid) grid.scrollTop = grid.scrollHeight;
        const frame = () => new Promise((done) => requestAnimationFrame(done));
        await frame();
        await frame();
        return (document.querySelector('.rows')?.clientHeight ?? 0) < height;
      }, 36 * ARTICLES),
    );
    expect(longest).toBeLessThan(50);
    // Each page is read once. Other reads of the start may come in between.
    expect(requests - before).toBeGreaterThanOrEqual(ARTICLES / 100 - 1);
    expect(requests - before).toBeLessThan(ARTICLES / 100 + 5);
    expect(await rendered(page)).toBeLessThan(80);
    expect(troubles).toEqual([]);
    await page.close();
  });

  it('are selected at once, changed, checked and sent as one job', { timeout: 900_000 }, async () => {
    const { page, troubles } = await openConsole(browser, gateway.url, `#token=${API_TOKEN}`);
    await page.getByRole('button', { name: 'Select all 10000' }).click();
    await page.getByText('10000 selected.').waitFor();
    await page.getByRole('combobox', { name: 'to', exact: true }).selectOption('Hidden');
    await openTab(page, 'Changes (10000)');
    await page.getByText('Checked: 10000 can be sent').waitFor();
    await page.getByRole('button', { name: 'Send 10000 changes' }).click();
    // A job of so many articles takes a minute and a half of a machine that other tests use, too.
    await page.getByText('Done: 10000 of 10000 updated.').waitFor({ timeout: 600_000 });
    await openTab(page, 'Articles');
    await page.getByText('Updated').first().waitFor();
    const { body } = await gateway.send('{ articles(filter: { hidden: true }, first: 1) { totalCount } }');
    expect(body.data).toEqual({ articles: { totalCount: ARTICLES } });
    expect(troubles).toEqual([]);
    await page.close();
  });
});
