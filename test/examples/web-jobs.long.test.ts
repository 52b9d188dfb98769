import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DemoGateway, startDemoGateway } from '../clients/demo-gateway.ts';
import { launchChromium, NEEDS_CHROMIUM, openPage, type WatchedPage } from '../support/chromium.ts';
import { NEEDS_PAGE_PACKAGES, type Site, seriousIssues, startPage, wideParts } from '../support/example-page.ts';
import {
  type Behaviour,
  type FaultyService,
  forwardedTo,
  held,
  openFaultyService,
  reset,
  status,
} from '../support/faulty-service.ts';

const BULK_UPDATE = 'PUT /v2/Articles/bulkupdate';

describe('jobs in the example page', NEEDS_PAGE_PACKAGES.skip ? NEEDS_PAGE_PACKAGES : NEEDS_CHROMIUM, () => {
  let store: DemoGateway;
  let service: FaultyService;
  let site: Site;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  // Each test has knowledge of its own, and jobs of its own: the page shows all of a person.
  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(() => browser?.close());

  beforeEach(async () => {
    store = await startDemoGateway();
    service = await openFaultyService();
    service.onAny(forwardedTo(store.url));
    site = await startPage({
      UPSTREAM_URL: service.url,
      UPSTREAM_API_TOKEN: store.target.token,
      UPSTREAM_BULK_SIZE: '4',
    });
    watched = await openPage(browser, site.url);
    ({ page } = watched);
    page.on('dialog', (dialog) => dialog.accept());
    await page.goto(`${site.url}/#password=${site.password}`);
    await button('Sign in').click();
    await openArticles();
  });

  afterEach(async () => {
    await page?.close();
    await site?.stop();
    await service?.close();
    await store?.close();
    expect(watched.troubles).toEqual([]);
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const card = () => page.getByRole('group', { name: '10 updates, started' });
  const focusedCard = () => card().and(page.locator(':focus'));
  const count = (text: string) => card().getByRole('list', { name: 'Counts' }).getByText(text, { exact: true });
  const outcomes = () => card().getByRole('list', { name: 'Outcomes' }).getByRole('listitem');
  const progress = () => card().getByRole('progressbar', { name: 'Progress' });

  async function openArticles(): Promise<void> {
    await button('Articles').click();
    await page.getByRole('table').waitFor();
  }

  /** Gives all ten articles other titles. */
  async function startJob(): Promise<void> {
    await button('Select all 10').click();
    await page.getByText('10 selected', { exact: true }).waitFor();
    for (const row of await page.getByRole('textbox', { name: /^Title of /u }).all()) {
      await row.fill(`${await row.inputValue()} of today`);
    }
    await button('Preview').click();
    await button('Send 10 updates').waitFor();
    await button('Update in the background').click();
  }

  /** The service applies the update, and nobody learns that. */
  const appliedWithoutAnswer: Behaviour = async (response, request) => {
    const { status: answered } = await fetch(store.url + request.url, {
      method: request.method,
      headers: { 'content-type': 'application/json', api_token: store.target.token },
      body: JSON.stringify(request.body),
    });
    expect(answered).toBe(200);
    response.socket?.resetAndDestroy();
  };

  /** The serious issues of what is shown, in these colours and at this width. */
  async function lookAt(colorScheme: 'light' | 'dark', width: number): Promise<readonly string[]> {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    return [...(await seriousIssues(page)), ...(await wideParts(page))];
  }

  it('are started from the table, watched, found again after a reload, and show what was read back', async () => {
    const { behaviour: last, release } = held(reset());
    service.on(BULK_UPDATE, forwardedTo(store.url), appliedWithoutAnswer, last);
    await startJob();
    await focusedCard().waitFor();
    await page.getByText('0 selected', { exact: true }).waitFor();
    await count('2 to go').waitFor();
    await page.reload();
    await openArticles();
    await count('2 to go').waitFor();
    expect(await progress().getAttribute('aria-valuetext')).toBe('8 of 10');
    release();
    await card().getByText('Done: 8 of 10 updated.').waitFor();
    await count('2 unknown').waitFor();
    await button('Outcomes').click();
    await outcomes().first().waitFor();
    const unknown = expect.stringMatching(/Unknown: there was no answer, and the article is not as you wanted it\./u);
    expect(await outcomes().allTextContents()).toEqual([unknown, unknown]);
    await card().getByLabel('Show').selectOption('what is updated');
    await outcomes().nth(7).waitFor();
    const updated = await outcomes().allTextContents();
    expect(updated.filter((text) => text.endsWith(' Updated'))).toHaveLength(4);
    expect(updated.filter((text) => text.includes('reading the article showed it'))).toHaveLength(4);
    expect(await lookAt('light', 1400)).toEqual([]);
  });

  it('say why they wait, and are cancelled, on a phone', async () => {
    const limit = { 'x-ratelimit-reset': '3600', 'x-ratelimit-remaining': '0', 'x-ratelimit-limit': '60' };
    service.on(BULK_UPDATE, forwardedTo(store.url), status(429, '', limit));
    await startJob();
    await card().getByText('Waiting: the service accepts no more calls for now.').waitFor();
    await card()
      .getByText(/^Done at about \d\d:\d\d, in /u)
      .waitFor();
    expect(await lookAt('dark', 390)).toEqual([]);
    await button('Cancel').click();
    await card().getByText('Cancelled: 4 of 10 updated.').waitFor();
    await count('6 not sent').waitFor();
    await focusedCard().waitFor();
    await button('Outcomes').click();
    await outcomes().nth(5).waitFor();
    expect(await lookAt('dark', 390)).toEqual([]);
  });

  it('are paused when the service refuses the token, and go on when they are resumed', async () => {
    service.on(BULK_UPDATE, status(401), forwardedTo(store.url));
    await startJob();
    await card().getByText('Paused: ').waitFor();
    expect(await lookAt('light', 1400)).toEqual([]);
    await button('Resume').press('Enter');
    await card().getByText('Done: 10 of 10 updated.').waitFor();
    await page.getByRole('row', { name: 'Pair a lamp of today' }).waitFor();
  });

  it('are not started twice when the first start had no response', async () => {
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('"operationName":"SubmitArticleUpdateJob"')) return route.fallback();
      await route.fetch();
      await page.unroute('**/graphql');
      return route.abort();
    });
    await startJob();
    await page.getByText('There was no response. You can try again safely').waitFor();
    await button('Try again').click();
    await card().getByText('Done: 10 of 10 updated.').waitFor();
    expect(await page.getByRole('group', { name: '10 updates, started' }).count()).toBe(1);
    expect(service.receivedOn(BULK_UPDATE)).toHaveLength(3);
  });
});
